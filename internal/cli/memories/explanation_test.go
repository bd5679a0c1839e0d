package memories

import (
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
)

// Whatever a title holds, a candidate is one line of a terminal.
func TestCandidateLines(t *testing.T) {
	candidates := []api.Candidate{
		{ID: "dec-000000000001", Source: memory.Journal, Title: "short", Relevance: 1, Required: 0.45, Outcome: api.OutcomeInjected},
		{ID: "note-000000000002", Source: memory.Inbox, Title: "\x1b[2J\u202e" + strings.Repeat("größer ", 40) + "\nsecond", Outcome: "goal is done"},
	}
	lines := textsOf(candidateLines(candidates, explainColumns))
	if got, want := lines[0], " 1  relevance 1.00, needs 0.45  injected                 [decision] short  "; !strings.HasPrefix(got, want) {
		t.Errorf("line 1 is %q, want it to begin with %q", got, want)
	}
	for _, line := range lines {
		if n := cli.Columns(line); n > explainColumns || strings.ContainsAny(line, "\x1b\u202e\n") {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	for _, width := range []int{40, 80, 100} {
		for _, two := range textsOf(candidateLines(candidates, width)) {
			for line := range strings.SplitSeq(two, "\n") {
				if n := cli.Columns(line); n > width {
					t.Errorf("%d columns, not %d: %q", n, width, line)
				}
			}
		}
	}
}

// textsOf returns lines without their styles.
func textsOf(lines [][]cli.Span) (out []string) {
	for _, line := range lines {
		var b strings.Builder
		cli.Print(&b, line...)
		out = append(out, b.String())
	}
	return out
}
