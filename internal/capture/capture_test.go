package capture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
	"recollect/internal/store/storetest"
)

// A desk is a store with a capture over it, and a transcript to write to.
type desk struct {
	t       *testing.T
	store   *store.Store
	capture *Capture
	path    string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	home := t.TempDir()
	s := storetest.Open(t, home)
	write := func(_ context.Context, ms []clean.Memory) error { return s.Append(ms...) }
	return &desk{t, s, New(filepath.Join(home, "sessions"), s, write), filepath.Join(home, "s1.jsonl")}
}

// put stores a memory as it was edited.
func (d *desk) put(m memory.Memory) {
	d.t.Helper()
	cleaned, err := clean.Draft(memory.Draft{Memory: m})
	if err == nil {
		err = d.store.Append(cleaned)
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// write puts records behind the transcript.
func (d *desk) write(records ...string) {
	d.t.Helper()
	f, err := os.OpenFile(d.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(strings.Join(records, "\n") + "\n"); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) take(in Input) Done {
	d.t.Helper()
	in.Path = d.path
	done, err := d.capture.File(d.t.Context(), in, func(string) memory.Project { return memory.Project{Name: "app"} })
	if err != nil {
		d.t.Fatal(err)
	}
	return done
}

// texts returns what the store holds besides handoffs, by title.
func (d *desk) texts() map[string]string {
	out := map[string]string{}
	for m, err := range d.store.All() {
		if err != nil {
			d.t.Fatal(err)
		}
		if m.Source != memory.Handoffs {
			out[m.Title] = m.Text
		}
	}
	return out
}

func asked(n int, prompt string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:%02d:00Z","message":{"role":"user","content":%q}}`, n, n, prompt)
}

func replied(n int, text string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"a%d","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:%02d:05Z","message":{"id":"m%d","role":"assistant","content":[{"type":"text","text":%q}]}}`, n, n, n, text)
}

const (
	header     = `{"type":"mode","mode":"default"}`
	poolPrompt = "why does the checkout hang every noon?"
	poolReply  = "The connection pool was exhausted; it has 25 connections now."
	corsPrompt = "why does the basket stay empty in the browser?"
	corsReply  = "The origin was missing in the CORS settings; it is listed now."
)

// Claude Code says that a turn has ended before it has written the answer.
func TestFileTakesTheLastReplyFromTheHook(t *testing.T) {
	d := newDesk(t)
	d.write(header, asked(1, poolPrompt))
	d.take(Input{LastReply: poolReply})
	if got := d.texts()[poolPrompt]; !strings.Contains(got, poolReply) {
		t.Errorf("text %q, want the reply in it", got)
	}
	d.write(replied(1, poolReply))
	if done := d.take(Input{}); done.Added != 0 || done.Unchanged != 1 {
		t.Errorf("second look: %+v, want nothing new", done)
	}
}

// If not even the prompt is written, the reply seems to be the one before's.
func TestFileMendsAReplyToAnotherTurn(t *testing.T) {
	d := newDesk(t)
	d.write(header, asked(1, poolPrompt), replied(1, poolReply))
	d.take(Input{LastReply: corsReply})
	d.write(asked(2, corsPrompt), replied(2, corsReply))
	d.take(Input{})
	got := d.texts()
	if strings.Contains(got[poolPrompt], corsReply) || !strings.Contains(got[poolPrompt], poolReply) {
		t.Errorf("first turn %q, want its own reply only", got[poolPrompt])
	}
	if !strings.Contains(got[corsPrompt], corsReply) {
		t.Errorf("second turn %q, want its reply", got[corsPrompt])
	}
}

func TestFileReplacesATurnThatGrew(t *testing.T) {
	d := newDesk(t)
	d.write(header, asked(1, poolPrompt), replied(1, "I look at the pool first, then at what holds its connections."))
	d.take(Input{})
	d.write(replied(2, poolReply))
	if done := d.take(Input{}); done.Changed != 1 || d.store.Len() != 1 {
		t.Errorf("%+v, %d memories, want one that is replaced", done, d.store.Len())
	}
	if got := d.texts()[poolPrompt]; !strings.Contains(got, poolReply) {
		t.Errorf("text %q, want the later reply", got)
	}
}

func TestFileKeepsEditsAndWhatWasForgotten(t *testing.T) {
	d := newDesk(t)
	d.write(header, asked(1, poolPrompt), replied(1, poolReply), asked(2, corsPrompt), replied(2, corsReply))
	d.take(Input{})
	for m := range d.store.All() {
		m.Text = "edited by hand"
		d.put(m)
		if m.Title == corsPrompt {
			if _, err := d.store.Delete(m.OccurredAt, m.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := Done{Turns: 2, Unchanged: 2, Forgotten: 1}
	if done := d.take(Input{Whole: true}); done != want {
		t.Errorf("%+v, want %+v", done, want)
	}
	if got := d.texts(); len(got) != 1 || got[poolPrompt] != "edited by hand" {
		t.Errorf("memories %v, want the edited one", got)
	}
}

// Another file under the same name is read from its start.
func TestFileNoticesAnotherFile(t *testing.T) {
	d := newDesk(t)
	d.write(header, asked(1, poolPrompt), replied(1, poolReply), asked(3, "and now?"), replied(3, poolReply))
	d.take(Input{})
	if err := os.Remove(d.path); err != nil {
		t.Fatal(err)
	}
	d.write(`{"type":"mode","mode":"plan"}`, asked(2, corsPrompt), replied(2, corsReply), asked(4, "and then?"), replied(4, corsReply))
	d.take(Input{})
	if got := d.texts()[corsPrompt]; !strings.Contains(got, corsReply) {
		t.Errorf("memories %v, want the other file's first turn too", d.texts())
	}
}

// Two sessions that end at once teach the same: neither is lost.
func TestFilesAtOnce(t *testing.T) {
	const sessions = 8
	d := newDesk(t)
	var done sync.WaitGroup
	for n := range sessions {
		path := filepath.Join(filepath.Dir(d.path), fmt.Sprintf("at-once-%d.jsonl", n))
		if err := os.WriteFile(path, []byte(asked(n, "always use tabs for indentation in this repo")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		done.Go(func() {
			in := Input{Path: path, LastReply: "Tabs it is, from now on, in every file of this repository."}
			if _, err := d.capture.File(t.Context(), in, func(string) memory.Project { return memory.Project{Name: "app"} }); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	wishes := 0
	for m, err := range d.store.Source(memory.Preferences) {
		if err != nil {
			t.Fatal(err)
		}
		wishes++
		if got := m.Occurrences(); got != sessions {
			t.Errorf("%q was said %d times, want %d", m.Title, got, sessions)
		}
	}
	if wishes != 1 {
		t.Errorf("%d wishes, want 1", wishes)
	}
}

// A turn that grows is still seen after the one before it: what a short answer
// answers stands there.
func TestFileRemembersTheTurnBefore(t *testing.T) {
	d := newDesk(t)
	d.write(asked(1, "design the ring buffer"), replied(1, "It needs handles. A slab, or plain indices?"))
	d.take(Input{})
	d.write(asked(2, "slab"))
	d.take(Input{})
	d.write(replied(2, "The buffer hands out slots of a slab now, which are reused once they are freed."))
	d.take(Input{})
	var titles []string
	for m, err := range d.store.Source(memory.Episodes) {
		if err != nil {
			t.Fatal(err)
		}
		titles = append(titles, m.Title)
	}
	if want := []string{"design the ring buffer", "slab (asked: A slab, or plain indices?)"}; !slices.Equal(titles, want) {
		t.Errorf("titles %q, want %q", titles, want)
	}
}
