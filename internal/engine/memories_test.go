package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// Writers and readers at once: nothing that was acknowledged is missing, to
// any search that comes after.
func TestConcurrentUse(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	const writers, each = 4, 25
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				title := fmt.Sprintf("pool writer%d number%d", w, i)
				if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(note(title))}); err != nil {
					t.Error(err)
					return
				}
				found, err := r.Search(t.Context(), api.Search{Query: fmt.Sprintf("writer%d number%d", w, i), Limit: 1})
				if err != nil || len(found.Results) == 0 || found.Results[0].Memory.Title != title {
					t.Errorf("search for %q: %v, %v", title, found.Results, err)
				}
			}
		})
		wg.Go(func() {
			for range each {
				if _, err := r.Recollect(t.Context(), api.Prompt{SessionID: fmt.Sprint(w % 2), Prompt: "how big is the pool?"}); err != nil {
					t.Error(err)
				}
				if _, err := r.Export(t.Context(), api.Page{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for range 2 {
		if got := r.search("pool"); len(got) != writers*each {
			t.Errorf("%d memories found, want %d", len(got), writers*each)
		}
		r.end()
		r = start(t, home) // and again after a restart
	}
}

func TestRemember(t *testing.T) {
	r := start(t, newHome(t))
	const here = "/home/dev/src/app"
	tests := []struct {
		name string
		in   memory.Memory
		cwd  string
		want memory.Project
	}{
		{"belongs to the folder", memory.Memory{}, here, memory.Project{Name: "app", Path: here}},
		{"of no folder", memory.Memory{}, "", memory.Project{}},
		{"called by the folder's name", memory.Memory{Project: "app"}, here, memory.Project{Name: "app", Path: here}},
		{"called by another name", memory.Memory{Project: "shop"}, here, memory.Project{Name: "shop"}},
		{"called by a path", memory.Memory{Project: "/home/dev/src/shop"}, here, memory.Project{Name: "shop", Path: "/home/dev/src/shop"}},
		{"comes with its project", memory.Memory{Project: "app", ProjectPath: "/srv/app"}, here, memory.Project{Name: "app", Path: "/srv/app"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := tt.in
			m.Source, m.Text = memory.Inbox, tt.name
			done, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(m), Cwd: tt.cwd})
			if err != nil || len(done.IDs) != 1 {
				t.Fatalf("Remember() = %v, %v", done, err)
			}
			got, err := r.Memory(t.Context(), done.IDs[0])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Home()); diff != "" {
				t.Errorf("project (-want +got):\n%s", diff)
			}
			if got.OccurredAt.IsZero() || got.RecordedAt.IsZero() || got.Origin != memory.OriginUser {
				t.Errorf("occurred %v, recorded %v, origin %q", got.OccurredAt, got.RecordedAt, got.Origin)
			}
		})
	}
}

func TestSameMemoryTwice(t *testing.T) {
	r := start(t, newHome(t))
	first, second := r.remember("the pool has 40 connections"), r.remember("the pool has 40 connections")
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("ids (-first +second):\n%s", diff)
	}
	if got := r.search("pool"); len(got) != 1 {
		t.Errorf("search() = %q, want one", got)
	}
}

// What a user writes into a log while the daemon runs counts from the next
// write on.
func TestHandEditWhileRunning(t *testing.T) { withAndWithoutMeaning(t, handEdit) }

func handEdit(t *testing.T, r *running) {
	r.remember("the pool has 40 connections")
	r.search("pool")
	byHand := note("written by hand")
	if err := byHand.Normalize(); err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(byHand)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(r.Home, "memories", "inbox.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	f.Close()
	r.remember("after the hand")
	if got := r.search("hand"); !slices.Contains(got, "after the hand") || !slices.Contains(got, "written by hand") {
		t.Errorf("search() = %q, want what was written by hand, and after it", got)
	}
	r.embedded(3)
}

// The last line for an id wins, wherever it was written: an edit in the
// middle of a log is found by the next write.
func TestRewriteWhileRunning(t *testing.T) { withAndWithoutMeaning(t, rewrite) }

func rewrite(t *testing.T, r *running) {
	r.remember("the pool has 40 connections")
	r.remember("the cache has 90 entries")
	r.search("pool")
	path := filepath.Join(r.Home, "memories", "inbox.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := cutLine(b)
	if err := os.WriteFile(path, rest, 0o600); err != nil {
		t.Fatal(err)
	}
	r.remember("the queue has 64 chores")
	r.until("the index follows", func() bool { return len(r.search("pool cache queue")) == 2 })
	if got := r.search("pool"); slices.Contains(got, "the pool has 40 connections") {
		t.Errorf("search for what was cut out = %q", got)
	}
	r.embedded(2)
}

func cutLine(b []byte) (line, rest []byte, found bool) {
	i := slices.Index(b, '\n')
	if i < 0 {
		return b, nil, false
	}
	return b[:i], b[i+1:], true
}

// The index is derived: without it everything is found again.
func TestIndexDeleted(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	r.remember("the pool has 40 connections")
	r.search("pool")
	if err := os.RemoveAll(filepath.Join(home, "index")); err != nil {
		t.Fatal(err)
	}
	r.remember("the cache has 90 entries")
	finds := func(want int) func() bool {
		return func() bool { // searches may fail until the damage is noticed
			if len(r.ended) > 0 { // it could not begin anew, so the next daemon does
				r = start(t, home)
			}
			found, err := r.Search(t.Context(), api.Search{Query: "pool cache queue", Limit: 10})
			return err == nil && len(found.Results) == want
		}
	}
	r.until("both are found", finds(2))

	generations, err := filepath.Glob(filepath.Join(home, "index", "*"))
	if err != nil || len(generations) != 1 {
		t.Fatalf("index has %q, %v", generations, err)
	}
	if err := os.RemoveAll(generations[0]); err != nil {
		t.Fatal(err)
	}
	r.remember("the queue has 64 chores")
	r.until("all are found", finds(3))

	r.end()
	if err := os.RemoveAll(filepath.Join(home, "index")); err != nil {
		t.Fatal(err)
	}
	r = start(t, home)
	if got := r.search("pool cache queue"); len(got) != 3 {
		t.Errorf("search() after a restart without index = %q, want all", got)
	}
}

// The words of what was forgotten do not stay on disk.
func TestForgottenWordsGo(t *testing.T) { withAndWithoutMeaning(t, forgottenWords) }

func forgottenWords(t *testing.T, r *running) {
	id := r.remember("the password is tulip")[0]
	r.remember("the pool has 40 connections")
	if m, err := r.Forget(t.Context(), id); err != nil || m.ID != id {
		t.Fatalf("Forget() = %v, %v", m, err)
	}
	if got := r.search("tulip"); slices.Contains(got, "the password is tulip") {
		t.Errorf("search() = %q", got)
	}
	r.embedded(1)
	r.end()
	b, err := os.ReadFile(filepath.Join(r.Home, "memories", "inbox.jsonl"))
	if err != nil || slices.Contains(wordsOf(b), "tulip") || !slices.Contains(wordsOf(b), "pool") {
		t.Errorf("log = %s, %v", b, err)
	}
}
