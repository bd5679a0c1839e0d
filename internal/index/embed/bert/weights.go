package bert

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A tensor is a block of numbers in row-major order. It may still be in a file, because a whole model in
// float32 takes more memory than the daemon should.
type tensor struct {
	shape []int
	read  func(dst []float32, from int) error // fills dst with the numbers that begin at from
}

// tensors are a file's tensors by name.
type tensors map[string]tensor

// weights are the numbers of a model, arranged for the computation.
type weights struct {
	words, positions, types matrix // a row of hidden_size for each token, position, type
	norm                    layerNorm
	layers                  []layer
	activation              *table
}

// A layer is one layer of the transformer.
type layer struct {
	query, key, value, merge linear
	mergeNorm                layerNorm
	widen, narrow            linear
	narrowNorm               layerNorm
}

// newWeights selects a model's tensors. All must be present, finite and of the right shape. It ignores
// others, such as the pooler's.
func newWeights(ts tensors, c config) (weights, error) {
	p := picker{tensors: ts.plainNames()}
	w := weights{
		words:     p.matrix("embeddings.word_embeddings.weight", c.Vocabulary, c.Hidden),
		positions: p.matrix("embeddings.position_embeddings.weight", c.Positions, c.Hidden),
		types:     p.matrix("embeddings.token_type_embeddings.weight", c.Types, c.Hidden),
		norm:      p.norm("embeddings.LayerNorm", c),

		activation: newTable(-8, 8, activations[c.Activation]),
	}
	for i := range c.Layers {
		if p.err != nil {
			break
		}
		name := fmt.Sprintf("encoder.layer.%d.", i)
		w.layers = append(w.layers, layer{
			query:      p.linear(name+"attention.self.query", c.Hidden, c.Hidden),
			key:        p.linear(name+"attention.self.key", c.Hidden, c.Hidden),
			value:      p.linear(name+"attention.self.value", c.Hidden, c.Hidden),
			merge:      p.linear(name+"attention.output.dense", c.Hidden, c.Hidden),
			mergeNorm:  p.norm(name+"attention.output.LayerNorm", c),
			widen:      p.linear(name+"intermediate.dense", c.Hidden, c.Intermediate),
			narrow:     p.linear(name+"output.dense", c.Intermediate, c.Hidden),
			narrowNorm: p.norm(name+"output.LayerNorm", c),
		})
	}
	return w, p.err
}

// plainNames returns the tensors under the names of a current model without a task. In a model for a task
// names begin with "bert.", and old models use gamma and beta.
func (ts tensors) plainNames() tensors {
	plain := make(tensors, len(ts))
	for name, t := range ts {
		name = strings.TrimPrefix(name, "bert.")
		if rest, ok := strings.CutSuffix(name, ".gamma"); ok {
			name = rest + ".weight"
		} else if rest, ok := strings.CutSuffix(name, ".beta"); ok {
			name = rest + ".bias"
		}
		plain[name] = t
	}
	return plain
}

// A picker selects tensors by name and records the first error.
type picker struct {
	tensors tensors
	err     error
}

// find returns the tensor of that name and shape, unless there was an error.
func (p *picker) find(name string, shape ...int) (t tensor, ok bool) {
	t, ok = p.tensors[name]
	switch {
	case p.err != nil:
	case !ok:
		p.err = fmt.Errorf("has no tensor %s", name)
	case !slices.Equal(t.shape, shape):
		p.err = fmt.Errorf("tensor %s has the shape %v, where config.json wants %v", name, t.shape, shape)
	}
	return t, p.err == nil
}

// read reads numbers of a tensor from position from on. All must be finite.
func (p *picker) read(t tensor, name string, dst []float32, from int) {
	if p.err != nil {
		return
	}
	if err := t.read(dst, from); err != nil {
		p.err = fmt.Errorf("tensor %s: %w", name, err)
	} else if slices.ContainsFunc(dst, notFinite) {
		p.err = fmt.Errorf("tensor %s has numbers that are not finite", name)
	}
}

func (p *picker) numbers(name string, n int) []float32 {
	t, ok := p.find(name, n)
	if !ok {
		return nil
	}
	numbers := make([]float32, n)
	p.read(t, name, numbers, 0)
	return numbers
}

// matrix reads and rounds one row after the other.
func (p *picker) matrix(name string, rows, columns int) matrix {
	t, ok := p.find(name, rows, columns)
	if !ok {
		return matrix{}
	}
	m, row := newMatrix(rows, columns), make([]float32, columns)
	for r := 0; r < rows && p.err == nil; r++ {
		p.read(t, name, row, r*columns)
		m.set(r, row)
	}
	return m
}

func (p *picker) linear(name string, in, out int) linear {
	return linear{p.matrix(name+".weight", out, in), p.numbers(name+".bias", out)}
}

func (p *picker) norm(name string, c config) layerNorm {
	return layerNorm{weight: p.numbers(name+".weight", c.Hidden), bias: p.numbers(name+".bias", c.Hidden), epsilon: c.Epsilon}
}

func notFinite(x float32) bool {
	return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0)
}
