package recall

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/relevance"
)

// logitOf adds up the parts of a relevance.
func logitOf(parts []api.Factor) float64 {
	z := 0.0
	for _, p := range parts {
		z += p.Value * p.Weight
	}
	return z
}

// A relevance is what its parts say, for a prompt of its own words and for one
// that takes those of the prompt before.
func TestPartsSumUpToRelevance(t *testing.T) {
	r := open(t,
		inbox("note-pool", "Connection pool exhausted", "HasOpenOrders did not close its rows."),
		inbox("note-cors", "CORS with cookies", "A wildcard origin is refused by the pool of browsers."),
	)
	tests := []struct {
		name, prompt string
		share        float64
	}{
		{"its own words", "why is the connection pool exhausted?", 1},
		{"words of the prompt before", "and why is that?", 0.5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, tt.prompt)
			req.LastPrompt = "the connection pool is exhausted"
			e := recall(t, r, req).Explanation
			if e.Share != tt.share {
				t.Errorf("share %v, want %v", e.Share, tt.share)
			}
			if len(e.Candidates) != 2 {
				t.Fatalf("%d candidates, want 2", len(e.Candidates))
			}
			for _, c := range e.Candidates {
				if got := e.Share * relevance.Probability(logitOf(c.Parts)); math.Abs(got-c.Relevance) > 1e-12 {
					t.Errorf("%s: the parts give %v, its relevance is %v: %+v", c.ID, got, c.Relevance, c.Parts)
				}
			}
		})
	}
}

// What was looked for is injected beside what was found.
func TestExplanationOfLegs(t *testing.T) {
	r := open(t,
		inbox("note-a", "Connection pool exhausted", "The connection pool ran dry."),
		inbox("note-b", "A pool of cars", "Nobody drives."),
	)
	e := recall(t, r, ask(t, "where were we yesterday with the connection pool?")).Explanation
	retrievers := []api.Retriever{
		{Name: "bm25", State: "ready", Found: 2},
		{Name: "vector", State: "not in use"},
	}
	if diff := cmp.Diff(retrievers, e.Retrievers); diff != "" {
		t.Errorf("retrievers (-want +got):\n%s", diff)
	}
	today := now.Truncate(24 * time.Hour)
	if diff := cmp.Diff([]api.Window{{From: today.Add(-day), To: today}}, e.Times); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
	if !e.Latest {
		t.Error("that the latest is asked for is not injected")
	}
	if !slices.Contains(e.Pairs, "connect pool") {
		t.Errorf("pairs %q lack %q", e.Pairs, "connect pool")
	}
	for i, c := range e.Candidates {
		if c.BM25Rank != i+1 || c.BM25 <= 0 || c.VectorRank != 0 || c.Embedded {
			t.Errorf("%s: bm25 %d with %v, vector %d, embedded %v; want bm25 %d alone", c.ID, c.BM25Rank, c.BM25, c.VectorRank, c.Embedded, i+1)
		}
	}
}

// A search tells why each candidate is among the results, or not.
func TestExplainSearch(t *testing.T) {
	fresh := inbox("note-fresh", "Connection pool holds 40", "")
	fresh.Supersedes = []string{"note-stale"}
	goal := inbox("goal-pool", "Measure the connection pool", "")
	goal.Source = memory.Goals
	r := open(t, inbox("note-stale", "Connection pool holds 20", ""), fresh, goal, inbox("note-cars", "A pool of cars", "Nobody drives."))
	req := ask(t, "connection pool")
	req.Filter.Source = memory.Inbox
	results, e, err := r.ExplainSearch(t.Context(), req, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 1 || results[0].Memory.ID != "note-fresh" {
		t.Errorf("results %+v, want note-fresh alone", results)
	}
	got := map[string]string{}
	for _, c := range e.Candidates {
		got[c.ID] = c.Outcome
	}
	want := map[string]string{
		"note-fresh": "found",
		"note-stale": "superseded by note-fresh",
		"goal-pool":  "filtered out",
		"note-cars":  "not among the first 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func TestAge(t *testing.T) {
	tests := []struct {
		in   time.Duration
		want string
	}{
		{-5 * time.Hour, "0m"}, {0, "0m"}, {59 * time.Minute, "59m"}, {time.Hour, "1h"}, {day - time.Minute, "23h"}, {day, "1d"}, {365 * day, "365d"},
	}
	for _, tt := range tests {
		t.Run(tt.in.String(), func(t *testing.T) {
			if got := ageText(tt.in); got != tt.want {
				t.Errorf("age(%s) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}
