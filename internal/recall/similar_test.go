package recall

import (
	"fmt"
	"strings"
	"testing"

	"recollect/internal/memory"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/terms"
)

// partsFor returns the parts of the relevance of each candidate for a prompt, by id.
func partsFor(t *testing.T, r *Recall, prompt string) map[string]map[string]float64 {
	t.Helper()
	req := ask(t, prompt)
	req.Settings = turn(t, injectAll, "recall.min_worth", 0)
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
		if e.Features[relevance.Similar] == 0 {
			t.Errorf("%s is not compared", e.ID)
		}
	}
}

// The parts of a memory are made once, and again when it was written anew; of what was forgotten
// none are held.
func TestPartsOfMemory(t *testing.T) {
	r := open(t, pool("note-1"))
	with, err := r.newComparison(&candidates{scorer: scorer{relevance.NewScorer(&terms.Query{}, 0, nil, nil)}})
	if err != nil {
		t.Fatal(err)
	}
	partsNow := func() *relevance.Parts {
		c := &candidate{id: "note-1"}
		if !r.locate(c) {
			t.Fatal("there is no note-1")
		}
		return r.partsOf(with, c)
	}
	first := partsNow()
	if first == nil {
		t.Fatal("no parts")
	}
	if partsNow() != first {
		t.Error("the parts of a memory that was met are made again")
	}
	changed := pool("note-1")
	changed.Title, changed.Text = "Deadlock", "A deadlock."
	if err := r.put([]memory.Memory{changed}); err != nil {
		t.Fatal(err)
	}
	again := partsNow()
	if again == first || again == nil {
		t.Errorf("parts of a memory that was written anew: %v", again)
	}
	r.ForgetTexts()
	if partsNow() == again {
		t.Error("parts are held after all were forgotten")
	}
	if got := r.partsOf(with, &candidate{id: "note-none"}); got != nil {
		t.Errorf("parts of a memory that is not there: %v", got)
	}
}

// A memory of which a few lines are about the prompt, and the rest about something else, is nearer
// than its vector says; one that is about nothing in particular is not, nor is a short one, which
// has no windows.
func TestWindow(t *testing.T) {
	aside := strings.Repeat("The office moves to the second floor on Monday, and lunch is at noon in the garden. ", 5)
	about := "Two goroutines took the mutexes in another order, and the worker hung until the deadlock was found. "
	notes := []memory.Memory{
		note("note-lines", "Minutes of the week", aside+about+aside),
		note("note-aside", "Minutes of the month", aside+aside),
		note("note-short", "Deadlock", about),
	}
	for i, topic := range []string{"bread", "invoices", "maps", "fonts", "cameras", "taxes", "trains", "music", "lamps", "roses", "boats", "chess"} {
		notes = append(notes, note(fmt.Sprintf("note-%d", i), topic, "What we know about "+topic))
	}
	r := openMeaning(t, notes...)
	parts := partsFor(t, r, "why the deadlock?")
	if got := parts["note-lines"]["window"]; got <= 0 {
		t.Errorf("window = %v where a few lines are about the prompt", got)
	}
	if got := parts["note-aside"]["window"]; got > 0 {
		t.Errorf("window = %v where no line is about the prompt", got)
	}
	if got := parts["note-short"]["window"]; got != 0 {
		t.Errorf("window = %v of a memory of one window", got)
	}
	long := partsFor(t, r, "why the deadlock? "+strings.Repeat("The release of the mobile client waits for translations. ", 20))
	if short, long := parts["note-lines"]["window"], long["note-lines"]["window"]; long >= short {
		t.Errorf("window = %v for a long prompt, %v for a short one", long, short)
	}
	words := open(t, note("note-lines", "Minutes of the week", aside+about+aside))
	if got := partsFor(t, words, "why the deadlock?")["note-lines"]["window"]; got != 0 {
		t.Errorf("window = %v without vectors", got)
	}
}
