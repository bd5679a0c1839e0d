package bert

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A tensor is a block of numbers in row-major order.
type tensor struct {
	shape  []int
	values []float32
}

// tensors are a file's tensors by name.
type tensors map[string]tensor

// weights are the numbers of a model, arranged for the computation.
type weights struct {
	words, positions, types []float32 // a row of hidden_size a token, position, type
	norm                    layerNorm
	layers                  []layer
}

// A layer is one layer of the transformer.
type layer struct {
	query, key, value, merge linear
	mergeNorm                layerNorm
	widen, narrow            linear
	narrowNorm               layerNorm
}

// newWeights selects a model's tensors. All must be present, have the right
// shape and be finite; others, such as the pooler's, are not used.
func newWeights(ts tensors, c config) (weights, error) {
	p := picker{tensors: ts.plainNames()}
	w := weights{
		words:     p.pick("embeddings.word_embeddings.weight", c.Vocabulary, c.Hidden),
		positions: p.pick("embeddings.position_embeddings.weight", c.Positions, c.Hidden),
		types:     p.pick("embeddings.token_type_embeddings.weight", c.Types, c.Hidden),
		norm:      p.norm("embeddings.LayerNorm", c),
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

// plainNames returns the tensors under the names of a current model without a
// task: names in a model for a task begin with "bert.", and old models use
// gamma and beta.
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

func (p *picker) pick(name string, shape ...int) []float32 {
	t, ok := p.tensors[name]
	switch {
	case p.err != nil:
	case !ok:
		p.err = fmt.Errorf("has no tensor %s", name)
	case !slices.Equal(t.shape, shape):
		p.err = fmt.Errorf("tensor %s has the shape %v, where config.json wants %v", name, t.shape, shape)
	case slices.ContainsFunc(t.values, notFinite):
		p.err = fmt.Errorf("tensor %s has numbers that are not finite", name)
	}
	return t.values
}

func (p *picker) linear(name string, in, out int) linear {
	return linear{weight: p.pick(name+".weight", out, in), bias: p.pick(name+".bias", out)}
}

func (p *picker) norm(name string, c config) layerNorm {
	return layerNorm{weight: p.pick(name+".weight", c.Hidden), bias: p.pick(name+".bias", c.Hidden), epsilon: c.Epsilon}
}

func notFinite(x float32) bool {
	return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0)
}
