package follower

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
	"recollect/internal/store/storetest"
)

// indexed lists the ids in the index, in order.
func indexed(t *testing.T, f *Index) []string {
	t.Helper()
	ids, err := f.index.IDs()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ids)
	return ids
}

func stored(f *Index) []string {
	ids := slices.Clone(f.store.IDs())
	slices.Sort(ids)
	return ids
}

func put(t *testing.T, f *Index, titles ...string) {
	t.Helper()
	for _, title := range titles {
		m, err := clean.Draft(memory.Draft{Memory: note(title)})
		if err == nil {
			err = f.store.Append(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestFollower(t *testing.T) {
	home := t.TempDir()
	f := open(t, home)
	inbox := filepath.Join(home, "memories", "inbox.jsonl")
	steps := []struct {
		name   string
		change func()
	}{
		{"nothing", func() {}},
		{"first memories", func() { put(t, f, "one", "two", "three") }},
		{"one more", func() { put(t, f, "four") }},
		{"one less", func() { f.store.Delete(time.Unix(1, 0), f.store.IDs()[0]) }},
		{"log was rewritten", func() {
			b, err := os.ReadFile(inbox)
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := bytes.Cut(b, []byte("\n"))
			_, rest, _ = bytes.Cut(rest, []byte("\n"))
			if err := os.WriteFile(inbox, rest, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := f.store.Since(f.store.Marks(), 1); !errors.Is(err, store.ErrRewritten) {
				t.Fatalf("Since() = %v, want ErrRewritten", err)
			}
		}},
		{"after that", func() { put(t, f, "five") }},
		{"log is gone", func() {
			if err := os.Remove(inbox); err != nil {
				t.Fatal(err)
			}
			put(t, f, "six")
		}},
		{"index began anew", func() {
			if err := f.index.Reset(); err != nil {
				t.Fatal(err)
			}
		}},
		{"watermark is no watermark", func() {
			if err := f.index.Update(nil, nil, []byte("?")); err != nil {
				t.Fatal(err)
			}
			put(t, f, "seven")
		}},
		{"index has what the store has not", func() {
			m := note("stray")
			if err := m.Normalize(); err != nil {
				t.Fatal(err)
			}
			if err := f.index.Update([]memory.Memory{m}, nil, []byte("?")); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for _, s := range steps {
		s.change()
		if err := f.followLogs(t.Context()); err != nil {
			t.Fatalf("%s: follow() = %v", s.name, err)
		}
		if diff := cmp.Diff(stored(f), indexed(t, f)); diff != "" {
			t.Errorf("%s (-store +index):\n%s", s.name, diff)
		}
	}
	if got := stored(f); len(got) != 2 {
		t.Errorf("%d memories at the end, want 2", len(got))
	}
}

// An index that was begun anew while the logs were compacted gets everything that is stored.
func TestRebaseOfAnEmptyIndex(t *testing.T) {
	f := open(t, t.TempDir())
	put(t, f, "one", "two", "three")
	if err := f.followLogs(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.store.Delete(time.Unix(1, 0), f.store.IDs()[0]); err != nil {
		t.Fatal(err)
	}
	before := f.store.Marks()
	if err := errors.Join(f.store.Compact(memory.Inbox), f.index.Reset(), f.rebaseNow(before), f.followLogs(t.Context())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stored(f), indexed(t, f)); diff != "" {
		t.Errorf("begun anew (-store +index):\n%s", diff)
	}

	if _, err := f.store.Delete(time.Unix(1, 0), f.store.IDs()[0]); err != nil {
		t.Fatal(err)
	}
	if err := f.followLogs(t.Context()); err != nil {
		t.Fatal(err)
	}
	before = f.store.Marks()
	if err := errors.Join(f.store.Compact(memory.Inbox), f.rebaseNow(before)); err != nil {
		t.Fatal(err)
	}
	if got, want := f.index.Watermark(), encodeMarks(f.store.Marks()); !bytes.Equal(got, want) {
		t.Errorf("watermark of an index that was up to date: %s, want %s", got, want)
	}
}

// An index that lacks memories although its watermark says otherwise is filled up when the daemon
// starts, and loses what is not stored.
func TestVerify(t *testing.T) {
	f := open(t, t.TempDir())
	put(t, f, "one", "two", "three")
	stray := note("stray")
	if err := stray.Normalize(); err != nil {
		t.Fatal(err)
	}
	if err := f.index.Update([]memory.Memory{stray}, nil, encodeMarks(f.store.Marks())); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.followLogs(t.Context()), f.verifyOnce(t.Context())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stored(f), indexed(t, f)); diff != "" {
		t.Errorf("(-store +index):\n%s", diff)
	}
}

// A follower says that it is done only once what was announced is found.
func TestFollowerCatchesUp(t *testing.T) {
	f := open(t, t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	for _, title := range []string{"one", "two", "three"} {
		put(t, f, title)
		f.recordChange()
		if err := f.CaughtUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(stored(f), indexed(t, f)); diff != "" {
			t.Errorf("%s (-store +index):\n%s", title, diff)
		}
	}
	if got := f.Status(); got != "ready" {
		t.Errorf("Status() = %q, want ready", got)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("run() = %v", err)
	}
	f.recordChange()
	if err := f.CaughtUp(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("CaughtUp() with nobody following = %v, want it to end with ctx", err)
	}
}

var quiet = slog.New(slog.DiscardHandler)

func note(title string) memory.Memory { return memory.Memory{Source: memory.Inbox, Title: title} }

// open opens a store and an index with a follower that nobody runs yet.
func open(t *testing.T, home string) *Index {
	t.Helper()
	s := storetest.Open(t, home)
	x, err := index.Open(filepath.Join(home, "index"), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return NewIndex(s, x, nil, quiet)
}

// What is kept of the memories' version holds until the index has changed too:
// between a write and that, an answer may lack what was written.
func TestFollowChangesTheVersion(t *testing.T) {
	f := open(t, t.TempDir())
	if err := f.followLogs(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, f, "the pool has sixteen connections")
	written := f.version.Load()
	if err := f.followLogs(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f.index.Len() != 1 || f.version.Load() == written {
		t.Errorf("%d memories are indexed at version %d, want 1 at another", f.index.Len(), written)
	}
}

// What is stored within a moment becomes few batches, each of which is a segment to be merged.
func TestFollowerCollects(t *testing.T) {
	f := open(t, t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	if err := f.CaughtUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := f.Version()
	const stored = 50
	for i := range stored {
		put(t, f, fmt.Sprint("note ", i))
		f.StoreChanged()
		time.Sleep(time.Millisecond) // long enough for a batch
	}
	if err := f.CaughtUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if batches := f.Version() - before - stored; f.index.Len() != stored || batches > stored/2 {
		t.Errorf("%d memories are indexed, in %d batches; want %d in a few", f.index.Len(), batches, stored)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
