package main

import (
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
)

func TestOutcomeText(t *testing.T) {
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
			if got := outcomeText(api.Candidate{Outcome: tt.outcome}); got != tt.want {
				t.Errorf("outcomeText(%q) = %q, want %q", tt.outcome, got, tt.want)
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
		{"too low", api.Explanation{Candidates: []api.Candidate{low}}, "no memory is relevant enough; the most relevant has relevance 0.25 and needs 0.45"},
		{"held back", api.Explanation{Candidates: []api.Candidate{low, done}}, "the most relevant memory, goal-1, was held back: goal is done"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := whyNothing(tt.e); got != tt.want {
				t.Errorf("whyNothing() = %q, want %q", got, tt.want)
			}
		})
	}
}

// Whatever a title holds, a candidate is one line of a terminal.
func TestCandidateLines(t *testing.T) {
	candidates := []api.Candidate{
		{ID: "dec-000000000001", Source: memory.Journal, Title: "short", Relevance: 1, Required: 0.45, Outcome: api.OutcomeInjected},
		{ID: "note-000000000002", Source: memory.Inbox, Title: "\x1b[2J\u202e" + strings.Repeat("größer ", 40) + "\nsecond", Outcome: "goal is done"},
	}
	lines := texts(candidateLines(candidates, explainColumns))
	if got, want := lines[0], " 1  relevance 1.00, needs 0.45  injected                 [decision] short  "; !strings.HasPrefix(got, want) {
		t.Errorf("line 1 is %q, want it to begin with %q", got, want)
	}
	for _, line := range lines {
		if n := cli.Columns(line); n > explainColumns || strings.ContainsAny(line, "\x1b\u202e\n") {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	for _, width := range []int{40, 80, 100} {
		for _, two := range texts(candidateLines(candidates, width)) {
			for line := range strings.SplitSeq(two, "\n") {
				if n := cli.Columns(line); n > width {
					t.Errorf("%d columns, not %d: %q", n, width, line)
				}
			}
		}
	}
}

// texts returns lines without their styles.
func texts(lines [][]cli.Span) (out []string) {
	for _, line := range lines {
		var b strings.Builder
		cli.Print(&b, line...)
		out = append(out, b.String())
	}
	return out
}
