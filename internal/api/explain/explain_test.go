package explain

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
)

func TestOutcome(t *testing.T) {
	tests := []struct{ outcome, want string }{
		{api.OutcomeInjected, "injected"},
		{api.OutcomeHeading, "injected as a heading"},
		{api.OutcomeBrief, "injected in the brief of its session"},
		{api.OutcomeFound, "found"},
		{api.OutcomeTooLow + " 0.45", "held back: relevance too low"},
		{api.OutcomeAlready, "held back: already injected in this session"},
		{api.OutcomeNotBefore, "held back: was not injected before the compaction"},
		{api.OutcomeSuperseded + " dec-000000000000", "held back: superseded"},
		{"goal is done", "held back: goal is done"},
	}
	for _, tt := range tests {
		t.Run(tt.outcome, func(t *testing.T) {
			if got := Outcome(api.Candidate{Outcome: tt.outcome}); got != tt.want {
				t.Errorf("Outcome(%q) = %q, want %q", tt.outcome, got, tt.want)
			}
		})
	}
}

func TestWhyNothing(t *testing.T) {
	low := api.Candidate{ID: "dec-1", Relevance: 0.25, Required: 0.45, Outcome: api.OutcomeTooLow + " 0.45"}
	done := api.Candidate{ID: "goal-1", Relevance: 0.75, Required: 0.45, Outcome: "goal is done"}
	tests := []struct {
		name string
		e    api.Explanation
		want string
	}{
		{"skipped", api.Explanation{Skipped: "the prompt has no word to look for"}, "the prompt has no word to look for"},
		{"no candidates", api.Explanation{}, "no memory has anything in common with the prompt"},
		{"given before", api.Explanation{Candidates: []api.Candidate{done}, Session: &api.SessionState{Injected: []string{"goal-1"}}},
			"the most relevant memory, goal-1, was held back: goal is done; this session was given something of goal-1 before"},
		{"none was read", api.Explanation{Worth: &api.Worth{Value: 0.2, Required: 0.55, Parts: []api.Factor{{}}}}, "the prompt needs something of earlier sessions with a probability of 0.20, and 0.55 is required; " +
			"it shares no word with a memory that was not said in this session"},
		{"none is near", api.Explanation{Worth: &api.Worth{Value: 0.6, Required: 0.55, Parts: []api.Factor{{}}}}, "no memory is relevant enough"},
		{"nothing past", api.Explanation{Past: "what was done"}, "the prompt asks about past work (what was done), of which nothing is known"},
		{"nothing else past", api.Explanation{Past: "what was done", Session: &api.SessionState{Injected: []string{"hand-1"}}},
			"the prompt asks about past work (what was done), of which nothing is known but what this session was given before"},
		{"too low", api.Explanation{Candidates: []api.Candidate{low}}, "no memory is relevant enough; the most relevant has relevance 0.25 and needs 0.45"},
		{"held back", api.Explanation{Candidates: []api.Candidate{low, done}}, "the most relevant memory, goal-1, was held back: goal is done"},
	}
	worth := &api.Worth{Value: 0.2, Required: 0.55}
	tests = append(tests, struct {
		name string
		e    api.Explanation
		want string
	}{"not worth it", api.Explanation{Worth: worth, Candidates: []api.Candidate{low, {Relevance: 0.9, Outcome: api.OutcomeNotNeeded}}}, "the prompt needs something of earlier sessions with a probability of 0.20, and 0.55 is required; " +
		"it shares no word with a memory that was not said in this session"})
	learned := &api.Worth{Value: 0.58, Required: 0.6, Shared: []string{"kiln"}, Learned: &api.Habits{Injected: 60, Used: 4, Useful: 1, Wrong: 3, Worth: -0.123}}
	tests = append(tests, struct {
		name string
		e    api.Explanation
		want string
	}{"learned", api.Explanation{Worth: learned, Candidates: []api.Candidate{{Relevance: 0.9, Outcome: api.OutcomeNotNeeded}}}, "the prompt needs something of earlier sessions with a probability of 0.58, and 0.60 is required; " +
		"it shares kiln with a memory, not said in this session; what you made use of before: 4 of 60, 1 marked useful and 3 wrong, so less is injected (-0.12)"})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := WhyNothing(tt.e); got != tt.want {
				t.Errorf("WhyNothing() = %q, want %q", got, tt.want)
			}
		})
	}
}

// What a sub-agent was asked is no prompt of the user, and a prompt that was repeated is one.
func TestPrompts(t *testing.T) {
	episodes := []api.Shown{
		{Memory: memory.Memory{Source: memory.Episodes, Title: "why?", Session: "s2", ProjectPath: "/x"}},
		{Memory: memory.Memory{Source: memory.Episodes, Title: "look it up", Agent: "Explore"}},
		{Memory: memory.Memory{Source: memory.Episodes, Title: "Answered", Evidence: "how?", Session: "s1"}},
		{Memory: memory.Memory{Source: memory.Episodes, Title: "why?", Session: "s1"}},
		{Memory: memory.Memory{Source: memory.Journal, Title: "decided"}},
		{Memory: memory.Memory{Source: memory.Episodes, Title: "too many"}},
	}
	want := []Prompt{{"why?", "s2", "/x"}, {"how?", "s1", ""}}
	if diff := cmp.Diff(want, Prompts(episodes, 2)); diff != "" {
		t.Errorf("Prompts() (-want +got):\n%s", diff)
	}
}

// Whoever shows an explanation says the same of what is missing in it.
func TestLacks(t *testing.T) {
	e := api.Explanation{Index: "indexing, 3 of 7", Retrievers: []api.Retriever{
		{Name: "bm25", State: api.RetrieverReady}, {Name: "vector", State: "no answer in 100ms"}, {Name: "other", State: api.RetrieverUnused},
	}}
	want := []Lack{{"index", "indexing, 3 of 7: results are incomplete"}, {"vector", "no answer in 100ms: results are incomplete"}}
	if diff := cmp.Diff(want, Lacks(e)); diff != "" {
		t.Errorf("Lacks() (-want +got):\n%s", diff)
	}
	if got := Lacks(api.Explanation{Index: api.IndexReady}); got != nil {
		t.Errorf("Lacks() of a whole one = %v", got)
	}
}

// What adds next to nothing is left out, but the bias is not.
func TestParts(t *testing.T) {
	c := api.Candidate{Parts: []api.Factor{{Name: "words", Value: 2, Weight: 1.5}, {Name: "names", Value: 0.1, Weight: -0.2}, {Name: "bias", Value: 1, Weight: -0.01}}}
	if diff := cmp.Diff([]Part{{"words", 3}, {"bias", -0.01}}, Parts(c)); diff != "" {
		t.Errorf("Parts() (-want +got):\n%s", diff)
	}
}

func TestRelevance(t *testing.T) {
	for want, c := range map[string]api.Candidate{
		"relevance 0.25": {Relevance: 0.25},
		"relevance 0.25, needs 0.45, bears on: push": {Relevance: 0.25, Required: 0.45, Bears: "push"},
	} {
		if got := Relevance(c); got != want {
			t.Errorf("Relevance() = %q, want %q", got, want)
		}
	}
}
