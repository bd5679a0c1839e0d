package recall

import (
	"fmt"
	"strings"
	"testing"

	"recollect/internal/embed/builtin"
	"recollect/internal/memory"
)

// partsFor returns the parts of the relevance of each candidate for a prompt, by id.
func partsFor(t *testing.T, r *Recall, prompt string) map[string]map[string]float64 {
	t.Helper()
	req := ask(t, prompt)
	req.Settings = turn(t, injectAll, "recall.heading_from", 0.01)
	req.All = true
	out := map[string]map[string]float64{}
	for _, c := range recall(t, r, req).Explanation.Candidates {
		out[c.ID] = map[string]float64{}
		for _, p := range c.Parts {
			out[c.ID][p.Name] = p.Value
		}
	}
	return out
}

func note(id, title, text string) memory.Memory {
	return memory.Memory{ID: id, Source: memory.Journal, Title: title, Text: text, OccurredAt: now}
}

// A memory with a word that is like one of the prompt's is nearer than one without, and one that
// has the word itself gets nothing for others like it.
func TestSimilarWords(t *testing.T) {
	r := openMeaning(t,
		note("note-like", "Mutexes", "Two goroutines took the mutexes in another order."),
		note("note-itself", "Deadlock", "A deadlock of two goroutines."),
		note("note-unlike", "Lunch", "The two ate apples and bread on Friday."),
	)
	parts := partsFor(t, r, "why the deadlock?")
	if like, unlike := parts["note-like"]["similar"], parts["note-unlike"]["similar"]; like < 0.1 || like <= unlike {
		t.Errorf("similar: %v where a word is like the prompt's, %v where none is", like, unlike)
	}
	if got := parts["note-itself"]["similar"]; got != 0 {
		t.Errorf("similar: %v where the memory has the word itself", got)
	}
}

// Acronyms, numbers and words that nobody knows are like nothing, nor is anything without vectors.
func TestSimilarWordsNone(t *testing.T) {
	like := note("note-like", "Mutexes", "Two goroutines took the mutexes of port 8081 in xqvblorptj.")
	r := openMeaning(t, like)
	for _, prompt := range []string{"xqvblorptk 8080", "DEADLOCK", "…", strings.Repeat("xqvblorptk ", 500)} {
		if got := partsFor(t, r, prompt)["note-like"]["similar"]; got != 0 {
			t.Errorf("%q: similar = %v", prompt, got)
		}
	}
	words := open(t, like)
	if got := partsFor(t, words, "why the deadlock of goroutines?")["note-like"]; got["similar"] != 0 {
		t.Errorf("without vectors: %v", got)
	}
}

// Only the best are compared, because that takes time; those that fit the coefficients see all.
func TestSimilarWordsOfTheBest(t *testing.T) {
	var notes []memory.Memory
	for i := range mostCompared + 3 {
		notes = append(notes, note(fmt.Sprintf("note-%d", i), "Mutexes", fmt.Sprintf("%d goroutines took the mutexes in another order.", i)))
	}
	r := openMeaning(t, notes...)
	compared := 0
	for _, parts := range partsFor(t, r, "why the deadlock?") {
		if parts["similar"] > 0 {
			compared++
		}
	}
	if compared != mostCompared {
		t.Errorf("%d memories compared, want %d", compared, mostCompared)
	}
	examples, err := r.Examples(t.Context(), ask(t, "why the deadlock?"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		if e.Features[featSimilar] == 0 {
			t.Errorf("%s is not compared", e.ID)
		}
	}
}

// The more words a memory has, the nearer one of them is by chance.
func TestLikeness(t *testing.T) {
	for _, tt := range []struct {
		cosine float64
		n      int
		want   string
	}{{1, 1, "1.00"}, {1, 1000, "1.00"}, {0.5, 2, "0.38"}, {0.5, 60, "0.24"}, {0.2, 60, "0.00"}, {-1, 1, "0.00"}, {0.1, 0, "0.00"}} {
		if got := fmt.Sprintf("%.2f", likeness(tt.cosine, tt.n)); got != tt.want {
			t.Errorf("likeness(%v, %d) = %s, want %s", tt.cosine, tt.n, got, tt.want)
		}
	}
}

// The words of a memory are read once, and again when it was written anew; of what was forgotten
// none are held.
func TestWordLists(t *testing.T) {
	r := open(t, pool("note-1"))
	m, err := builtin.Load()
	if err != nil {
		t.Fatal(err)
	}
	words := func() *wordList {
		c := &candidate{id: "note-1"}
		if !r.locate(c) {
			t.Fatal("there is no note-1")
		}
		return r.wordsOf(m, c)
	}
	first := words()
	if first == nil || len(first.words) == 0 {
		t.Fatalf("words %v", first)
	}
	if words() != first {
		t.Error("the words of a memory that was met are read again")
	}
	changed := pool("note-1")
	changed.Title, changed.Text = "Deadlock", "A deadlock."
	if err := r.put([]memory.Memory{changed}); err != nil {
		t.Fatal(err)
	}
	again := words()
	if again == first || len(again.words) != 1 {
		t.Errorf("words of a memory that was written anew: %v", again)
	}
	r.ForgetTexts()
	if words() == again {
		t.Error("words are held after all were forgotten")
	}
	if got := r.wordsOf(m, &candidate{id: "note-none"}); got != nil {
		t.Errorf("words of a memory that is not there: %v", got)
	}
}
