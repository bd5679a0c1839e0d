package fit

import (
	"math"

	"recollect/internal/bench"
)

// A Model is what is fitted: z = Bias + Σ Weights × features, which
// 1/(1+exp(−z)) makes a probability.
type Model struct {
	Bias    float64
	Weights []float64 // in the order of recall.FeatureNames
}

func (m *Model) logit(features []float64) float64 {
	z := m.Bias
	for i, w := range m.Weights {
		z += w * features[i]
	}
	return z
}

func (m *Model) finite() bool {
	sum := m.Bias
	for _, w := range m.Weights {
		sum += w
	}
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// probability is the logistic function.
func probability(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

// softplus is log(1+exp(z)): the loss of telling what does not bear on the
// prompt with logit z. That of not telling what does is softplus(−z).
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }

// otherWeight is what the best irrelevant candidate of an answerable query
// counts: less than one, since the qrels do not know every relevant document.
const otherWeight = 0.3

// A sample is one query of a set as the loss sees it.
type sample struct {
	features   [][]float64 // by candidate
	relevant   []bool      // by candidate; nil where there is no answer
	weight     float64     // of the query in its set
	logits, by []float64   // by candidate: scratch, and the loss's derivative
}

// samples returns what can be learned from: queries without an answer, and
// those of whose answers one at least is a candidate. Each kind has this weight
// together, counting the queries of which no answer was found.
func samples(cases []bench.Case, weight float64) []sample {
	var out []sample
	yes, no := 0, 0
	for _, c := range cases {
		s := sample{logits: make([]float64, len(c.Candidates)), by: make([]float64, len(c.Candidates))}
		found := false
		for i, e := range c.Candidates {
			s.features = append(s.features, e.Features)
			if len(c.Relevant) > 0 {
				s.relevant = append(s.relevant, c.Relevant[c.Docs[i]])
				found = found || s.relevant[i]
			}
		}
		if len(c.Relevant) == 0 {
			no++
		} else {
			yes++
		}
		if len(c.Candidates) > 0 && (found || len(c.Relevant) == 0) {
			out = append(out, s)
		}
	}
	for i := range out {
		out[i].weight = weight / float64(yes)
		if out[i].relevant == nil {
			out[i].weight = weight / float64(no)
		}
	}
	return out
}

// loss returns the loss of m on s and adds its derivatives to gradient, whose
// last element is the bias's.
func (s *sample) loss(m *Model, gradient []float64) float64 {
	for i, f := range s.features {
		s.logits[i], s.by[i] = m.logit(f), 0
	}
	var loss float64
	if s.relevant == nil {
		loss = s.reject(best(s.logits, nil, false), 1)
	} else {
		loss = s.order() + s.accept(best(s.logits, s.relevant, true))
		if other := best(s.logits, s.relevant, false); other >= 0 {
			loss += s.reject(other, otherWeight)
		}
	}
	bias := len(gradient) - 1
	for i, d := range s.by {
		d *= s.weight
		if d == 0 {
			continue
		}
		gradient[bias] += d
		for k, x := range s.features[i] {
			gradient[k] += d * x
		}
	}
	return s.weight * loss
}

// order is the listwise loss: minus the logarithm of the relevant candidates'
// share of the softmax. It comes first: it sets the derivatives to which the
// others add.
func (s *sample) order() float64 {
	top := s.logits[best(s.logits, nil, false)]
	all, relevant := 0.0, 0.0
	for i, z := range s.logits {
		s.by[i] = math.Exp(z - top)
		all += s.by[i]
		if s.relevant[i] {
			relevant += s.by[i]
		}
	}
	relevant = max(relevant, math.SmallestNonzeroFloat64)
	for i, e := range s.by {
		s.by[i] = e / all
		if s.relevant[i] {
			s.by[i] -= e / relevant
		}
	}
	return math.Log(all) - math.Log(relevant)
}

func (s *sample) accept(i int) float64 {
	s.by[i] += probability(s.logits[i]) - 1
	return softplus(-s.logits[i])
}

func (s *sample) reject(i int, weight float64) float64 {
	s.by[i] += weight * probability(s.logits[i])
	return weight * softplus(s.logits[i])
}

// best is the number of the highest logit, the first of equals, among the
// candidates whose relevance is want, or among all if relevant is nil; −1 if
// there is none.
func best(logits []float64, relevant []bool, want bool) int {
	found := -1
	for i, z := range logits {
		if (relevant == nil || relevant[i] == want) && (found < 0 || z > logits[found]) {
			found = i
		}
	}
	return found
}
