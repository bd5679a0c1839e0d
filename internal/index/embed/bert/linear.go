package bert

import (
	"math"
	"runtime"
	"sync"

	"recollect/internal/index/dot"
)

// maxByte is the absolute value of a matrix's largest number.
const maxByte = 127

// A matrix has rows of 8-bit numbers, each row with its own scale: a number is byte × scale. It takes a
// quarter of the memory of float32.
type matrix struct {
	stride int       // bytes of a row: columns, filled up with zeros for package dot
	bytes  []byte    // two's complement
	scales []float32 // by row
}

func newMatrix(rows, columns int) (m matrix) {
	m.reset(rows, columns)
	return m
}

// reset changes the sizes of m and reuses its memory. The caller must then set every row.
func (m *matrix) reset(rows, columns int) {
	m.stride = align(columns)
	m.bytes = resize(m.bytes, rows*m.stride)
	m.scales = resize(m.scales, rows)
}

func align(n int) int { return (n + dot.Align - 1) / dot.Align * dot.Align }

// set rounds numbers to row r.
func (m *matrix) set(r int, numbers []float32) {
	out := m.bytes[r*m.stride:][:m.stride]
	clear(out[len(numbers):])
	largest := largest(numbers)
	m.scales[r] = largest / maxByte
	if largest == 0 {
		clear(out)
		return
	}
	for i, x := range numbers {
		out[i] = byte(int8(round(x * (maxByte / largest))))
	}
}

// addRow adds row r to dst.
func (m *matrix) addRow(dst []float32, r int) {
	row, scale := m.bytes[r*m.stride:], m.scales[r]
	for i := range dst {
		dst[i] += scale * float32(int8(row[i]))
	}
}

// A linear is a matrix with a row and an offset for each output. Nearly all of the time is spent here.
type linear struct {
	matrix
	bias []float32
}

// blockRows is the number of rows that are multiplied with all tokens before the next ones. It is small
// enough for them to stay in the second-level cache.
const blockRows = 64

// Work of minShared multiplications, a tenth of a millisecond, or more is shared among at most maxWorkers
// goroutines, because the daemon is a guest on the user's machine.
const (
	minShared  = 1 << 21
	maxWorkers = 4
)

// apply multiplies each row of x and writes the resulting rows to dst.
func (l *linear) apply(dst []float32, x *rounded) {
	out := len(l.bias)
	workers := min(maxWorkers, runtime.GOMAXPROCS(0))
	if len(x.scales)*len(l.bytes) < minShared {
		workers = 1
	}
	var wg sync.WaitGroup
	share := (out + workers - 1) / workers
	for from := share; from < out; from += share {
		wg.Go(func() { l.rows(dst, x, from, min(from+share, out)) })
	}
	l.rows(dst, x, 0, min(share, out))
	wg.Wait()
}

// rows computes the outputs in [from, to) for every row of x.
func (l *linear) rows(dst []float32, x *rounded, from, to int) {
	var products [blockRows]int32
	for ; from < to; from += blockRows {
		n := min(blockRows, to-from)
		bytes, scales, bias := l.bytes[from*l.stride:], l.scales[from:][:n], l.bias[from:][:n]
		for i, scale := range x.scales {
			dot.Products(products[:n], x.row(i), bytes)
			out := dst[i*len(l.bias)+from:][:n]
			for o, p := range products[:n] {
				out[o] = float32(p)*(scale*scales[o]) + bias[o]
			}
		}
	}
}

// A rounded holds rows of numbers, each with its own scale, ready to be multiplied with those of a
// matrix.
type rounded struct {
	stride  int
	numbers []int16
	scales  []float32
}

// set rounds consecutive rows of x, reusing the memory.
func (q *rounded) set(x []float32, columns int) {
	n := len(x) / columns
	q.reset(n, columns)
	for i := range n {
		q.setRow(i, x[i*columns:][:columns])
	}
}

func (q *rounded) reset(rows, columns int) {
	q.stride = align(columns)
	q.numbers = resize(q.numbers, rows*q.stride)
	q.scales = resize(q.scales, rows)
}

// setRow rounds numbers to as many bits as possible without the sum over the row exceeding 32 bits.
func (q *rounded) setRow(r int, numbers []float32) {
	row := q.numbers[r*q.stride:][:q.stride]
	clear(row[len(numbers):])
	limit := min(math.MaxInt16, float32(math.MaxInt32/maxByte/q.stride))
	largest := largest(numbers)
	q.scales[r] = largest / limit
	if largest == 0 {
		clear(row)
		return
	}
	for i, x := range numbers {
		row[i] = int16(round(x * (limit / largest)))
	}
}

func (q *rounded) row(r int) []int16 { return q.numbers[r*q.stride:][:q.stride] }

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// largest returns the largest absolute value in x. The bits of positive floats have the order of their
// values, and compare faster.
func largest(x []float32) float32 {
	var most uint32
	for _, v := range x {
		most = max(most, math.Float32bits(v)&^(1<<31))
	}
	return math.Float32frombits(most)
}

func round(x float32) int32 { return int32(math.RoundToEven(float64(x))) }
