package recall

import (
	"math"
	"sync"

	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/rankers"
)

// A candidate is a memory on its way through the steps of recall.
type candidate struct {
	id          string
	memory      memory.Memory
	lexicalRank int // from 1, among what the words found; 0 when they did not
	vectorRank  int // likewise, by meaning
	bm25        float64
	cosine      float64
	closeness   float64   // how far the cosine is above the mean of what meaning found
	others      float64   // share of its session that the other turns are, 0 where it is alone
	embedded    bool      // it has a vector
	met         []float64 // how far it meets each clause, in [0, 1]
	matched     []string
	features    [features]float64
	relevance   float64
	required    float64
	superseded  string // id of the memory that replaces it
	score       rankers.Score
	tokens      int
	outcome     string // why it is not told, how it is told; empty while undecided
}

// wordsAlone names the model for memories that have no vector.
const wordsAlone = "off"

// A model turns features into relevance by logistic regression: the
// probability that a memory bears on the prompt is 1/(1+exp(−z)), with
// z = bias + Σ weight × feature.
type model struct {
	bias    float64
	weights [features]float64
}

// coefficients are a model as coefficients.go has it, with the weights by name
// of the feature.
type coefficients struct {
	bias    float64
	weights map[string]float64
}

// models are those of coefficients.go by kind of embedder, made once.
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

// modelOf returns the model for a kind of embedder. One that nobody trained
// has the coefficients of the built-in embedder.
func modelOf(kind string) *model {
	if m, ok := models()[kind]; ok {
		return m
	}
	return models()["builtin"]
}

// logit returns z for the features of a candidate.
func (m *model) logit(f *[features]float64) float64 {
	z := m.bias
	for i, w := range m.weights {
		z += w * f[i]
	}
	return z
}

// probability is the logistic function.
func probability(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

// maxTerms is how many terms a search can tell apart: bits of index.Hit.
const maxTerms = 64

// searchTerms lists what the index looks for, and for each the number of the
// clause it stands for. The clauses' own terms come first: they must not be
// cut off by synonyms.
func searchTerms(q *query, synonymWeight float64) (terms []index.Term, owner []int) {
	for i, c := range q.clauses {
		terms = append(terms, index.Term{Text: c.term, Weight: c.weight})
		owner = append(owner, i)
	}
	for i, c := range q.clauses {
		for _, s := range c.synonyms {
			if len(terms) == maxTerms {
				return terms, owner
			}
			terms = append(terms, index.Term{Text: s.term, Weight: c.weight * synonymWeight})
			owner = append(owner, i)
		}
	}
	return terms, owner
}
