package recall

import (
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
	"recollect/internal/index/embed"
	"recollect/internal/index/vectors"
	"recollect/internal/memory"
	"recollect/internal/recall/request"
)

// openMeaning is open with the built-in embedder.
func openMeaning(t *testing.T, ms ...memory.Memory) *Recall {
	t.Helper()
	r := open(t, ms...)
	r.UseVectors(meanings(t, config.Default().Embedder, ms...))
	return r
}

// meanings opens vectors of memories that an embedder makes.
func meanings(t testing.TB, settings config.Embedder, ms ...memory.Memory) *vectors.Retriever {
	t.Helper()
	e, err := embed.Open(settings, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	v, err := vectors.OpenRetriever(t.Context(), t.TempDir(), e, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := v.Update(t.Context(), ms, nil, nil); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDuplicates(t *testing.T) {
	r := openMeaning(t, pool("note-1"), pool("note-2"))
	req := ask(t, prompted)
	req.Settings = turn(t, injectAll, "budget.items", 6)
	if diff := cmp.Diff([]string{"note-1"}, r.injected(t, req)); diff != "" {
		t.Errorf("of two memories that say the same, injected (-want +got):\n%s", diff)
	}
}

// The prompt before injected nothing of note-1, although it was found.
func TestTopicGate(t *testing.T) {
	r := openMeaning(t, pool("note-1"))
	for last, want := range map[string][]string{
		prompted + " again":                 nil,
		"write a haiku about autumn leaves": {"note-1"},
	} {
		req := ask(t, prompted)
		req.LastPrompt = last
		req.Session.Passed = []string{"note-1"}
		if diff := cmp.Diff(want, r.injected(t, req)); diff != "" {
			t.Errorf("after %q, injected (-want +got):\n%s", last, diff)
		}
	}
}

// Which of two errors is asked about decides: the better answer to this prompt passes,
// though it was found for the one before, which injected only the other. What ranks no
// better than then is held back.
func TestTopicGateFollowsTheQuestion(t *testing.T) {
	r := openMeaning(t,
		inbox("note-1", "Error 4012 of the till", "The card reader answered error 4012: its certificate had expired."),
		inbox("note-2", "Error 4019 of the till", "The card reader answered error 4019: the amount had a comma."),
	)
	first := ask(t, "what does error 4012 of the card reader mean")
	first.Settings = turn(t, injectAll, "budget.items", 1)
	before, err := r.Recall(t.Context(), first)
	if diff := cmp.Diff([]string{"note-1", "note-2"}, before.Passed); err != nil || diff != "" || len(before.Injected) != 1 {
		t.Fatalf("first prompt: %v, injected %v, passed (-want +got):\n%s", err, before.Injected, diff)
	}
	for prompt, want := range map[string][]string{
		"what does error 4019 of the card reader mean":      {"note-2"},
		"what does error 4012 of the card reader mean then": nil,
	} {
		req := first
		req.Prompt, req.LastPrompt = prompt, first.Prompt
		req.Session = request.Session{ID: "now", Injected: before.Keys, Passed: before.Passed}
		if diff := cmp.Diff(want, r.injected(t, req)); diff != "" {
			t.Errorf("%s: injected (-want +got):\n%s", prompt, diff)
		}
	}
}

// A paraphrase is found, and one that matters to nothing is not.
func TestMeaningFindsOtherWords(t *testing.T) {
	r := openMeaning(t,
		inbox("note-1", "Login fails after password reset", "The credential cache kept the old hash."),
		inbox("note-2", "CORS with cookies", "A wildcard origin is refused."),
	)
	found, err := r.Search(t.Context(), ask(t, "users cannot authenticate"), 1)
	if err != nil || len(found) != 1 || found[0].Memory.ID != "note-1" {
		t.Errorf("Search found %v, %v, want note-1", found, err)
	}
}
