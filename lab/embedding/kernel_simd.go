//go:build goexperiment.simd && amd64

package embedding

import "simd/archsimd"

// Each kernel ends with ClearAVXUpperBits: without it the next scalar
// instruction of the standard library's assembly, as in math.Exp, runs a
// hundred times slower.

// multiply4 sets four rows of c, n numbers apart, to four rows of the left
// matrix times a panel.
func multiply4(c []float32, n int, a0, a1, a2, a3, panel []float32) {
	var s00, s01, s10, s11, s20, s21, s30, s31 archsimd.Float32x8
	a1, a2, a3 = a1[:len(a0)], a2[:len(a0)], a3[:len(a0)]
	panel = panel[:len(a0)*panelWidth]
	for k, x := range a0 {
		p := (*[panelWidth]float32)(panel[k*panelWidth:])
		b0 := archsimd.LoadFloat32x8((*[8]float32)(p[:8]))
		b1 := archsimd.LoadFloat32x8((*[8]float32)(p[8:]))
		v := archsimd.BroadcastFloat32x8(x)
		s00, s01 = s00.Add(v.Mul(b0)), s01.Add(v.Mul(b1))
		v = archsimd.BroadcastFloat32x8(a1[k])
		s10, s11 = s10.Add(v.Mul(b0)), s11.Add(v.Mul(b1))
		v = archsimd.BroadcastFloat32x8(a2[k])
		s20, s21 = s20.Add(v.Mul(b0)), s21.Add(v.Mul(b1))
		v = archsimd.BroadcastFloat32x8(a3[k])
		s30, s31 = s30.Add(v.Mul(b0)), s31.Add(v.Mul(b1))
	}
	s00.StoreSlice(c)
	s01.StoreSlice(c[8:])
	s10.StoreSlice(c[n:])
	s11.StoreSlice(c[n+8:])
	s20.StoreSlice(c[2*n:])
	s21.StoreSlice(c[2*n+8:])
	s30.StoreSlice(c[3*n:])
	s31.StoreSlice(c[3*n+8:])
	archsimd.ClearAVXUpperBits()
}

// addScaled adds scale × src to dst, whose length is a multiple of 8.
func addScaled(dst, src []float32, scale float32) {
	src = src[:len(dst)]
	v := archsimd.BroadcastFloat32x8(scale)
	for i := 0; i+8 <= len(dst); i += 8 {
		d := archsimd.LoadFloat32x8Slice(dst[i:])
		d.Add(v.Mul(archsimd.LoadFloat32x8Slice(src[i:]))).StoreSlice(dst[i:])
	}
	archsimd.ClearAVXUpperBits()
}

// gather sets dst to the sum of those rows of a table. The length of dst, and so
// of a row, is a multiple of rowBlock.
func gather(dst, table []float32, rows []uint32) {
	for d := 0; d < len(dst); d += rowBlock {
		var s0, s1, s2, s3, s4, s5, s6, s7 archsimd.Float32x8
		for _, row := range rows {
			r := table[int(row)*len(dst)+d:][:rowBlock]
			s0 = s0.Add(archsimd.LoadFloat32x8Slice(r))
			s1 = s1.Add(archsimd.LoadFloat32x8Slice(r[8:]))
			s2 = s2.Add(archsimd.LoadFloat32x8Slice(r[16:]))
			s3 = s3.Add(archsimd.LoadFloat32x8Slice(r[24:]))
			s4 = s4.Add(archsimd.LoadFloat32x8Slice(r[32:]))
			s5 = s5.Add(archsimd.LoadFloat32x8Slice(r[40:]))
			s6 = s6.Add(archsimd.LoadFloat32x8Slice(r[48:]))
			s7 = s7.Add(archsimd.LoadFloat32x8Slice(r[56:]))
		}
		for i, s := range [...]archsimd.Float32x8{s0, s1, s2, s3, s4, s5, s6, s7} {
			s.StoreSlice(dst[d+8*i:])
		}
	}
	archsimd.ClearAVXUpperBits()
}

// adamStep moves a row against its gradient; see adam. The length of the row is
// a multiple of 8.
func adamStep(row, mean, square, gradient []float32, s stepSizes) {
	n := len(gradient)
	row, mean, square = row[:n], mean[:n], square[:n]
	keepMean, newMean := archsimd.BroadcastFloat32x8(s.keepMean), archsimd.BroadcastFloat32x8(s.newMean)
	keepSquare, newSquare := archsimd.BroadcastFloat32x8(s.keepSquare), archsimd.BroadcastFloat32x8(s.newSquare)
	floor, rate := archsimd.BroadcastFloat32x8(s.floor), archsimd.BroadcastFloat32x8(s.rate)
	for i := 0; i+8 <= n; i += 8 {
		g := archsimd.LoadFloat32x8Slice(gradient[i:])
		m := archsimd.LoadFloat32x8Slice(mean[i:]).Mul(keepMean).Add(g.Mul(newMean))
		q := archsimd.LoadFloat32x8Slice(square[i:]).Mul(keepSquare).Add(g.Mul(g).Mul(newSquare))
		m.StoreSlice(mean[i:])
		q.StoreSlice(square[i:])
		step := m.Mul(rate).Div(q.Sqrt().Add(floor))
		archsimd.LoadFloat32x8Slice(row[i:]).Sub(step).StoreSlice(row[i:])
	}
	archsimd.ClearAVXUpperBits()
}

// exponentials replaces each x, which is at most shift/scale, by
// e^(x·scale - shift). The length of the row is a multiple of 8.
func exponentials(row []float32, scale, shift float32) {
	all := archsimd.BroadcastFloat32x8
	half, least := all(0.5), all(leastExponent)
	for i := 0; i+8 <= len(row); i += 8 {
		x := archsimd.LoadFloat32x8Slice(row[i:]).Mul(all(scale)).Sub(all(shift)).Max(least)
		n := x.Mul(all(log2e)).Sub(half).ConvertToInt32()
		f := n.ConvertToFloat32()
		r := x.Sub(f.Mul(all(ln2High))).Sub(f.Mul(all(ln2Low)))
		p := r.Mul(all(1.0 / 720)).Add(all(1.0 / 120))
		p = p.Mul(r).Add(all(1.0 / 24))
		p = p.Mul(r).Add(all(1.0 / 6))
		p = p.Mul(r).Add(half)
		p = p.Mul(r).Add(all(1))
		p = p.Mul(r).Add(all(1))
		power := n.Add(archsimd.BroadcastInt32x8(127)).ShiftAllLeft(23).AsFloat32x8()
		p.Mul(power).StoreSlice(row[i:])
	}
	archsimd.ClearAVXUpperBits()
}
