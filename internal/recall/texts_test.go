package recall

import (
	"slices"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	var r Recall
	first := r.texts.of("the pool waits for retryPolicy")
	if again := r.texts.of("the pool waits for retryPolicy"); again != first {
		t.Error("a text that was met is analysed again")
	}
	if !first.has("pool") || !first.has("retrypolici") || first.has("the") {
		t.Errorf("terms %q", first.terms)
	}
	if got := r.texts.terms("pool waits", "the pool"); !slices.Equal(got, []string{"pool", "wait"}) {
		t.Errorf("terms of two texts: %q", got)
	}
	long := strings.Repeat("pool ", longestText)
	first = r.texts.of(long)
	if again := r.texts.of(long); again == first {
		t.Error("a long text is held")
	}
	first = r.texts.of("the pool waits for retryPolicy")
	r.ForgetTexts()
	if again := r.texts.of("the pool waits for retryPolicy"); again == first {
		t.Error("a text is held after all were forgotten")
	}
}

// A line repeats others if they have nearly all of its pairs of words, in this order.
func TestSpoken(t *testing.T) {
	var texts texts
	said := spoken{}
	said.add(texts.of("measure the pressure in millibar, not percent"))
	for line, want := range map[string]bool{
		"measure pressure in millibar": true,
		"percent, not millibar":        false,
		"pressure":                     false, // of one word there is no pair
		"ship it on Friday":            false,
	} {
		if got := said.repeats(texts.of(line)); got != want {
			t.Errorf("repeats(%q) = %t, want %t", line, got, want)
		}
	}
}
