// Package relevance says how likely it is that a memory matters to a prompt. Features measure what the
// two have in common: a scorer sets those that hits of the index give, a comparison those of their
// single words and windows. A model combines them into one number.
package relevance

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"recollect/internal/api"
)

// WordsOnly names the model for memories that have no vector.
const WordsOnly = "off"

// A Model turns features into relevance by logistic regression: the
// probability that a memory matters to the prompt is 1/(1+exp(−z)), with
// z = bias + Σ weight × feature.
type Model struct {
	bias    float64
	weights [FeatureCount]float64
}

// models returns the models of coefficients.go by kind of embedder, made once.
var models = sync.OnceValue(func() map[string]*Model {
	all := map[string]*Model{}
	for kind, c := range trained {
		m := &Model{bias: c.bias}
		for i, name := range Names {
			m.weights[i] = c.weights[name]
		}
		all[kind] = m
	}
	return all
})

// anyOther names the model for embedders that have none of their own: it knows only how far a
// cosine stands out of those of the store.
const anyOther = "other"

// ModelOf returns the model for a kind of embedder.
func ModelOf(kind string) *Model {
	if m, ok := models()[kind]; ok {
		return m
	}
	return models()[anyOther]
}

// Logit returns z for the features of a candidate.
func (m *Model) Logit(f *[FeatureCount]float64) float64 {
	z := m.bias
	for i, w := range m.weights {
		z += w * f[i]
	}
	return z
}

// Probability is the logistic function.
func Probability(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

// biasPart names the part of a relevance that is the same for all candidates.
const biasPart = "bias"

// Parts returns what each feature adds to the logit, the largest part first,
// and then the bias. Features that are 0 are left out.
func (m *Model) Parts(f *[FeatureCount]float64) []api.Factor {
	var out []api.Factor
	for i, value := range f {
		if value != 0 {
			out = append(out, api.Factor{Name: Names[i], Value: value, Weight: m.weights[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b api.Factor) int {
		return cmp.Compare(math.Abs(b.Value*b.Weight), math.Abs(a.Value*a.Weight))
	})
	return append(out, api.Factor{Name: biasPart, Value: 1, Weight: m.bias})
}
