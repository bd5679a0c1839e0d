package bert

import (
	"context"
	"math"
	"sync"
)

// run computes the states of the last layer, hidden_size numbers per token, as
// described by Devlin et al. 2018 and Vaswani et al. 2017.
func (w *weights) run(ctx context.Context, c config, ids []int) ([]float32, error) {
	x := w.embed(c.Hidden, ids)
	b := unused.Get().(*buffers)
	defer unused.Put(b)
	for _, rows := range []*[]float32{&b.query, &b.key, &b.value, &b.mixed} {
		*rows = resize(*rows, len(x))
	}
	b.wide = resize(b.wide, len(ids)*c.Intermediate)
	for i := range w.layers {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		w.layers[i].run(c, w.activation, x, b)
	}
	return x, nil
}

// embed adds up the vectors of each token, its position, and its type.
func (w *weights) embed(hidden int, ids []int) []float32 {
	x := make([]float32, len(ids)*hidden)
	for i, id := range ids {
		row := x[i*hidden:][:hidden]
		w.words.addRow(row, id)
		w.positions.addRow(row, i)
		w.types.addRow(row, 0)
	}
	w.norm.apply(x)
	return x
}

// unused are buffers of texts that are done: 9 MB for 512 tokens.
var unused = sync.Pool{New: func() any { return new(buffers) }}

// buffers are the memory that all layers share.
type buffers struct {
	query, key, value, mixed, wide []float32
	input                          rounded // input of a linear
	attention                      attention
}

// run updates the states x: first by the attention of each token to the others, then by the feed-forward
// network of each token. Both results are added to the previous states.
func (l *layer) run(c config, activation *table, x []float32, b *buffers) {
	b.input.set(x, c.Hidden)
	l.query.apply(b.query, &b.input)
	l.key.apply(b.key, &b.input)
	l.value.apply(b.value, &b.input)
	for head := range c.Heads {
		b.attention.run(b, c.Hidden, c.Hidden/c.Heads, head)
	}
	b.input.set(b.mixed, c.Hidden)
	l.merge.apply(b.query, &b.input)
	addTo(x, b.query)
	l.mergeNorm.apply(x)

	b.input.set(x, c.Hidden)
	l.widen.apply(b.wide, &b.input)
	activation.activate(b.wide)
	b.input.set(b.wide, c.Intermediate)
	l.narrow.apply(b.query, &b.input)
	addTo(x, b.query)
	l.narrowNorm.apply(x)
}

func addTo(dst, x []float32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] += x[i]
	}
}

// softmax replaces each x by exp(x) divided by the sum of all of them.
func softmax(x []float32) {
	top, sum := x[0], float32(0)
	for _, v := range x {
		if v > top {
			top = v
		}
	}
	for i, v := range x {
		e := exponential.at(v - top)
		sum += e
		x[i] = e
	}
	for i := range x {
		x[i] /= sum
	}
}

// A layerNorm scales each row to mean 0 and variance 1, then applies a scale
// and an offset (Ba et al. 2016).
type layerNorm struct {
	weight, bias []float32
	epsilon      float64
}

func (l *layerNorm) apply(x []float32) {
	n := len(l.weight)
	for ; len(x) > 0; x = x[n:] {
		row := x[:n]
		var sum, squares float64
		for _, v := range row {
			sum += float64(v)
		}
		mean := sum / float64(n)
		for _, v := range row {
			squares += (float64(v) - mean) * (float64(v) - mean)
		}
		scale := 1 / math.Sqrt(squares/float64(n)+l.epsilon)
		for i, v := range row {
			row[i] = float32((float64(v)-mean)*scale)*l.weight[i] + l.bias[i]
		}
	}
}
