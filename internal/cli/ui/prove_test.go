package ui

import (
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/proof"
)

// The page has the counts of the last report with their examples, and what it cannot tell; without one it says how to
// make one, as the first page does on the first day.
func TestProof(t *testing.T) {
	s := newSite(t).enter()
	for _, path := range []string{"/prove", "/"} {
		wants(t, s.get(path), "<code>recollect prove</code> in a terminal", "only reads")
	}
	r := proof.NewReport()
	r.Sessions, r.Projects, r.Prompts, r.SaidAt, r.Begun, r.Ended, r.Took, r.Untimed, r.Unreadable = 12, 2, 80, 9, noon, noon, 40, 1, 1
	knew := proof.Finding{Kind: proof.Failure, Project: "kiln", Session: "a", What: "kiln fire --fast", Said: "without --fast it passed <once>", Match: proof.Strict, Known: proof.Strict, At: noon, Before: noon.AddDate(0, 0, -3), Seconds: 120}
	missed := proof.Finding{Kind: proof.Failure, Project: "kiln", Session: "b", What: "kiln cool", Answer: "kiln cool --slow", Match: proof.Loose, At: noon}
	r.Findings = []proof.Finding{knew, missed}
	r.Kinds[proof.Failure] = proof.Tally{Again: proof.Range{Low: 1, High: 2}, Known: proof.Range{Low: 1, High: 1}, Spent: proof.Spent{Low: 120, High: 120}}
	if err := proof.Save(s.client.Home, r, noon); err != nil {
		t.Fatal(err)
	}
	wants(t, s.get("/"), "In 12 past sessions, <b>1 to 2</b> failures", "<b>1</b> would have been known", "/prove\">the proof")
	page := s.get("/prove")
	wants(t, page, "12 sessions in 2 projects", "1 to 2 commands that failed as they had failed before", "<b>1</b> would have been known", "<b>1 to 2</b> came up again",
		"without --fast it passed &lt;once&gt;", "Known before: kiln cool --slow", "This command failed", "would not have been known, probably", "took 2 minutes", "something at 9 of 80 prompts",
		"What this cannot tell", "1 file could not be read", "do not show how long")
	if strings.Count(page, "kiln fire --fast") != 2 || strings.Count(page, "<details") != 2 {
		t.Errorf("what was known is shown %d times, in %d parts", strings.Count(page, "kiln fire --fast"), strings.Count(page, "<details"))
	}
	if _, err := s.client.ForgetAll(t.Context(), api.Forget{Matching: "without --fast"}); err != nil {
		t.Fatal(err)
	}
	page = s.get("/prove")
	if wants(t, page, "kiln cool --slow"); strings.Contains(page, "without --fast") {
		t.Error("what was forgotten is shown")
	}
}
