package sessions

import (
	"slices"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	var held Texts
	first := held.Of("the pool waits for retryPolicy")
	if again := held.Of("the pool waits for retryPolicy"); again != first {
		t.Error("a text that was met is analysed again")
	}
	if !first.Has("pool") || !first.Has("retrypolici") || first.Has("the") {
		t.Errorf("terms %q", first.terms)
	}
	if got := held.termsOf("pool waits", "the pool"); !slices.Equal(got, []string{"pool", "wait"}) {
		t.Errorf("terms of two texts: %q", got)
	}
	long := strings.Repeat("pool ", longestText)
	first = held.Of(long)
	if again := held.Of(long); again == first {
		t.Error("a long text is held")
	}
	first = held.Of("the pool waits for retryPolicy")
	held.Forget()
	if again := held.Of("the pool waits for retryPolicy"); again == first {
		t.Error("a text is held after all were forgotten")
	}
}

// A line repeats others if they have nearly all of its pairs of words, in this order.
func TestSpoken(t *testing.T) {
	var held Texts
	said := Said{}
	said.Add(held.Of("measure the pressure in millibar, not percent"))
	for line, want := range map[string]bool{
		"measure pressure in millibar": true,
		"percent, not millibar":        false,
		"pressure":                     false, // of one word there is no pair
		"ship it on Friday":            false,
	} {
		if got := said.repeats(held.Of(line)); got != want {
			t.Errorf("repeats(%q) = %t, want %t", line, got, want)
		}
	}
}
