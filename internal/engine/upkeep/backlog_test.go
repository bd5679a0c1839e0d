package upkeep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/capture"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
)

// Past files are the newest first, without what is no file of a past session, and go on behind
// the last one that was read.
func TestPastFiles(t *testing.T) {
	root := filepath.Join(t.TempDir(), "projects")
	begun := time.Date(2026, 10, 10, 0, 0, 0, 0, time.UTC)
	write := func(name string, day int) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 10, day, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	write("a/old.jsonl", 1)
	write("b/new.jsonl", 9)
	write("b/same-1.jsonl", 5)
	write("b/same-2.jsonl", 5)
	write("b/same-2/subagents/agent-1.jsonl", 5)
	write("b/now.jsonl", 8)
	write("b/later.jsonl", 11)
	write("b/memory/MEMORY.md", 3)
	write("history.jsonl", 3)
	if runtime.GOOS != "windows" {
		if err := os.Symlink(filepath.Join(root, "b", "new.jsonl"), filepath.Join(root, "a", "link.jsonl")); err != nil {
			t.Fatal(err)
		}
	}
	names := func(p Past) (out []string, files []pastFile) {
		t.Helper()
		files, err := pastFiles(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			out = append(out, filepath.Base(f.Path))
		}
		return out, files
	}
	past := Past{Folder: root, Except: filepath.Join(root, "b", "now.jsonl"), Begun: begun}
	got, files := names(past)
	want := []string{"new.jsonl", "same-1.jsonl", "same-2.jsonl", "agent-1.jsonl", "old.jsonl"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("past files (-want +got):\n%s", diff)
	}
	if n := sessionsAmong(files); n != 4 {
		t.Errorf("%d sessions, want 4", n)
	}
	for i := range files {
		past.Last = files[i]
		if got, _ := names(past); !cmp.Equal(got, want[i+1:]) && len(got)+len(want[i+1:]) > 0 {
			t.Errorf("behind %s: %q, want %q", want[i], got, want[i+1:])
		}
	}
	past.Folder = filepath.Join(root, "none")
	if got, _ := names(past); got != nil {
		t.Errorf("without a folder: %q", got)
	}
}

// A file of which the memories cannot be stored is read again, so that a full disk loses nothing,
// but not for ever.
func TestBacklogTriesAgain(t *testing.T) {
	home := t.TempDir()
	lock, err := store.Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(lock, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); lock.Release() })
	settings, err := config.NewLive(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	full := true
	c := capture.New(filepath.Join(home, "sessions"), s, func(_ context.Context, ms []clean.Memory) error {
		if full {
			return errors.New("no space left on device")
		}
		return s.Append(ms...)
	})
	b := NewBacklog(home, settings, c, 0, BacklogParts{
		Input:         plainly,
		Project:       func(string) memory.Project { return memory.Project{Name: "trains"} },
		Consolidation: NewConsolidation(s, nil, nil, quiet),
		CaughtUp:      func(context.Context) error { return nil },
		Held:          lock.Held,
	}, quiet)
	folder := filepath.Join(t.TempDir(), "projects")
	for _, name := range []string{"s1", "s2"} {
		path := filepath.Join(folder, "a", name+".jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(turn(name, "how do we warm the signals of "+name+"?", "A heating wire of 40 watts keeps them dry.")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.change(func(p *Past) bool {
		p.Phase, p.Folder, p.Begun = PhaseRunning, folder, time.Now().Add(time.Hour).UTC().Round(0)
		return true
	})
	for i := 1; i < backlogTries; i++ {
		if b.pass(t.Context()) || b.Past().Done != 0 {
			t.Fatalf("pass %d: %+v, want it to be tried again", i, b.Past())
		}
	}
	if b.pass(t.Context()) || b.Past().Done != 1 {
		t.Fatalf("%+v, want one file to be left out", b.Past())
	}
	full = false
	if !b.pass(t.Context()) || b.Past().Phase != PhaseDone || b.Past().Done != 2 || b.Past().Added == 0 {
		t.Errorf("%+v, want the other file to be imported", b.Past())
	}
	again := NewBacklog(home, settings, c, 0, b.parts, quiet)
	if again.Past() != b.Past() {
		t.Errorf("the next daemon reads %+v, want %+v", again.Past(), b.Past())
	}
}

// What an earlier version wrote of what the user knows is read on.
func TestPastOfEarlierVersion(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "import.json"), []byte(`{"v":1,"phase":"done","told":"running","sessions":2}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b := NewBacklog(home, nil, nil, 0, BacklogParts{}, quiet)
	if past := b.Past(); past.Notified != PhaseRunning || past.OldNotified != "" || past.Sessions != 2 {
		t.Errorf("read as %+v", past)
	}
}
