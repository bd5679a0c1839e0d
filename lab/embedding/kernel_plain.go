//go:build !goexperiment.simd || !amd64

package embedding

import "math"

// multiply4 sets four rows of c, n numbers apart, to four rows of the left
// matrix times a panel.
func multiply4(c []float32, n int, a0, a1, a2, a3, panel []float32) {
	for r, a := range [4][]float32{a0, a1, a2, a3} {
		var sum [panelWidth]float32
		for k, x := range a {
			for j, y := range panel[k*panelWidth:][:panelWidth] {
				sum[j] += float32(x * y)
			}
		}
		copy(c[r*n:], sum[:])
	}
}

// addScaled adds scale × src to dst.
func addScaled(dst, src []float32, scale float32) {
	src = src[:len(dst)]
	for i, x := range src {
		dst[i] += float32(x * scale)
	}
}

// gather sets dst to the sum of those rows of a table.
func gather(dst, table []float32, rows []uint32) {
	clear(dst)
	for _, row := range rows {
		for i, x := range table[int(row)*len(dst):][:len(dst)] {
			dst[i] += x
		}
	}
}

// adamStep moves a row against its gradient; see adam.
func adamStep(row, mean, square, gradient []float32, s stepSizes) {
	for i, g := range gradient {
		mean[i] = float32(mean[i]*s.keepMean) + float32(g*s.newMean)
		square[i] = float32(square[i]*s.keepSquare) + float32(float32(g*g)*s.newSquare)
		root := float32(math.Sqrt(float64(square[i]))) + s.floor
		row[i] -= float32(mean[i]*s.rate) / root
	}
}

// exponentials replaces each x, which is at most shift/scale, by
// e^(x·scale - shift).
func exponentials(row []float32, scale, shift float32) {
	for i, x := range row {
		x = max(float32(x*scale)-shift, leastExponent)
		n := int32(float32(x*log2e) - 0.5)
		r := x - float32(float32(n)*ln2High) - float32(float32(n)*ln2Low)
		p := float32(r*(1.0/720)) + 1.0/120
		for _, c := range [...]float32{1.0 / 24, 1.0 / 6, 0.5, 1, 1} {
			p = float32(p*r) + c
		}
		row[i] = p * math.Float32frombits(uint32(n+127)<<23)
	}
}
