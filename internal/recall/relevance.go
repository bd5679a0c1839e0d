package recall

import (
	"math"
	"sync"
)

// wordsOnly names the model for memories that have no vector.
const wordsOnly = "off"

// A model turns features into relevance by logistic regression: the
// probability that a memory bears on the prompt is 1/(1+exp(−z)), with
// z = bias + Σ weight × feature.
type model struct {
	bias    float64
	weights [featureCount]float64
}

// models returns the models of coefficients.go by kind of embedder, made once.
var models = sync.OnceValue(func() map[string]*model {
	all := map[string]*model{}
	for kind, c := range trained {
		m := &model{bias: c.bias}
		for i, name := range featureNames {
			m.weights[i] = c.weights[name]
		}
		all[kind] = m
	}
	return all
})

// anyOther names the model for embedders that have none of their own: it knows only how far a
// cosine stands out of those of the store.
const anyOther = "other"

// modelOf returns the model for a kind of embedder.
func modelOf(kind string) *model {
	if m, ok := models()[kind]; ok {
		return m
	}
	return models()[anyOther]
}

// logit returns z for the features of a candidate.
func (m *model) logit(f *[featureCount]float64) float64 {
	z := m.bias
	for i, w := range m.weights {
		z += w * f[i]
	}
	return z
}

// probability is the logistic function.
func probability(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }
