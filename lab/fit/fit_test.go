package fit

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/recall"
	"recollect/lab/bench"
)

// toy makes queries with five candidates each. The first feature tells the
// relevant one, the second speaks against it, the others are noise. Every
// fourth query has no answer: its candidates look like irrelevant ones.
func toy(n int) Set {
	random := rand.New(rand.NewPCG(1, 2))
	s := Set{Name: "toy", Weight: 1}
	for i := range n {
		c := bench.Case{ID: strconv.Itoa(i)}
		for j := range 5 {
			id := strconv.Itoa(j)
			f := []float64{random.Float64() / 2, 0.5 + random.Float64()/2, random.Float64(), random.Float64()}
			if j == 2 && i%4 != 0 {
				c.Relevant = map[string]bool{id: true}
				f[0], f[1] = f[0]+0.4, f[1]-0.4
			}
			c.Docs = append(c.Docs, id)
			c.Candidates = append(c.Candidates, recall.Example{ID: id, Features: f})
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

func TestGradient(t *testing.T) {
	all := samples(toy(12).Cases, 1)
	b := bounds{held: make([]bool, 4), signs: make([]float64, 4), begin: make([]float64, 4)}
	m := &Model{Bias: -0.7, Weights: []float64{1.5, -0.4, 0.3, 0}}
	got := make([]float64, 5)
	total(all, m, b, got)
	const h = 1e-6
	for k := range got {
		at := &m.Bias
		if k < 4 {
			at = &m.Weights[k]
		}
		was := *at
		*at = was + h
		up := total(all, m, b, make([]float64, 5))
		*at = was - h
		down := total(all, m, b, make([]float64, 5))
		*at = was
		if want := (up - down) / (2 * h); math.Abs(got[k]-want) > 1e-5 {
			t.Errorf("derivative %d: got %g, want %g", k, got[k], want)
		}
	}
}

// Queries with and without an answer weigh 1 each in a set, whatever their
// number; those whose answers are no candidates count and teach nothing.
func TestSampleWeights(t *testing.T) {
	set := toy(12) // 3 of them without an answer
	set.Cases[1].Relevant = map[string]bool{"elsewhere": true}
	yes, no := 0.0, 0.0
	for _, s := range samples(set.Cases, 1) {
		if s.relevant == nil {
			no += s.weight
		} else {
			yes += s.weight
		}
	}
	if math.Abs(yes-8.0/9) > 1e-9 || math.Abs(no-1) > 1e-9 {
		t.Errorf("weights: got %v with and %v without an answer, want 8/9 and 1", yes, no)
	}
}

// widen gives the candidates of a set n features, so that the tables' names
// can be among them: those that a toy has, then zeros.
func widen(s Set, n int) Set {
	for _, c := range s.Cases {
		for i := range c.Candidates {
			f := make([]float64, n)
			copy(f, c.Candidates[i].Features)
			c.Candidates[i].Features = f
		}
	}
	return s
}

func TestTrainFindsTheDecidingFeature(t *testing.T) {
	names := append([]string{"tells", "against", "noise", "more noise"}, recall.FeatureNames()...)
	set := widen(toy(80), len(names))
	k := Kind{Name: "toy"}
	m, err := Train([]Set{set}, names, k)
	if err != nil {
		t.Fatal(err)
	}
	if w := m.Weights; w[0] < 1 || w[1] > -1 || math.Abs(w[2]) > w[0]/2 || math.Abs(w[3]) > w[0]/2 {
		t.Errorf("weights: got %v, want the first high, the second low", w[:4])
	}
	r := evaluate(set.Cases, m.probability)
	if r.R1 < 0.95 || *r.AUC < 0.9 {
		t.Errorf("R@1 %.2f, AUC %.2f: want nearly all", r.R1, *r.AUC)
	}
	again, err := Train([]Set{set}, names, k)
	if err != nil || !cmp.Equal(m, again) {
		t.Errorf("the same sets gave another model (%v): %s", err, cmp.Diff(m, again))
	}
}

func TestTrainKeepsToItsBounds(t *testing.T) {
	// The toy's second feature speaks against; here it is one that must not.
	names := []string{"tells", "title"}
	for _, n := range recall.FeatureNames() {
		if n != "title" {
			names = append(names, n)
		}
	}
	set := widen(toy(40), len(names))
	k := Kind{Name: "toy", Fixed: map[string]float64{names[2]: 1.25}, Off: []string{names[3]}}
	m, err := Train([]Set{set}, names, k)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Weights[1:4], []float64{0, 1.25, 0}; !cmp.Equal(got, want) {
		t.Errorf("bounded weights: got %v, want %v", got, want)
	}
}

func TestTrainRejects(t *testing.T) {
	names := recall.FeatureNames()
	good := widen(toy(8), len(names))
	lost := widen(toy(8), len(names))
	for i := range lost.Cases {
		lost.Cases[i].Relevant = map[string]bool{"elsewhere": true}
	}
	seen := good
	seen.Weight = 0
	tests := []struct {
		name string
		sets []Set
		kind Kind
	}{
		{"a fixed feature that is not there", []Set{good}, Kind{Fixed: map[string]float64{"colour": 1}}},
		{"an ignored feature that is not there", []Set{good}, Kind{Off: []string{"colour"}}},
		{"a set without answers", []Set{good, lost}, Kind{}},
		{"nothing to fit on", []Set{seen}, Kind{}},
		{"other features", []Set{toy(8)}, Kind{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if m, err := Train(tt.sets, names, tt.kind); err == nil {
				t.Errorf("got %v, want an error", m)
			}
		})
	}
}

func TestTablesNameFeaturesOfRecall(t *testing.T) {
	if err := Check(recall.FeatureNames(), Builtin(), Words()); err != nil {
		t.Error(err)
	}
}

// What was taken from a set that must not be fitted on is evaluated only, and so is, where there is
// meaning, a short query whose answer is not in the store.
func TestFittingLeavesOut(t *testing.T) {
	cases := []bench.Case{{ID: "q1"}, {ID: "neg/cosqa/1"}, {ID: "neg/locomo-turn/1"}, {ID: "neg/cranfield/2"}, {ID: "n1"}, {ID: "absent/q2"}}
	tests := []struct {
		name string
		kind Kind
		long bool
		want []string
	}{
		{"with meaning", Builtin(), false, []string{"q1", "neg/cosqa/1", "n1"}},
		{"long", Builtin(), true, []string{"q1", "neg/cosqa/1", "n1", "absent/q2"}},
		{"words alone", Words(), false, []string{"q1", "neg/cosqa/1", "n1", "absent/q2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Set{Cases: cases, Long: tt.long}
			var got []string
			for _, c := range s.fitting(tt.kind) {
				got = append(got, c.ID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("fitted on (-want +got):\n%s", diff)
			}
		})
	}
}
