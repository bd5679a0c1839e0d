package bert

import (
	"runtime"
	"sync"
)

// A linear is a matrix with a row for each output, and an offset for each.
// Nearly all of the time is spent here.
type linear struct {
	weight, bias []float32
}

// Work is shared out from minShared multiplications on, a tenth of a
// millisecond, among at most maxWorkers goroutines: the daemon is a guest on
// the user's machine.
const (
	minShared  = 1 << 18
	maxWorkers = 4
)

// apply multiplies each row of x and writes the resulting rows to dst.
func (l *linear) apply(dst, x []float32) {
	out := len(l.bias)
	in := len(l.weight) / out
	workers := min(maxWorkers, runtime.GOMAXPROCS(0))
	if len(x)*out < minShared {
		workers = 1
	}
	var wg sync.WaitGroup
	share := (out + workers - 1) / workers
	for from := share; from < out; from += share {
		wg.Go(func() { l.rows(dst, x, in, from, min(from+share, out)) })
	}
	l.rows(dst, x, in, 0, min(share, out))
	wg.Wait()
}

// rows computes the outputs in [from, to) for every row of x, two outputs for
// four rows at a time: eight independent sums for six numbers read.
func (l *linear) rows(dst, x []float32, in, from, to int) {
	out, n := len(l.bias), len(x)/in
	for o := from; o < to; o += 2 {
		pair := min(2, to-o)
		for i := 0; i < n; i += 4 {
			if pair < 2 || n-i < 4 {
				l.edge(dst, x, in, o, pair, i, min(4, n-i))
				continue
			}
			sums := dot8(l.weight[o*in:][:in], l.weight[(o+1)*in:][:in],
				x[i*in:][:in], x[(i+1)*in:][:in], x[(i+2)*in:][:in], x[(i+3)*in:][:in])
			for k := range 4 {
				dst[(i+k)*out+o] = sums[k] + l.bias[o]
				dst[(i+k)*out+o+1] = sums[4+k] + l.bias[o+1]
			}
		}
	}
}

// edge computes the outputs that remain at an edge, one at a time.
func (l *linear) edge(dst, x []float32, in, first, outputs, top, rows int) {
	for o := first; o < first+outputs; o++ {
		for r := top; r < top+rows; r++ {
			dst[r*len(l.bias)+o] = dot(l.weight[o*in:][:in], x[r*in:][:in]) + l.bias[o]
		}
	}
}

// dot8 returns v · a, b, c, d and then w · a, b, c, d.
func dot8(v, w, a, b, c, d []float32) [8]float32 {
	w, a, b, c, d = w[:len(v)], a[:len(v)], b[:len(v)], c[:len(v)], d[:len(v)]
	var va, vb, vc, vd, wa, wb, wc, wd float32
	for i, p := range v {
		q := w[i]
		va += p * a[i]
		vb += p * b[i]
		vc += p * c[i]
		vd += p * d[i]
		wa += q * a[i]
		wb += q * b[i]
		wc += q * c[i]
		wd += q * d[i]
	}
	return [8]float32{va, vb, vc, vd, wa, wb, wc, wd}
}

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var even, odd float32
	for i := 0; i+1 < len(a); i += 2 {
		even += a[i] * b[i]
		odd += a[i+1] * b[i+1]
	}
	if len(a)%2 == 1 {
		even += a[len(a)-1] * b[len(a)-1]
	}
	return even + odd
}

func addTo(dst, x []float32) { addScaled(dst, x, 1) }

func addScaled(dst, x []float32, scale float32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] += scale * x[i]
	}
}
