package fit

import (
	"math"

	"recollect/lab/bench"
)

// A Model is the result of a fit. The relevance is 1/(1+exp(−z)) with z = Bias + Σ Weights × features.
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

// softplus returns log(1+exp(z)), the loss of injecting an irrelevant memory with logit z. The loss of
// holding back a relevant one is softplus(−z).
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }

// otherWeight is the weight of the best irrelevant candidate of a query with an answer. It is less than
// one, because the qrels do not list every relevant document.
const otherWeight = 0.3

// A sample is one query of a set in the form in which the loss uses it.
type sample struct {
	features   [][]float64 // by candidate
	relevant   []bool      // by candidate; nil for a query without an answer
	weight     float64     // weight of the query in its set
	logits, by []float64   // by candidate: logits, and the derivatives of the loss
}

// samples returns the queries to learn from: those without an answer, and those with at least one answer
// among the candidates. Each of the two groups has the given weight in total, including its queries for
// which no answer was found.
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

// loss returns the loss of m on s and adds its derivatives to gradient. The last element of gradient
// belongs to the bias.
func (s *sample) loss(m *Model, gradient []float64) float64 {
	for i, f := range s.features {
		s.logits[i], s.by[i] = m.logit(f), 0
	}
	var loss float64
	if s.relevant == nil {
		loss = s.reject(bestLogit(s.logits, nil, false), 1)
	} else {
		loss = s.order() + s.accept(bestLogit(s.logits, s.relevant, true))
		if other := bestLogit(s.logits, s.relevant, false); other >= 0 {
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

// order returns the listwise loss: minus the logarithm of the relevant candidates' share of the softmax.
// It must be called before the other losses, because it sets the derivatives to which they add.
func (s *sample) order() float64 {
	top := s.logits[bestLogit(s.logits, nil, false)]
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

// bestLogit returns the index of the highest logit, the first of equal ones, among the candidates whose
// relevance is want, or among all if relevant is nil. It returns −1 if there is none.
func bestLogit(logits []float64, relevant []bool, want bool) int {
	found := -1
	for i, z := range logits {
		if (relevant == nil || relevant[i] == want) && (found < 0 || z > logits[found]) {
			found = i
		}
	}
	return found
}
