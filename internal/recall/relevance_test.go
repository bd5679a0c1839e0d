package recall

import (
	"math"
	"testing"

	"recollect/internal/index"
	"recollect/internal/index/vectors"
	"recollect/internal/recall/terms"
)

// Of two memories that are alike but for their cosine, the nearer one is at
// least as relevant, in a prompt of any length and a session of any.
func TestNearerIsNoLessRelevant(t *testing.T) {
	m := modelOf("builtin")
	for _, words := range []int{1, 3, 8, 16, 32, 60, 128} {
		for _, turns := range []float64{1, 2, 5, 20, 1000} {
			last := math.Inf(-1)
			for cos := 0.0; cos <= 1; cos += 0.1 {
				c := &candidate{cosine: cos, closeness: cos - 0.4}
				s := scorer{q: &terms.Query{Length: words}}
				s.setRest(c)
				c.setOthers(1 - 1/turns)
				z := m.logit(&c.features)
				if z < last-1e-9 {
					t.Errorf("%d terms, %v turns: z falls from %v to %v as the cosine grows to %.1f", words, turns, last, z, cos)
				}
				last = z
			}
		}
	}
}

// Of two memories that are alike but for their BM25, the better one is more
// relevant, however good the best of all is: many times better than possible
// with the bonuses, or the same question asked before.
func TestBetterIsMoreRelevant(t *testing.T) {
	for _, kind := range []string{"builtin", wordsOnly} {
		m := modelOf(kind)
		for _, words := range []int{1, 3, 8, 32, 128} {
			for _, top := range []float64{0.1, 0.4, 0.7, 1, 1.5} {
				s := scorer{q: &terms.Query{Length: words}, best: 10}
				s.compareWith(top * s.best)
				last := math.Inf(-1)
				for score := 0.0; score <= top; score += 0.05 {
					c := &candidate{}
					s.setWords(c, index.Hit{Score: score * s.best})
					s.setRest(c)
					z := m.logit(&c.features)
					if z <= last {
						t.Errorf("%s, %d terms, best %v: z falls from %v to %v as the score grows to %v", kind, words, top, last, z, score)
					}
					last = z
				}
			}
		}
	}
}

// Every coefficient belongs to a feature: one by another name would count
// nothing.
func TestCoefficientsHaveFeatures(t *testing.T) {
	known := map[string]bool{}
	for _, name := range featureNames {
		known[name] = true
	}
	for kind, c := range trained {
		for name := range c.weights {
			if !known[name] {
				t.Errorf("coefficients %s: there is no feature %q", kind, name)
			}
		}
	}
}

// A memory is not far off because another one repeats the prompt, and among
// many the mean is that of what was found.
func TestMeanOf(t *testing.T) {
	few := meanOf([]vectors.Hit{{Cosine: 0.96}, {Cosine: 0.42}})
	if few >= 0.42 {
		t.Errorf("the mean of two is %v, want the second to be above it", few)
	}
	many := make([]vectors.Hit, 50)
	for i := range many {
		many[i].Cosine = 0.5
	}
	if got := meanOf(many); got < 0.45 || got >= 0.5 {
		t.Errorf("the mean of 50 of 0.5 each is %v", got)
	}
	if got := meanOf(nil); got != assumedCosine {
		t.Errorf("the mean of none is %v", got)
	}
}
