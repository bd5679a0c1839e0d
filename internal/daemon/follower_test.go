package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
	"recollect/internal/store"
)

// indexed lists the ids in the index, in order.
func indexed(t *testing.T, f *follower) []string {
	t.Helper()
	ids, err := f.index.IDs()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ids)
	return ids
}

func stored(f *follower) []string {
	ids := slices.Clone(f.store.IDs())
	slices.Sort(ids)
	return ids
}

func put(t *testing.T, f *follower, titles ...string) {
	t.Helper()
	var ms []memory.Memory
	for _, title := range titles {
		ms = append(ms, note(title))
	}
	if err := f.store.Append(ms...); err != nil {
		t.Fatal(err)
	}
}

func TestFollower(t *testing.T) {
	home := newHome(t)
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
			_, rest, _ := cutLine(b)
			_, rest, _ = cutLine(rest)
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
		if err := f.follow(t.Context()); err != nil {
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

// A follower says that it is done only once what was announced is found.
func TestFollowerCatchesUp(t *testing.T) {
	f := open(t, newHome(t))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.run(ctx) }()
	for _, title := range []string{"one", "two", "three"} {
		put(t, f, title)
		f.wake()
		if err := f.caughtUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(stored(f), indexed(t, f)); diff != "" {
			t.Errorf("%s (-store +index):\n%s", title, diff)
		}
	}
	if got := f.status(); got != "ready" {
		t.Errorf("status() = %q, want ready", got)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("run() = %v", err)
	}
	f.wake()
	if err := f.caughtUp(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("caughtUp() with nobody following = %v, want it to end with ctx", err)
	}
}
