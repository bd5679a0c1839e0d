package recall

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall/prompt"
	"recollect/internal/recall/terms"
)

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
	for _, tt := range []struct{ words, want int }{{terms.LongPrompt - 1, 1}, {terms.LongPrompt, 0}} {
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
			if n := len(res.Explanation.Terms); n > 32 {
				t.Errorf("%d terms were looked for, want 32 at most", n)
			}
			if n := len(res.Explanation.Prompt); n > 500 {
				t.Errorf("the explanation repeats %d bytes of the prompt", n)
			}
			part := terms.ReadWhole(memory.ClipMiddle(tt.prompt, prompt.MaxBytes), now)
			if diff := cmp.Diff(part.Clauses, terms.ReadWhole(tt.prompt, now).Clauses, cmpopts.IgnoreUnexported(terms.Clause{})); diff != "" {
				t.Errorf("more than the beginning and the end was read:\n%s", diff)
			}
		})
	}
	if res := recall(t, r, ask(t, tests[0].prompt)); len(res.Injected) != 1 {
		t.Errorf("%d memories injected for a huge prompt whose first line is plain, want 1:\n%+v", len(res.Injected), res.Explanation.Candidates)
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
