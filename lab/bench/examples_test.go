package bench

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/recall"
)

func first(e recall.Example) float64 { return e.Features[0] }

func TestCaseMeasure(t *testing.T) {
	example := func(id string, f float64) recall.Example { return recall.Example{ID: id, Features: []float64{f}} }
	found := []recall.Example{example("x", 0.2), example("z", 0.7), example("y", 0.7)}
	tests := []struct {
		name string
		c    Case
		want Outcome
	}{
		{"equal ones by id, a relevant one not found",
			Case{Relevant: map[string]bool{"Z": true, "missing": true}, Candidates: found, Docs: []string{"X", "Z", "Y"}},
			Outcome{R5: 0.5, R10: 0.5, Hit5: 1, NDCG10: discount(2) / (1 + discount(2)), RR: 0.5, Relevance: 0.7, Docs: []string{"Y", "Z", "X"}}},
		{"no answer", Case{Candidates: found, Docs: []string{"X", "Z", "Y"}}, Outcome{Relevance: 0.7}},
		{"nothing found", Case{}, Outcome{Relevance: math.Inf(-1)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.c.Measure(first)); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	yes := []Outcome{{R5: 1, Relevance: 0.9}, {Relevance: 0.1}}
	m, bound := Summary(yes, []Outcome{{Relevance: 0.5}, {Relevance: 0.2}})
	if m.R5 != 0.5 || *m.AUC != 0.5 || *m.Kept != 0.5 || bound != 0.5 {
		t.Errorf("got R@5 %v, AUC %v, kept %v, bound %v: want 0.5 each", m.R5, *m.AUC, *m.Kept, bound)
	}
	if m, bound := Summary(yes, nil); m.AUC != nil || m.Kept != nil || !math.IsNaN(bound) {
		t.Errorf("without negatives: got AUC %v, kept %v, bound %v", m.AUC, m.Kept, bound)
	}
}
