package bench

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// near lets sums differ by what rounding does.
var near = cmpopts.EquateApprox(0, 1e-9)

func set(ids ...string) map[string]bool {
	s := map[string]bool{}
	for _, id := range ids {
		s[id] = true
	}
	return s
}

func TestMeasureRanking(t *testing.T) {
	eleven := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "x"}
	second := 1 / math.Log2(3) // the gain at rank 2
	tests := []struct {
		name     string
		docs     []string
		relevant map[string]bool
		want     Outcome
	}{
		{"the only one first", []string{"x", "a"}, set("x"),
			Outcome{R1: 1, R5: 1, R10: 1, Hit5: 1, NDCG10: 1, RR: 1, Docs: []string{"x", "a"}}},
		{"second", []string{"a", "x"}, set("x"),
			Outcome{R5: 1, R10: 1, Hit5: 1, NDCG10: second, RR: 0.5, Docs: []string{"a", "x"}}},
		{"one of two, second", []string{"a", "x"}, set("x", "y"),
			Outcome{R5: 0.5, R10: 0.5, Hit5: 1, NDCG10: second / (1 + second), RR: 0.5, Docs: []string{"a", "x"}}},
		{"sixth", eleven[:10], set("f"),
			Outcome{R10: 1, NDCG10: 1 / math.Log2(7), RR: 1.0 / 6, Docs: eleven[:10]}},
		{"eleventh is too late", eleven, set("x"), Outcome{Docs: eleven[:10]}},
		{"nothing found", nil, set("x"), Outcome{}},
		{"twelve relevant, ten of them found: the ideal has ten", eleven[:10], set("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "x", "y"),
			Outcome{R1: 1.0 / 12, R5: 5.0 / 12, R10: 10.0 / 12, Hit5: 1, NDCG10: 1, RR: 1, Docs: eleven[:10]}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, measureRanking(tt.docs, tt.relevant), near, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("judge(%v), -want +got:\n%s", tt.docs, diff)
			}
		})
	}
}

func TestMean(t *testing.T) {
	got := mean([]Outcome{{R1: 1, R5: 1, R10: 1, Hit5: 1, NDCG10: 1, RR: 1}, {R10: 0.5, NDCG10: 0.3, RR: 0.2}})
	want := Metrics{R1: 0.5, R5: 0.5, R10: 0.75, Hit5: 0.5, NDCG10: 0.65, MRR: 0.6}
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("mean, -want +got:\n%s", diff)
	}
}

func TestAUCAndKept(t *testing.T) {
	twenty := make([]float64, 20) // 1 to 20
	for i := range twenty {
		twenty[i] = float64(i + 1)
	}
	tests := []struct {
		name      string
		yes, no   []float64
		auc, kept float64
	}{
		{"apart", []float64{5, 6}, []float64{1, 2}, 1, 1},
		{"the wrong way round", []float64{1, 2}, []float64{5, 6}, 0, 0},
		{"equal", []float64{3, 3}, []float64{3, 3}, 0.5, 0},
		{"one of four pairs lost", []float64{2, 4}, []float64{1, 3}, 0.75, 0.5},
		{"a tie counts one half", []float64{2, 3}, []float64{2}, 0.75, 0.5},
		{"one in twenty may be above", []float64{19, 19.5, 30}, twenty, (18.5 + 19 + 20) / 60, 2.0 / 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := auc(tt.yes, tt.no); math.Abs(got-tt.auc) > 1e-9 {
				t.Errorf("auc = %v, want %v", got, tt.auc)
			}
			if got := kept(tt.yes, tt.no); math.Abs(got-tt.kept) > 1e-9 {
				t.Errorf("kept = %v, want %v", got, tt.kept)
			}
		})
	}
}

func TestPercentile(t *testing.T) {
	ten := []time.Duration{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	for _, tt := range []struct {
		p    float64
		want time.Duration
	}{{0, 1}, {0.5, 5}, {0.51, 6}, {0.95, 10}, {1, 10}} {
		if got := percentile(ten, tt.p); got != tt.want {
			t.Errorf("percentile %v = %v, want %v", tt.p, got, tt.want)
		}
	}
}
