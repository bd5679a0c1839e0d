package sentence

import (
	"math"
	"strings"
	"testing"
)

// Minimal pairs: what lasts, and nearly the same words that do not.
func TestRead(t *testing.T) {
	for _, tt := range []struct{ lasts, passes string }{
		{"no mocks in tests", "no mocks left in that test now"},
		{"always run the linter before you commit", "run the linter before you commit this"},
		{"we decided to keep the pool at 25 because postgres allows 100", "should we keep the pool at 25?"},
		{"never use npm here, use pnpm", "npm fails here with an error"},
		{"we're going with sqlite", "going through the sqlite tests now"},
		{"I prefer short answers", "what does the short form print?"},
	} {
		lasts, passes := New(tt.lasts).Scores(""), New(tt.passes).Scores("")
		if lasts.Lasting() < 0.5 || passes.Lasting() > 0.5 {
			t.Errorf("%q %.2f, %q %.2f", tt.lasts, lasts.Lasting(), tt.passes, passes.Lasting())
		}
	}
	for text, want := range map[string]Kind{
		"rename the variable": Order, "can you explain how the cache works?": Question, "still getting a 404": Report, "yes please go ahead": GoAhead,
		"maybe we could use a queue at some point": Idea,
	} {
		if s := New(text).Scores(""); s.Best() != want {
			t.Errorf("%q is read as %s, want %s", text, s.Best(), want)
		}
	}
}

func TestFeaturesAreBounded(t *testing.T) {
	for _, text := range []string{"", " ", "?", "\xff\xfe", strings.Repeat("word ", 10000), "`", "@", "://"} {
		for _, f := range Features(map[string]bool{"word": true}, text, text) {
			if f >= Buckets {
				t.Fatalf("feature %d of %.20q", f, text)
			}
		}
		s := New(text).Scores(text)
		sum := 0.0
		for _, p := range s {
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("the probabilities of %.20q sum up to %v", text, sum)
		}
	}
}

func TestWords(t *testing.T) {
	got := strings.Join(Words("Don't rename `fooBar` in src/app.go, see https://x.example — use 4 tabs @lib (now)!"), " ")
	want := "dont rename <code> in <file> see <url> use <number> <technology> <at> now"
	if got != want {
		t.Errorf("words\n got %s\nwant %s", got, want)
	}
}

func TestStoredModel(t *testing.T) {
	if len(weights) != Buckets*Kinds {
		t.Errorf("%d weights, want %d", len(weights), Buckets*Kinds)
	}
	for k, name := range names {
		if got, ok := KindOf(name); !ok || got != Kind(k) {
			t.Errorf("KindOf(%q) = %d, %t", name, got, ok)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		New("please use the new client for all calls, the old one leaks connections when the server restarts").Scores("Which client should I use?")
	}
}
