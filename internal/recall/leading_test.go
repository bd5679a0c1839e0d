package recall

import (
	"fmt"
	"strings"
	"testing"

	"recollect/internal/index/vectors"
	"recollect/internal/memory"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/request"
	"recollect/internal/recall/terms"
	"recollect/internal/store"
)

// A session that leads is injected although it is less relevant than its source requires; a memory
// that is merely the best of many alike is not.
func TestLeadingSession(t *testing.T) {
	var ms []memory.Memory
	for i, text := range []string{
		"The ledger export writes amounts with a comma and the bank rejects the file.", "Login tokens expire after a day.", "The search index is rebuilt at night.",
		"Photos are scaled to 800 pixels.", "The footer shows the version.", "Mails are sent through a queue.", "The map is cached for a week.", "Orders are archived each spring.",
	} {
		m := inbox(fmt.Sprintf("ep-%d", i), text, "")
		m.Source, m.Session, m.Turn = memory.Episodes, fmt.Sprint("s", i), fmt.Sprint("t", i)
		ms = append(ms, m)
	}
	r := openMeaning(t, ms...)
	tests := []struct {
		name, prompt, want string
	}{
		{"in other words", "our customers complain since monday: transfers bounce, treasury says the bank does not accept what we upload, the amounts column of the export looks odd to them", "comma"},
		{"nothing about it", "please write a limerick about a hedgehog that plays the trombone in a village band", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := r.Recall(t.Context(), ask(t, tt.prompt))
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && res.Context != "" || !strings.Contains(res.Context, tt.want) {
				t.Errorf("context %q, want %q in it", res.Context, tt.want)
			}
		})
	}
}

// Nothing leads where nothing is found.
func TestLeadingNeedsCandidate(t *testing.T) {
	c := &candidates{query: query{req: &request.Request{}, share: 1}, meaning: meaning{from: &vectors.Retriever{}}}
	if leading, err := (&Recall{}).findLeading(c, nil); err != nil || leading != nil {
		t.Errorf("%v leads, %v", leading, err)
	}
}

// A session that has more of the prompt in all its turns than any other leads, however little each
// of them has; one that has as much as another, or one turn that says nothing, does not.
func TestLeads(t *testing.T) {
	turn := func(session string, relevant float64, met ...float64) *candidate {
		return &candidate{made: store.Where{Session: session}, relevance: relevant, Evidence: relevance.Evidence{Met: met}}
	}
	tests := []struct {
		name  string
		found []*candidate
		with  string
		want  bool
	}{
		{"many turns with a word each", []*candidate{turn("a", 0.05, 1, 0, 0, 0), turn("a", 0.03, 0, 1, 0, 0), turn("a", 0.03, 0, 0, 1, 0), turn("b", 0.04, 0, 0, 0, 0)}, "", true},
		{"another has as many", []*candidate{turn("a", 0.05, 1, 0, 0, 0), turn("a", 0.03, 0, 1, 1, 0), turn("b", 0.04, 1, 1, 0, 0)}, "", false},
		{"two on one subject", []*candidate{turn("a", 0.05, 1, 0, 0, 0), turn("a", 0.03, 0, 1, 0, 0), turn("b", 0.04, 0, 1, 1, 0)}, "b", true},
		{"irrelevant", []*candidate{turn("a", 0.01, 1, 1, 1, 0), turn("b", 0.01, 0, 0, 0, 0)}, "", false},
		{"no session", []*candidate{turn("", 0.05, 1, 1, 1, 0), turn("b", 0.04, 0, 0, 0, 0)}, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := &terms.Query{Clauses: []terms.Clause{{Term: "valve", Weight: 1, IDF: 1}, {Term: "pump", Weight: 1, IDF: 1}, {Term: "frost", Weight: 1, IDF: 1}, {Term: "bed", Weight: 1, IDF: 1}}}
			r := &candidates{scorer: scorer{relevance.NewScorer(q, 0, nil, nil)}}
			if got := r.isAhead(tt.found, tt.found[0], tt.with); got != tt.want {
				t.Errorf("isAhead = %v, want %v (by %.2f words)", got, tt.want, r.leadOf(tt.found, tt.found[0].sessionOrSelf(), tt.with))
			}
		})
	}
}
