package bert

import (
	"math"

	"recollect/internal/index/dot"
)

// An attention holds the memory that computing the attention of one head needs.
type attention struct {
	query, shares rounded
	keys, values  matrix // keys: a row for each token; values: a row for each column of the head
	products      []int32
	row           []float32
}

// run computes the attention of one head: for each token, the mean of the values of all tokens, weighted
// by the softmax of query · key / √width. It uses the head's columns of b.query, b.key, b.value and
// b.mixed.
func (a *attention) run(b *buffers, hidden, width, head int) {
	n, at := len(b.query)/hidden, head*width
	a.reset(n, width)
	for i := range n {
		a.query.setRow(i, b.query[i*hidden+at:][:width])
		a.keys.set(i, b.key[i*hidden+at:][:width])
	}
	for column := range width {
		for i := range n {
			a.row[i] = b.value[i*hidden+at+column]
		}
		a.values.set(column, a.row[:n])
	}
	scale := float32(1 / math.Sqrt(float64(width)))
	for i := range n {
		shares := a.row[:n]
		dot.Products(a.products[:n], a.query.row(i), a.keys.bytes)
		for j, p := range a.products[:n] {
			shares[j] = float32(p) * (a.query.scales[i] * a.keys.scales[j] * scale)
		}
		softmax(shares)
		a.shares.setRow(0, shares)
		dot.Products(a.products[:width], a.shares.row(0), a.values.bytes)
		out := b.mixed[i*hidden+at:][:width]
		for column, p := range a.products[:width] {
			out[column] = float32(p) * (a.shares.scales[0] * a.values.scales[column])
		}
	}
}

func (a *attention) reset(tokens, width int) {
	a.query.reset(tokens, width)
	a.shares.reset(1, tokens)
	a.keys.reset(tokens, width)
	a.values.reset(width, tokens)
	a.products = resize(a.products, max(tokens, width))
	a.row = resize(a.row, tokens)
}
