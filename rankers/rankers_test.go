package rankers

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const day = 24 * time.Hour

var shipped = map[string]Ranker{
	"bounded":  Bounded{Share: .1, Latest: .7, Weight: .5, Recency: .5, Frequency: .25, Importance: .5, Project: 1},
	"typed":    Typed{HalfAge: 30 * day},
	"linear":   Linear{Relevance: .5, Recency: .3, Frequency: .2, HalfAge: 30 * day},
	"balanced": Balanced{Recency: .4, Relevance: .3, Frequency: .2, Cost: .1, MaxAge: 90 * day},
}

func TestScore(t *testing.T) {
	month := Candidate{ID: "a", Relevance: .8, Weight: .9, Age: 30 * day, Uses: 5, Tokens: 100}
	tests := []struct {
		name   string
		ranker Ranker
		c      Candidate
		want   float64
	}{
		{"typed is a product", shipped["typed"], month, .9 * .5 * .8},
		{"typed counts the future as now", shipped["typed"], Candidate{Relevance: 1, Weight: 1, Age: -day}, 1},
		{"linear is a sum", shipped["linear"], month, .5*.8 + .3*.5 + .2*.5},
		{"linear of a stranger", shipped["linear"], Candidate{Relevance: 1}, .5 + .3},
		{"balanced is a sum", shipped["balanced"], month, .4*math.Exp(-1./3) + .3*.8 + .2*.5 + .1*.5},
		{"balanced of nothing new", shipped["balanced"], Candidate{}, .4 + .1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.ranker.Score(tt.c)
			if math.Abs(got.Value-tt.want) > 1e-12 {
				t.Errorf("Score(%+v) = %v, want %v", tt.c, got.Value, tt.want)
			}
		})
	}
}

// The factors must account for the value: nobody could check it otherwise.
func TestFactorsExplainTheValue(t *testing.T) {
	for name, r := range shipped {
		for _, c := range candidates(1, 50) {
			s := r.Score(c)
			got, multiply := 0.0, name == "typed" || name == "bounded"
			if multiply {
				got = 1
			}
			for _, f := range s.Factors {
				if multiply {
					got *= f.Value * f.Weight
				} else {
					got += f.Value * f.Weight
				}
			}
			if math.Abs(got-s.Value) > 1e-12 {
				t.Errorf("%s: factors of %+v give %v, value is %v", name, c, got, s.Value)
			}
		}
	}
}

func TestRankProperties(t *testing.T) {
	for name, r := range shipped {
		for seed := range uint64(20) {
			in := candidates(seed, 40)
			first := Rank(r, in)
			shuffled := append([]Candidate(nil), in...)
			rng := rand.New(rand.NewPCG(seed, 7))
			rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })

			if diff := cmp.Diff(first, Rank(r, shuffled)); diff != "" {
				t.Fatalf("%s: the order of the input matters:\n%s", name, diff)
			}
			var out []Candidate
			for i, c := range first {
				if c.Rank != i+1 {
					t.Errorf("%s: rank %d at position %d", name, c.Rank, i+1)
				}
				if i > 0 && c.Score.Value > first[i-1].Score.Value {
					t.Errorf("%s: %v stands below %v", name, c.Score.Value, first[i-1].Score.Value)
				}
				out = append(out, c.Candidate)
			}
			asked := cmpopts.IgnoreFields(Candidate{}, "Best")
			byID := cmpopts.SortSlices(func(a, b Candidate) bool { return a.ID < b.ID })
			if diff := cmp.Diff(in, out, byID, asked); diff != "" {
				t.Errorf("%s: candidates were lost or invented:\n%s", name, diff)
			}
		}
	}
}

// More of a good thing must never lower a score.
func TestMonotone(t *testing.T) {
	for name, r := range shipped {
		for _, c := range candidates(3, 100) {
			base := r.Score(c).Value
			for what, better := range betters(c) {
				if got := r.Score(better).Value; got < base {
					t.Errorf("%s: %s lowers %v to %v", name, what, base, got)
				}
			}
		}
	}
}

// betters returns c with more of each good thing.
func betters(c Candidate) map[string]Candidate {
	relevant, young, weighty, used, important, home := c, c, c, c, c, c
	relevant.Relevance = min(1, c.Relevance+.1)
	young.Age = c.Age / 2
	weighty.Weight = c.Weight + .1
	used.Uses = c.Uses + 1
	important.Importance = "high"
	home.SameProject = true
	return map[string]Candidate{
		"more relevance": relevant, "less age": young, "more weight": weighty,
		"more use": used, "more importance": important, "being at home": home,
	}
}

func TestValidate(t *testing.T) {
	tests := []struct {
		name string
		v    interface{ Validate() error }
		want string
	}{
		{"bounded", shipped["bounded"].(Bounded), ""},
		{"bounded of nothing", Bounded{}, ""},
		{"bounded share too large", Bounded{Share: 1.1}, "prior_share = 1.1: must be between 0 and 1"},
		{"bounded latest not a number", Bounded{Latest: math.NaN()}, "latest_share = NaN: must be between 0 and 1"},
		{"bounded part below zero", Bounded{Project: -1}, "project = -1: must be between 0 and 1"},
		{"typed", Typed{HalfAge: day}, ""},
		{"typed without half age", Typed{}, "half_age = 0s: must be positive"},
		{"linear share too large", Linear{Relevance: 2, HalfAge: day}, "relevance = 2: must be between 0 and 1"},
		{"balanced not a number", Balanced{Cost: math.NaN(), MaxAge: day}, "cost = NaN: must be between 0 and 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := tt.v.Validate(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Validate() = %q, want %q", got, tt.want)
			}
		})
	}
}

func candidates(seed uint64, n int) []Candidate {
	rng := rand.New(rand.NewPCG(seed, 1))
	cs := make([]Candidate, n)
	for i := range cs {
		cs[i] = Candidate{
			ID:        string(rune('a'+i%26)) + string(rune('a'+i/26)),
			Relevance: rng.Float64(),
			Weight:    float64(rng.IntN(11)) / 10,
			Age:       time.Duration(rng.IntN(400)) * day,
			Uses:      rng.IntN(10),
			Tokens:    rng.IntN(500),

			HalfLife:    time.Duration(rng.IntN(4)*45) * day,
			Importance:  []string{"", "low", "normal", "high"}[rng.IntN(4)],
			SameProject: rng.IntN(2) == 0,
			Latest:      rng.IntN(4) == 0,
		}
	}
	return cs
}
