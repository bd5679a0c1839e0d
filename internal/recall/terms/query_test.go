package terms

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/index"
)

var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// weights shows the clauses of q, in their order.
func weights(q Query) []string {
	var out []string
	for _, c := range q.Clauses {
		out = append(out, fmt.Sprintf("%s %.2g", c.Term, c.Weight))
	}
	return out
}

func TestNewQuery(t *testing.T) {
	tests := []struct {
		name, prompt string
		want         []string
		significant  bool
	}{
		{"plain words", "why is checkout hanging at noon?", []string{"checkout 1", "hang 1", "noon 1"}, true},
		{"common words", "please add a test for checkout", []string{"pleas 0.5", "add 0.5", "test 0.5", "checkout 1"}, true},
		{"only common words", "yes, show it", []string{"yes 0.5", "show 0.5"}, false},
		{"common words, again", "yes yes yes", []string{"yes 1.1"}, false},
		{"only stop words", "and what is it?", nil, false},
		{"camelCase", "rename parseHeader", []string{"renam 1", "pars 0.5", "header 0.5", "parsehead 1"}, true},
		{"snake_case", "max_open_conns", []string{"max 0.5", "open 0.5", "conn 0.5", "max_open_conns 1"}, true},
		{"path", "look at deploy/rollout.sh", []string{"look 0.5", "deploy 0.5", "rollout 0.5", "sh 0.5", "rollout.sh 1", "deploy/rollout.sh 1"}, true},
		{"constant", "IMAGE_TAG is unset", []string{"imag 0.5", "tag 0.5", "image_tag 1", "unset 1"}, true},
		{"the heavier mention counts", "cache_dir and the cache", []string{"cach 1.7", "dir 0.5", "cache_dir 1"}, true},
		{"in either order", "the cache in cache_dir", []string{"cach 1.7", "dir 0.5", "cache_dir 1"}, true},
		{"forms of one word", "retry retries retried", []string{"retri 2.1"}, true},
		{"stop words of another language", "mach die Rechnung von gestern noch mal auf", []string{"mach 0.5", "rechnung 1", "gestern 0.5", "mal 0.5"}, true},
		{"English words that are such stop words", "does the man page say die?", []string{"man 1", "page 1", "say 0.5", "die 1"}, true},
		{"not a word", "?! ...", nil, false},
		{"empty", "", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := ReadWhole(tt.prompt, now)
			if diff := cmp.Diff(tt.want, weights(q)); diff != "" {
				t.Errorf("newQuery(%q) (-want +got):\n%s", tt.prompt, diff)
			}
			if q.IsSignificant() != tt.significant {
				t.Errorf("significant() = %t, want %t", q.IsSignificant(), tt.significant)
			}
		})
	}
}

// numbered makes n different words that are in no list.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "zq%dx ", i)
	}
	return b.String()
}

func TestFirstLine(t *testing.T) {
	tests := []struct {
		name, prompt string
		want         map[string]float64
	}{
		{"short prompt", "checkout hangs\n" + numbered(3), map[string]float64{"checkout": 1, "zq0x": 1}},
		{"longest short prompt", "checkout hangs\n" + numbered(LongPrompt-2), map[string]float64{"checkout": 1, "zq0x": 1}},
		{"long prompt", "checkout hangs\n" + numbered(LongPrompt-1), map[string]float64{"checkout": 2, "hang": 2, "zq0x": 1}},
		{"empty lines before", "\n \ncheckout hangs\n" + numbered(20), map[string]float64{"checkout": 2, "zq0x": 1}},
		{"common word", "please fix\n" + numbered(20), map[string]float64{"pleas": 2 * commonWeight, "fix": 2}},
		{"said again below", "checkout hangs\ncheckout " + numbered(20), map[string]float64{"checkout": 2 * (k3 + 1) * 2 / (k3 + 2)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := map[string]float64{}
			for _, c := range ReadWhole(tt.prompt, now).Clauses {
				if _, ok := tt.want[c.Term]; ok {
					got[c.Term] = c.Weight
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("weights (-want +got):\n%s", diff)
			}
		})
	}
}

// Of a very long prompt the middle goes; that it was there still counts.
func TestShorten(t *testing.T) {
	tests := []struct {
		name        string
		words, want int
		last        string
	}{
		{"short", 10, 10, "zq9x"},
		{"as long as may be", firstClauses + lastClauses, firstClauses + lastClauses, "zq199x"},
		{"one too long", firstClauses + lastClauses + 1, firstClauses + lastClauses, "zq200x"},
		{"very long", 1500, firstClauses + lastClauses, "zq1499x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := ReadWhole(numbered(tt.words), now)
			q.shorten()
			if n := len(q.Clauses); n != tt.want || q.Length != tt.words {
				t.Fatalf("%d clauses for a length of %d, want %d for %d", n, q.Length, tt.want, tt.words)
			}
			at := min(tt.words, firstClauses) - 1
			if first, last := q.Clauses[at].Term, q.Clauses[len(q.Clauses)-1].Term; first != fmt.Sprintf("zq%dx", at) || last != tt.last {
				t.Errorf("clause %d is %s, the last %s; want zq%dx and %s", at+1, first, last, at, tt.last)
			}
		})
	}
}

func TestTrim(t *testing.T) {
	q := Query{}
	var frequencies []int
	for _, c := range []struct {
		term  string
		found int
	}{{"everywhere", 900}, {"often", 200}, {"rare", 2}, {"once", 1}, {"new1", 0}, {"new2", 0}, {"new3", 0}, {"new4", 0}} {
		q.Clauses = append(q.Clauses, Clause{Term: c.term, Weight: 1})
		frequencies = append(frequencies, c.found)
	}
	seldom, never := &Synonym{terms: "seldom"}, &Synonym{terms: "never"}
	q.Clauses[1].Synonyms = []*Synonym{seldom, never}
	q.setRarities(append(frequencies, 7, 0), 1000)
	if got := q.Clauses[1].Synonyms; !slices.Equal(got, []*Synonym{seldom}) {
		t.Errorf("%d synonyms that some memory has, want seldom alone", len(got))
	}
	tests := []struct {
		n    int
		want []string
	}{
		{20, []string{"everywhere", "often", "rare", "once", "new1", "new2", "new3", "new4"}},
		{8, []string{"everywhere", "often", "rare", "once", "new1", "new2", "new3", "new4"}},
		{4, []string{"once", "rare", "often", "new1"}},
		{1, []string{"once"}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.n), func(t *testing.T) {
			trimmed := Query{Clauses: slices.Clone(q.Clauses)}
			trimmed.trimTo(tt.n)
			var got []string
			for _, c := range trimmed.Clauses {
				got = append(got, c.Term)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("trim(%d) (-want +got):\n%s", tt.n, diff)
			}
		})
	}
}

// A rarer word must be worth more, and a word that nobody has most of all.
func TestWeigh(t *testing.T) {
	q := ReadWhole("alpha beta gamma", now)
	q.setRarities([]int{0, 1, 50}, 100)
	for i := 1; i < len(q.Clauses); i++ {
		if a, b := q.Clauses[i-1], q.Clauses[i]; a.IDF <= b.IDF {
			t.Errorf("%s of %d memories is worth %v, %s of %d %v", a.Term, a.Found, a.IDF, b.Term, b.Found, b.IDF)
		}
	}
	q.setRarities([]int{1, 1, 1}, 1)
	if got := q.Clauses[0].IDF; got < 3 {
		t.Errorf("a word of the only memory has the rarity %v: it must not count as common", got)
	}
}

func TestGoalTerms(t *testing.T) {
	tests := []struct {
		prompt string
		want   bool
	}{
		{"what are our goals", true},
		{"what is on my to-do list?", true},
		{"any To-Dos left?", true},
		{"next milestone?", true},
		{"the plan for the release", true},
		{"update the roadmap", true},
		{"plain text", false},
		{"explain the pool", false},
	}
	for _, tt := range tests {
		t.Run(tt.prompt, func(t *testing.T) {
			if got := ReadWhole(tt.prompt, now).Goals; got != tt.want {
				t.Errorf("goals of %q = %t, want %t", tt.prompt, got, tt.want)
			}
		})
	}
}

// Nobody could add a word to these lists that no prompt's term ever equals.
func TestWordListsAreStems(t *testing.T) {
	for _, words := range []map[string]bool{commonStems, foreignStems, goalTerms} {
		for w := range words {
			if got := index.Analyze(w); len(got) != 1 && !slices.ContainsFunc(got, func(t index.Token) bool { return t.Text == w }) {
				t.Errorf("%s gives the terms %v, not itself", w, got)
			}
		}
	}
}
