package bert_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A reference computes a model as Devlin et al. 2018 write it down, in float64
// and without any thought of speed.
type reference struct {
	shape  shape
	blocks map[string]block
	gelu   func(float64) float64
}

// states returns the states of the last layer, a row a token.
func (r reference) states(ids []int) [][]float64 {
	x := make([][]float64, len(ids))
	for i, id := range ids {
		x[i] = make([]float64, r.shape.hidden)
		for k := range x[i] {
			x[i][k] = r.at("embeddings.word_embeddings.weight", id, k) + r.at("embeddings.position_embeddings.weight", i, k) +
				r.at("embeddings.token_type_embeddings.weight", 0, k)
		}
		x[i] = r.norm("embeddings.LayerNorm", x[i])
	}
	for l := range r.shape.layers {
		x = r.layer(fmt.Sprintf("encoder.layer.%d.", l), x)
	}
	return x
}

func (r reference) layer(name string, x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	queries, keys, values := r.linears(name+"attention.self.query", x), r.linears(name+"attention.self.key", x), r.linears(name+"attention.self.value", x)
	for i := range x {
		mixed := r.linear(name+"attention.output.dense", r.attend(queries[i], keys, values))
		middle := r.norm(name+"attention.output.LayerNorm", sum(x[i], mixed))
		wide := r.linear(name+"intermediate.dense", middle)
		for k, v := range wide {
			wide[k] = r.gelu(v)
		}
		out[i] = r.norm(name+"output.LayerNorm", sum(middle, r.linear(name+"output.dense", wide)))
	}
	return out
}

// attend returns what a token takes from all tokens.
func (r reference) attend(query []float64, keys, values [][]float64) []float64 {
	width, out := r.shape.hidden/r.shape.heads, make([]float64, r.shape.hidden)
	for head := range r.shape.heads {
		from, to := head*width, (head+1)*width
		shares, total := make([]float64, len(keys)), 0.0
		for j, key := range keys {
			product := 0.0
			for k := from; k < to; k++ {
				product += query[k] * key[k]
			}
			shares[j] = math.Exp(product / math.Sqrt(float64(width)))
			total += shares[j]
		}
		for j, value := range values {
			for k := from; k < to; k++ {
				out[k] += shares[j] / total * value[k]
			}
		}
	}
	return out
}

func (r reference) linears(name string, x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for i := range x {
		out[i] = r.linear(name, x[i])
	}
	return out
}

func (r reference) linear(name string, x []float64) []float64 {
	out := make([]float64, len(r.blocks[name+".bias"].values))
	for o := range out {
		out[o] = r.at(name+".bias", 0, o)
		for k := range x {
			out[o] += r.at(name+".weight", o, k) * x[k]
		}
	}
	return out
}

func (r reference) norm(name string, x []float64) []float64 {
	mean, variance, out := 0.0, 0.0, make([]float64, len(x))
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	for k, v := range x {
		out[k] = (v-mean)/math.Sqrt(variance+1e-12)*r.at(name+".weight", 0, k) + r.at(name+".bias", 0, k)
	}
	return out
}

func (r reference) at(name string, row, column int) float64 {
	b := r.blocks[name]
	return float64(b.values[row*b.shape[len(b.shape)-1]+column])
}

func sum(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}

func mean(rows [][]float64) []float64 {
	out := make([]float64, len(rows[0]))
	for _, row := range rows {
		out = sum(out, row)
	}
	return out
}

func erf(x float64) float64 { return 0.5 * x * (1 + math.Erf(x/math.Sqrt2)) }

// Models of several shapes give what the reference gives, whichever way the
// tokens are pooled.
func TestReference(t *testing.T) {
	words := strings.Fields("the cat dog is on fire why does our test fail cafe")
	tests := []struct {
		name                                         string
		layers, hidden, heads, intermediate, n, seed int
		activation                                   string
		gelu                                         func(float64) float64
	}{
		{"one token", 1, 16, 1, 16, 1, 1, "gelu", erf},
		{"odd sizes", 2, 30, 3, 50, 7, 2, "gelu", erf},
		{"wide", 2, 128, 4, 512, 12, 3, "gelu_new", tanhGelu},
		{"deep", 6, 64, 2, 96, 20, 4, "relu", func(x float64) float64 { return max(x, 0) }},
		{"many tokens", 1, 32, 2, 64, 70, 5, "gelu", erf},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := shape{tt.layers, tt.hidden, tt.heads, tt.intermediate, 80, tiny.vocabulary}
			rng := rand.New(rand.NewPCG(7, uint64(tt.seed)))
			text, ids := "", []int{2} // [CLS]
			for range tt.n {
				word := words[rng.IntN(len(words))]
				text, ids = text+" "+word, append(ids, s.id(word))
			}
			rows := reference{s, s.blocks(), tt.gelu}.states(append(ids, 3)) // [SEP]
			for mode, want := range map[string][]float64{"mean": mean(rows), "cls": rows[0]} {
				dir := s.newFolder(t)
				replace(t, dir, "config.json", `"gelu"`, fmt.Sprintf("%q", tt.activation))
				writeFile(t, dir, "1_Pooling/config.json", fmt.Appendf(nil, `{"pooling_mode": %q}`, mode))
				if c := alike(vector(t, load(t, dir), text), want); c < 0.995 {
					t.Errorf("%s: the cosine with the reference is %v", mode, c)
				}
			}
		})
	}
}

func (s shape) id(word string) int {
	for id, w := range s.vocabulary {
		if w == word {
			return id
		}
	}
	panic(word + " is not in the vocabulary")
}

func tanhGelu(x float64) float64 {
	return 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
}

func alike(a []float32, b []float64) float64 {
	var product, aa, bb float64
	for i := range a {
		product += float64(a[i]) * b[i]
		aa += float64(a[i]) * float64(a[i])
		bb += b[i] * b[i]
	}
	return product / math.Sqrt(aa*bb)
}
