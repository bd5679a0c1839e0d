package recall

import (
	"fmt"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// A session that stands out is injected although it is less relevant than its source
// requires; a memory that is merely the best of many alike is not.
func TestOutstandingSession(t *testing.T) {
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

// Nothing stands out where there is nothing else to compare with or no vector.
func TestOutstandingNeedsMeaning(t *testing.T) {
	one := &candidate{memory: memory.Memory{Session: "a"}, relevance: 0.4}
	for name, r := range map[string]*retrieval{
		"no candidate": {share: 1, scorer: scorer{q: &query{}}},
		"no vectors":   {share: 1, scorer: scorer{q: &query{}}, found: []*candidate{one}},
	} {
		if got := r.outstandingSession(); got != nil {
			t.Errorf("%s: %v stands out", name, got)
		}
	}
}
