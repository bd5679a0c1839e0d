package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/recall/prompt"
)

// weights shows the clauses of q, in their order.
func weights(q query) []string {
	var out []string
	for _, c := range q.clauses {
		out = append(out, fmt.Sprintf("%s %.2g", c.term, c.weight))
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
			q := newQuery(tt.prompt, now)
			if diff := cmp.Diff(tt.want, weights(q)); diff != "" {
				t.Errorf("newQuery(%q) (-want +got):\n%s", tt.prompt, diff)
			}
			if q.significant() != tt.significant {
				t.Errorf("significant() = %t, want %t", q.significant(), tt.significant)
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
		{"longest short prompt", "checkout hangs\n" + numbered(longPrompt-2), map[string]float64{"checkout": 1, "zq0x": 1}},
		{"long prompt", "checkout hangs\n" + numbered(longPrompt-1), map[string]float64{"checkout": 2, "hang": 2, "zq0x": 1}},
		{"empty lines before", "\n \ncheckout hangs\n" + numbered(20), map[string]float64{"checkout": 2, "zq0x": 1}},
		{"common word", "please fix\n" + numbered(20), map[string]float64{"pleas": 2 * commonWeight, "fix": 2}},
		{"said again below", "checkout hangs\ncheckout " + numbered(20), map[string]float64{"checkout": 2 * (k3 + 1) * 2 / (k3 + 2)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := map[string]float64{}
			for _, c := range newQuery(tt.prompt, now).clauses {
				if _, ok := tt.want[c.term]; ok {
					got[c.term] = c.weight
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
			q := newQuery(numbered(tt.words), now)
			q.shorten()
			if n := len(q.clauses); n != tt.want || q.length != tt.words {
				t.Fatalf("%d clauses for a length of %d, want %d for %d", n, q.length, tt.want, tt.words)
			}
			at := min(tt.words, firstClauses) - 1
			if first, last := q.clauses[at].term, q.clauses[len(q.clauses)-1].term; first != fmt.Sprintf("zq%dx", at) || last != tt.last {
				t.Errorf("clause %d is %s, the last %s; want zq%dx and %s", at+1, first, last, at, tt.last)
			}
		})
	}
}

func TestTrim(t *testing.T) {
	q := query{}
	var frequencies []int
	for _, c := range []struct {
		term  string
		found int
	}{{"everywhere", 900}, {"often", 200}, {"rare", 2}, {"once", 1}, {"new1", 0}, {"new2", 0}, {"new3", 0}, {"new4", 0}} {
		q.clauses = append(q.clauses, clause{term: c.term, weight: 1})
		frequencies = append(frequencies, c.found)
	}
	seldom, never := &synonym{terms: "seldom"}, &synonym{terms: "never"}
	q.clauses[1].synonyms = []*synonym{seldom, never}
	q.weigh(append(frequencies, 7, 0), 1000)
	if got := q.clauses[1].synonyms; !slices.Equal(got, []*synonym{seldom}) {
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
			trimmed := query{clauses: slices.Clone(q.clauses)}
			trimmed.trim(tt.n)
			var got []string
			for _, c := range trimmed.clauses {
				got = append(got, c.term)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("trim(%d) (-want +got):\n%s", tt.n, diff)
			}
		})
	}
}

// A rarer word must be worth more, and a word that nobody has most of all.
func TestWeigh(t *testing.T) {
	q := newQuery("alpha beta gamma", now)
	q.weigh([]int{0, 1, 50}, 100)
	for i := 1; i < len(q.clauses); i++ {
		if a, b := q.clauses[i-1], q.clauses[i]; a.idf <= b.idf {
			t.Errorf("%s of %d memories is worth %v, %s of %d %v", a.term, a.found, a.idf, b.term, b.found, b.idf)
		}
	}
	q.weigh([]int{1, 1, 1}, 1)
	if got := q.clauses[0].idf; got < 3 {
		t.Errorf("a word of the only memory has the rarity %v: it must not count as common", got)
	}
}

func TestSynonyms(t *testing.T) {
	r := open(t,
		inbox("note-deploy", "The nightly deploy", "Tuesday."),
		inbox("note-ci", "The nightly pipeline", "Wednesday."),
		inbox("note-rollout", "The nightly rollout", "Thursday."),
	)
	tests := []struct {
		name, prompt string
		want         map[string]string // ids and the last of the words by which they were met
	}{
		{"from the left of a line", "nightly deployment pipeline", map[string]string{"note-deploy": "deploy", "note-ci": "pipelin", "note-rollout": "deploy"}},
		{"from its right", "the rollout", map[string]string{"note-rollout": "rollout", "note-deploy": "rollout"}},
		{"in another form", "deploying", map[string]string{"note-deploy": "deploy", "note-ci": "deploy", "note-rollout": "deploy"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := map[string]string{}
			for _, c := range recall(t, r, ask(t, tt.prompt)).Explanation.Candidates {
				got[c.ID] = c.Matched[len(c.Matched)-1]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("candidates (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSynonymsCountLess(t *testing.T) {
	r := open(t, inbox("note-deploy", "The deploy", "On Tuesday."), inbox("note-ship", "The rollout", "On Tuesday."))
	res := recall(t, r, ask(t, "deploy"))
	word, synonym := found(t, res, "note-deploy").Relevance, found(t, res, "note-ship").Relevance
	if odds := func(p float64) float64 { return p / (1 - p) }; synonym <= 0 || odds(synonym) >= odds(word)/2 {
		t.Errorf("the synonym has the relevance %v, the word itself %v; want less than half of its odds", synonym, word)
	}
	req := ask(t, "deploy")
	req.Settings.Recall.SynonymWeight = 0
	if n := len(recall(t, r, req).Explanation.Candidates); n != 1 {
		t.Errorf("%d candidates with synonyms off, want 1", n)
	}
}

// A long prompt has words enough of its own.
func TestNoSynonymsForLongPrompts(t *testing.T) {
	r := open(t, inbox("note-ship", "The rollout", "On Tuesday."))
	for _, tt := range []struct{ words, want int }{{longPrompt - 1, 1}, {longPrompt, 0}} {
		if n := len(recall(t, r, ask(t, "deploy "+numbered(tt.words))).Explanation.Candidates); n != tt.want {
			t.Errorf("%d candidates by a synonym beside %d other words, want %d", n, tt.words, tt.want)
		}
	}
}

// Settings that were read again bring other synonyms.
func TestSynonymsReload(t *testing.T) {
	r := open(t, inbox("note-ship", "The rollout", "On Tuesday."))
	req := ask(t, "deploy")
	if n := len(recall(t, r, req).Explanation.Candidates); n != 1 {
		t.Fatalf("%d candidates by the shipped synonyms, want 1", n)
	}
	own, err := config.ParseSynonyms("synonyms.toml", "deploy = []")
	if err != nil {
		t.Fatal(err)
	}
	req.Settings.Synonyms = &own
	if n := len(recall(t, r, req).Explanation.Candidates); n != 0 {
		t.Errorf("%d candidates by synonyms that were taken out, want none", n)
	}
}

// A prompt that says nothing itself goes on with the one before.
func TestLastPrompt(t *testing.T) {
	r := open(t, inbox("note-pool", "Connection pool exhausted", "Rows were not closed."))
	whole := found(t, recall(t, r, ask(t, "the exhausted connection pool")), "note-pool").Relevance
	tests := []struct {
		name, prompt, last string
		want               float64
	}{
		{"half of the last prompt", "yes", "the exhausted connection pool", whole / 2},
		{"also for stop words", "and then?", "the exhausted connection pool", whole / 2},
		{"own words count alone", "the exhausted connection pool", "flaky test", whole},
		{"the last one says nothing either", "yes", "go on", 0},
		{"there was none", "yes", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, tt.prompt)
			req.LastPrompt = tt.last
			res := recall(t, r, req)
			if skipped := res.Explanation.Skipped != ""; skipped != (tt.want == 0) {
				t.Fatalf("skipped: %q", res.Explanation.Skipped)
			}
			if tt.want == 0 {
				return
			}
			if got := found(t, res, "note-pool").Relevance; got < tt.want-1e-12 || got > tt.want+1e-12 {
				t.Errorf("relevance %v, want %v", got, tt.want)
			}
		})
	}
}

// Only the beginning and the end of a prompt are read, whatever its size, and nothing in
// it can do harm.
func TestHugePrompts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	r := open(t, inbox("note-pool", "Connection pool exhausted", "Rows were not closed."))
	rubbish := make([]byte, 1<<20)
	rng := rand.NewChaCha8([32]byte{1})
	if _, err := rng.Read(rubbish); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, prompt string
	}{
		{"words", "connection pool exhausted\n" + numbered(150_000)},
		{"binary", string(rubbish)},
		{"one word", strings.Repeat("a", 1<<20)},
		{"one identifier", strings.Repeat("aB_c/", 1<<18)},
		{"angle brackets", strings.Repeat("<", 1<<20)},
		{"lines", strings.Repeat("\n", 1<<20)},
		{"emoji", strings.Repeat("👩‍💻", 1<<16)},
		{"no spaces between words", strings.Repeat("日本語の文", 1<<16)},
		{"accents upon accents", "e" + strings.Repeat("\u0301", 1<<18)},
		{"zero bytes", strings.Repeat("\x00", 1<<20)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, tt.prompt)
			res := recall(t, r, req)
			if n := len(res.Explanation.Terms); n > req.Settings.Recall.Terms {
				t.Errorf("%d terms were looked for, want %d at most", n, req.Settings.Recall.Terms)
			}
			if n := len(res.Explanation.Prompt); n > 500 {
				t.Errorf("the explanation repeats %d bytes of the prompt", n)
			}
			part := newQuery(memory.ClipMiddle(tt.prompt, prompt.MaxBytes), now)
			if diff := cmp.Diff(weights(part), weights(newQuery(tt.prompt, now))); diff != "" {
				t.Errorf("more than the beginning and the end was read:\n%s", diff)
			}
		})
	}
	if res := recall(t, r, ask(t, tests[0].prompt)); len(res.Injected) != 1 {
		t.Errorf("%d memories injected for a huge prompt whose first line is plain, want 1:\n%+v", len(res.Injected), res.Explanation.Candidates)
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
			if got := newQuery(tt.prompt, now).goals; got != tt.want {
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
