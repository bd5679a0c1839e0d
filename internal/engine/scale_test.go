package engine

import (
	"fmt"
	"math"
	"testing"

	"recollect/internal/api"
	"recollect/internal/recall/block"
)

// scalePrompts are of each kind that is read in a way of its own.
var scalePrompts = []string{
	"how many connections has the database pool?",
	"pool",
	"what did we decide about the database pool?",
	"yes, go on",
	"why has the database pool no shard 7?\n```\nError: no connection left\n    at acquire (pool.js:12:3)\n```",
}

// Relevance is the same number for a prompt, its explanation, a search, and both as Claude and the page ask for
// them; and what is injected costs the same, whoever counts it.
func TestOneScale(t *testing.T) {
	r := start(t, newHome(t))
	notes := []string{"the database pool has 40 connections", "we decided that the database pool is one for all services"}
	for i := range 40 { // more than are looked at closely
		notes = append(notes, fmt.Sprintf("connection %d of the database pool goes to shard %d", i, i))
	}
	r.remember(notes...)
	r.search("pool")
	said := 0
	for i, text := range scalePrompts {
		in := api.Prompt{Prompt: text, Cwd: "/home/dev/src/app"}
		explained := r.explain(in)
		in.Settings = "[recall]\nmin_worth = 0\n[sources]\nmin_relevance = 0.6\n" // as memory_recall asks
		asked := r.explain(in)
		in.Settings, in.SessionID = "", fmt.Sprint("s", i)
		found, err := r.Search(t.Context(), api.Search{Query: text, Cwd: in.Cwd, Limit: 50, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		injected, err := r.Recollect(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		results, hook := map[string]float64{}, map[string]float64{}
		for _, f := range found.Results {
			results[f.Memory.ID] = f.Relevance
		}
		for _, b := range injected.Injected {
			hook[b.ID] = b.Relevance
		}
		want := relevanceOf(explained)
		for path, got := range map[string]map[string]float64{"memory_recall": relevanceOf(asked), "search": results, "page": relevanceOf(*found.Explanation), "hook": hook} {
			for id, relevance := range got {
				if of, known := want[id]; known && math.Abs(relevance-of) > 1e-9 {
					t.Errorf("%q: %s has relevance %v by %s, %v by explain", text, id, relevance, path, of)
				}
			}
		}
		r.costsTheSame(in.SessionID, explained, injected)
		said += len(injected.Injected)
	}
	if said == 0 {
		t.Error("nothing was injected")
	}
}

// costsTheSame compares what the memories of one prompt cost, by all who count it.
func (r *running) costsTheSame(session string, explained api.Explanation, injected api.Recollection) {
	r.t.Helper()
	last, err := r.Recalls(r.t.Context(), api.AskRecalls{Session: session})
	if err != nil || len(last.Recalls) != 1 {
		r.t.Fatalf("%+v, %v", last, err)
	}
	var use api.SessionUse
	r.until("what was injected is recorded", func() bool {
		use, _ = r.History.Session(r.t.Context(), session)
		return use.Injected == len(injected.Injected)
	})
	sum := 0
	for _, b := range injected.Injected {
		sum += b.Tokens
	}
	want := block.Tokens(injected.Context)
	got := map[string]int{"explain": explained.Tokens, "reply": sum, "statusline": last.Recalls[0].Tokens, "stats": use.Tokens}
	for by, tokens := range got {
		if tokens != want {
			r.t.Errorf("session %s: %d tokens by %s, want %d", session, tokens, by, want)
		}
	}
}

func (r *running) explain(in api.Prompt) api.Explanation {
	r.t.Helper()
	e, err := r.Explain(r.t.Context(), in)
	if err != nil {
		r.t.Fatal(err)
	}
	return e
}

func relevanceOf(e api.Explanation) map[string]float64 {
	out := map[string]float64{}
	for _, c := range e.Candidates {
		out[c.ID] = c.Relevance
	}
	return out
}
