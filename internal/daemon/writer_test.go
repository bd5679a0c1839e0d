package daemon

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// open opens a store and an index with a follower that nobody runs yet.
func open(t *testing.T, home string) *follower {
	t.Helper()
	lock, err := store.Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(lock, quiet)
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(filepath.Join(home, "index"), quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(x.Close(), s.Close(), lock.Release()); err != nil {
			t.Error(err)
		}
	})
	return newFollower(s, x, quiet)
}

// What is kept of the memories' version holds until the index has changed too:
// between a write and that, an answer may lack what was written.
func TestFollowChangesTheVersion(t *testing.T) {
	f := open(t, newHome(t))
	if err := f.follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := note("the pool has sixteen connections")
	if err := m.Normalize(); err != nil {
		t.Fatal(err)
	}
	if err := f.store.Append(m); err != nil {
		t.Fatal(err)
	}
	written := f.version.Load()
	if err := f.follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f.index.Len() != 1 || f.version.Load() == written {
		t.Errorf("%d memories are indexed at version %d, want 1 at another", f.index.Len(), written)
	}
}

func TestWriterWithFullQueue(t *testing.T) {
	w := newWriter(nil, nil, nil, quiet)
	for range maxQueue {
		w.queue <- write{}
	}
	_, err := w.delete(t.Context(), "note-1")
	if !errors.Is(err, errBusy) || statusOf(err) != http.StatusServiceUnavailable {
		t.Errorf("delete() with a full queue = %v, status %d, want 503", err, statusOf(err))
	}
	if err := w.append(t.Context(), []memory.Memory{note("x")}); !errors.Is(err, errBusy) {
		t.Errorf("append() with a full queue = %v", err)
	}
}

func TestWriterLeavesWithItsCaller(t *testing.T) {
	w := newWriter(nil, nil, nil, quiet) // nobody runs it
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.append(ctx, []memory.Memory{note("x")}); !errors.Is(err, context.Canceled) {
		t.Errorf("append() = %v, want it to leave", err)
	}
}

// Writes that share a sync do not share their mistakes: one that cannot be
// stored fails alone.
func TestWritesFailAlone(t *testing.T) {
	f := open(t, newHome(t))
	w := newWriter(f.store, f, newEmbedding(t.TempDir(), nil, f.store, nil, quiet), quiet)
	long := map[string]string{}
	for i := range 300 {
		long[strings.Repeat("k", i+1)] = strings.Repeat("<", 4<<10)
	}
	jobs := [][]memory.Memory{
		{note("one")},
		{{Source: memory.Inbox, Title: "too long for a line", Fields: long}},
		{note("two"), note("three")},
	}
	var done []chan written
	for _, ms := range jobs {
		c := make(chan written, 1)
		done = append(done, c)
		for i := range ms {
			if err := ms[i].Normalize(); err != nil {
				t.Fatal(err)
			}
		}
		w.queue <- write{put: ms, done: c}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.run(ctx)
	for i, wantErr := range []bool{false, true, false} {
		if r := <-done[i]; (r.err != nil) != wantErr {
			t.Errorf("job %d: error %v, want one = %t", i, r.err, wantErr)
		}
	}
	if got := f.store.Len(); got != 3 {
		t.Errorf("%d memories stored, want 3", got)
	}
}
