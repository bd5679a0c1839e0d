package relevance

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/index"
	"recollect/internal/index/vectors"
	"recollect/internal/recall/terms"
)

// Of two memories that are alike but for their cosine, the nearer one is at
// least as relevant, in a prompt of any length and a session of any.
func TestNearerIsNoLessRelevant(t *testing.T) {
	m := ModelOf("builtin")
	for _, words := range []int{1, 3, 8, 16, 32, 60, 128} {
		for _, turns := range []float64{1, 2, 5, 20, 1000} {
			last := math.Inf(-1)
			for cos := 0.0; cos <= 1; cos += 0.1 {
				c := &Evidence{Cosine: cos, Closeness: cos - 0.4}
				s := Scorer{q: &terms.Query{Length: words}}
				s.SetRest(c)
				c.SetOthers(1 - 1/turns)
				z := m.Logit(&c.Features)
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
	for _, kind := range []string{"builtin", WordsOnly} {
		m := ModelOf(kind)
		for _, words := range []int{1, 3, 8, 32, 128} {
			for _, top := range []float64{0.1, 0.4, 0.7, 1, 1.5} {
				s := Scorer{q: &terms.Query{Length: words}, best: 10}
				s.CompareWith(top * s.best)
				last := math.Inf(-1)
				for score := 0.0; score <= top; score += 0.05 {
					c := &Evidence{}
					s.SetWords(c, index.Hit{Score: score * s.best})
					s.SetRest(c)
					z := m.Logit(&c.Features)
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
	for _, name := range Names {
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
	few := MeanOf([]vectors.Hit{{Cosine: 0.96}, {Cosine: 0.42}})
	if few >= 0.42 {
		t.Errorf("the mean of two is %v, want the second to be above it", few)
	}
	many := make([]vectors.Hit, 50)
	for i := range many {
		many[i].Cosine = 0.5
	}
	if got := MeanOf(many); got < 0.45 || got >= 0.5 {
		t.Errorf("the mean of 50 of 0.5 each is %v", got)
	}
	if got := MeanOf(nil); got != assumedCosine {
		t.Errorf("the mean of none is %v", got)
	}
}

func TestParts(t *testing.T) {
	m := Model{bias: -3}
	m.weights[Coverage], m.weights[Strength], m.weights[Closeness] = 2, 4, -8
	var f [FeatureCount]float64
	f[Coverage], f[Strength], f[Closeness], f[Length] = 0.5, 0.5, 1, 0.25
	want := []api.Factor{
		{Name: "closeness", Value: 1, Weight: -8},
		{Name: "strength", Value: 0.5, Weight: 4},
		{Name: "coverage", Value: 0.5, Weight: 2},
		{Name: "length", Value: 0.25, Weight: 0},
		{Name: "bias", Value: 1, Weight: -3},
	}
	got := m.Parts(&f)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if z := sumOf(got); z != m.Logit(&f) {
		t.Errorf("the parts sum up to %v, the logit is %v", z, m.Logit(&f))
	}
}

// sumOf adds up what parts of a relevance add to the logit.
func sumOf(parts []api.Factor) float64 {
	z := 0.0
	for _, p := range parts {
		z += p.Value * p.Weight
	}
	return z
}

// The more words a memory has, the nearer one of them is by chance.
func TestLikeness(t *testing.T) {
	for _, tt := range []struct {
		cosine float64
		n      int
		want   string
	}{{1, 1, "1.00"}, {1, 1000, "1.00"}, {0.5, 2, "0.38"}, {0.5, 60, "0.24"}, {0.2, 60, "0.00"}, {-1, 1, "0.00"}, {0.1, 0, "0.00"}} {
		if got := fmt.Sprintf("%.2f", likenessOf(tt.cosine, tt.n)); got != tt.want {
			t.Errorf("likeness(%v, %d) = %s, want %s", tt.cosine, tt.n, got, tt.want)
		}
	}
}
