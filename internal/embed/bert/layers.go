package bert

import (
	"context"
	"math"
	"slices"
)

// run computes the states of the last layer, hidden_size numbers per token, as
// described by Devlin et al. 2018 and Vaswani et al. 2017.
func (w *weights) run(ctx context.Context, c config, ids []int) ([]float32, error) {
	n := len(ids)
	x := w.embed(c.Hidden, ids)
	b := buffers{
		query: make([]float32, n*c.Hidden), key: make([]float32, n*c.Hidden), value: make([]float32, n*c.Hidden),
		mixed: make([]float32, n*c.Hidden), wide: make([]float32, n*c.Intermediate),
	}
	for i := range w.layers {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		w.layers[i].run(c, x, &b)
	}
	return x, nil
}

// embed adds up the vectors of each token, its position, and its type.
func (w *weights) embed(hidden int, ids []int) []float32 {
	x := make([]float32, len(ids)*hidden)
	for i, id := range ids {
		row := x[i*hidden:][:hidden]
		copy(row, w.words[id*hidden:])
		addTo(row, w.positions[i*hidden:][:hidden])
		addTo(row, w.types[:hidden])
	}
	w.norm.apply(x)
	return x
}

// buffers are the memory that all layers share.
type buffers struct {
	query, key, value, mixed, wide []float32
}

// run updates the states x: first the attention of each token to the others,
// then the feed-forward network of each token. Both results are added to the
// previous states.
func (l *layer) run(c config, x []float32, b *buffers) {
	l.query.apply(b.query, x)
	l.key.apply(b.key, x)
	l.value.apply(b.value, x)
	attend(b.mixed, b.query, b.key, b.value, c.Hidden, c.Heads)
	l.merge.apply(b.query, b.mixed)
	addTo(x, b.query)
	l.mergeNorm.apply(x)

	l.widen.apply(b.wide, x)
	activations[c.Activation](b.wide)
	l.narrow.apply(b.query, b.wide)
	addTo(x, b.query)
	l.narrowNorm.apply(x)
}

// attend computes for each token and head the mean of the values of all
// tokens, weighted by the softmax of query · key / √width.
func attend(mixed, query, key, value []float32, hidden, heads int) {
	n, width := len(query)/hidden, hidden/heads
	scale := 1 / math.Sqrt(float64(width))
	clear(mixed)
	shares := make([]float32, n)
	for at := 0; at < hidden; at += width {
		for i := range n {
			q := query[i*hidden+at:][:width]
			for j := range shares {
				shares[j] = float32(float64(dot(q, key[j*hidden+at:][:width])) * scale)
			}
			softmax(shares)
			out := mixed[i*hidden+at:][:width]
			for j, share := range shares {
				addScaled(out, value[j*hidden+at:][:width], share)
			}
		}
	}
}

// softmax replaces each x by exp(x) divided by the sum of all of them.
func softmax(x []float32) {
	top := slices.Max(x)
	var sum float64
	for i, v := range x {
		e := math.Exp(float64(v - top))
		sum += e
		x[i] = float32(e)
	}
	for i := range x {
		x[i] = float32(float64(x[i]) / sum)
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

// activations are the functions between the two layers of the feed-forward
// network, by hidden_act.
var activations = map[string]func([]float32){
	"gelu":              gelu,
	"gelu_new":          geluTanh,
	"gelu_pytorch_tanh": geluTanh,
	"relu":              relu,
}

// gelu is x times the standard normal distribution function of x (Hendrycks
// and Gimpel 2016).
func gelu(x []float32) {
	for i, v := range x {
		x[i] = float32(0.5 * float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)))
	}
}

// geluTanh is the approximation from the same paper.
func geluTanh(x []float32) {
	for i, v := range x {
		f := float64(v)
		x[i] = float32(0.5 * f * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(f+0.044715*f*f*f))))
	}
}

func relu(x []float32) {
	for i, v := range x {
		x[i] = max(v, 0)
	}
}
