package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// candidates returns those that wait, by title.
func (r *running) candidates() map[string]memory.Memory {
	r.t.Helper()
	out := map[string]memory.Memory{}
	for m, err := range r.Store.Candidates() {
		if err != nil {
			r.t.Fatal(err)
		}
		out[m.Title] = m
	}
	return out
}

const (
	headerWish = "keep the headers blue in every mail that we send, please"
	footerWish = "keep the links green in every mail that we send, please"
)

// captureCandidates has a session end in which two sentences suggested wishes.
func (r *running) captureCandidates(home string) {
	r.t.Helper()
	path := filepath.Join(home, "s1.jsonl")
	if err := os.WriteFile(path, []byte(turn("1", headerWish, "Done.")+turn("2", footerWish, "Done.")), 0o600); err != nil {
		r.t.Fatal(err)
	}
	var waiting []memory.Memory
	for i, wish := range []string{headerWish, footerWish} {
		m := memory.Memory{Source: memory.Preferences, Title: "Wants: " + wish, Evidence: wish, Session: "s1", Turn: fmt.Sprint("u", i+1), Candidate: 0.5 - float64(i)/10}
		m.SetPending(true)
		waiting = append(waiting, m)
	}
	drafts, err := clean.Drafts(memory.Drafts(waiting...)...)
	if err := errors.Join(err, r.Append(r.t.Context(), drafts)); err != nil {
		r.t.Fatal(err)
	}
	r.upkeep.Confirmation.Later(path, "s1", "SessionEnd", time.Now())
}

// confirm has the reader asked about the sessions that are over.
func (r *running) confirm() {
	r.upkeep.Confirmation.Pass(r.t.Context(), time.Now().Add(time.Minute))
}

// One question at the end of a session says which candidates stand and which do not. Both show why; approval and
// forgetting undo it.
func TestReaderConfirmsCandidates(t *testing.T) {
	home := t.TempDir()
	model := startReader(t, home, "prompts = false\n", func(q string) string {
		if strings.Contains(q, "\n1. "+headerWish) {
			return `{"yes": [1], "no": [2]}`
		}
		return `{"yes": [2], "no": [1]}`
	})
	r := start(t, home)
	r.captureCandidates(home)
	var header, footer memory.Memory
	for _, m := range r.candidates() {
		if m.Evidence == headerWish {
			header = m
		} else {
			footer = m
		}
	}
	r.confirm()
	if q := model.questions(); len(q) != 1 || strings.Count(q[0], headerWish) != 2 || strings.Count(q[0], footerWish) != 2 {
		t.Fatalf("asked %q, want one question with both sentences and their prompts", q)
	}
	if m, err := r.Store.Get(header.ID); err != nil || !strings.Contains(m.Stands, "your reader") {
		t.Errorf("the confirmed one: %+v, %v", m, err)
	}
	refused, err := r.Store.GetPending(footer.ID)
	if err != nil || !refused.IsRefused() {
		t.Errorf("the refused one: %+v, %v", refused, err)
	}
	r.confirm()
	if _, err := r.Recollect(t.Context(), api.Prompt{SessionID: "s2", Prompt: "how do the headers of our mails look?", Cwd: folder}); err != nil {
		t.Fatal(err)
	}
	if n := len(model.questions()); n != 1 || r.reader.HasChosen("s2") {
		t.Errorf("%d questions, want one", n)
	}
	if _, err := r.Review(t.Context(), api.Review{IDs: []string{footer.ID}}); err != nil {
		t.Fatal(err)
	}
	if m, err := r.Store.Get(footer.ID); err != nil || m.Pending || strings.Contains(m.Stands, "reader") {
		t.Errorf("approved: %+v, %v", m, err)
	}
	if _, err := r.Forget(t.Context(), header.ID); err != nil {
		t.Fatal(err)
	}
}

// What a model answers otherwise, or not at all, changes no candidate.
func TestReaderConfirmsNothing(t *testing.T) {
	for name, answer := range map[string]string{
		"words": "the first one stands", "nothing": `{"yes": []}`, "both": `{"yes": [1, 2], "no": [2, 1]}`, "others": `{"yes": [3, 0, -7], "no": [99]}`,
		"huge": `{"yes": [` + strings.Repeat("1,", 200_000) + `1]}`,
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			model := startReader(t, home, "", func(string) string { return answer })
			r := start(t, home)
			r.captureCandidates(home)
			r.confirm()
			if len(model.questions()) != 1 {
				t.Errorf("%d questions, want one", len(model.questions()))
			}
			for _, m := range r.candidates() {
				if m.IsRefused() {
					t.Errorf("%s is refused: %s", m.Title, m.Stands)
				}
			}
			if n := len(r.candidates()); n != 2 {
				t.Errorf("%d candidates are left, want 2", n)
			}
		})
	}
}

// A session that must not be learned from any more, or whose transcript is gone, is not sent.
func TestReaderIsNotAskedAbout(t *testing.T) {
	for name, end := range map[string]func(*running, string) error{
		"a transcript that is gone": func(_ *running, home string) error { return os.Remove(filepath.Join(home, "s1.jsonl")) },
		"a session that is paused": func(r *running, _ string) error {
			_, err := r.Pause(r.t.Context(), api.Pause{Session: "s1"})
			return err
		},
		"an incognito session": func(r *running, _ string) error { r.acceptIncognito("s1", true); return nil },
		"a reader that was switched off": func(r *running, home string) error {
			configure(r.t, home, "[reader]\nkind = \"ollama\"\nmodel = \"m\"\nurl = \"http://127.0.0.1:1\"\ncandidates = false\n")
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			model := startReader(t, home, "", func(string) string { return `{"yes": [1, 2]}` })
			r := start(t, home)
			r.captureCandidates(home)
			if err := end(r, home); err != nil {
				t.Fatal(err)
			}
			r.confirm()
			if len(model.questions()) != 0 || len(r.candidates()) != 2 {
				t.Errorf("%d questions, %d candidates are left", len(model.questions()), len(r.candidates()))
			}
			if err := r.upkeep.Confirmation.Problem(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A sentence that no rule recognized is learned if the reader confirms it, and stored nowhere if not.
func TestReaderConfirmsWhatNoRuleRecognized(t *testing.T) {
	const sentence = "the ledger belongs to the night run and stays there"
	for answer, want := range map[string]bool{"yes": true, "no": false} {
		t.Run(answer, func(t *testing.T) {
			home := t.TempDir()
			startReader(t, home, "prompts = false\n", func(q string) string {
				return strings.Replace(numberOf(q, sentence), "yes", answer, 1)
			})
			r := start(t, home)
			path := filepath.Join(home, "s1.jsonl")
			if err := os.WriteFile(path, []byte(turn("1", "rename the helper, "+sentence+". "+sentence+".", "Done.")), 0o600); err != nil {
				t.Fatal(err)
			}
			asked, err := r.Suggestions(t.Context(), path, "s1")
			if err != nil || len(asked) == 0 {
				t.Fatalf("Suggestions() = %+v, %v", asked, err)
			}
			if n := r.Store.Len(); n != 0 {
				t.Errorf("asking stored %d", n)
			}
			r.upkeep.Confirmation.Later(path, "s1", "SessionEnd", time.Now())
			r.confirm()
			stored := 0
			for m := range r.Store.All() {
				if strings.Contains(m.Stands, "your reader") && strings.Contains(m.Evidence, "night run") {
					stored++
				}
			}
			if (stored > 0) != want {
				t.Errorf("%d stored, want any: %t", stored, want)
			}
		})
	}
}
