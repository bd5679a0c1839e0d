package daemon

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/consolidate"
	"recollect/internal/memory"
)

// A daemon consolidates what changed while it ran, at the latest before it
// ends; what is superseded stays readable.
func TestConsolidation(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	ids := r.remember("the pool of the orders service has 40 connections", "The pool of the orders service has 40 connections, please!",
		"the pool of the orders service has 25 connections")
	r.end()

	r = start(t, home)
	defer r.end()
	by := map[string]string{}
	for _, id := range ids {
		got, err := r.Memory(t.Context(), id)
		if err != nil || got.Title == "" {
			t.Fatalf("Memory(%s) = %+v, %v", id, got, err)
		}
		if got.SupersededBy != "" {
			by[id] = got.SupersededBy
		}
	}
	newer, older := max(ids[0], ids[1]), min(ids[0], ids[1]) // they are of one second
	if diff := cmp.Diff(map[string]string{older: newer}, by); diff != "" {
		t.Errorf("superseded (-want +got):\n%s", diff)
	}
	done, err := r.Consolidate(t.Context(), api.Consolidate{})
	if err != nil || len(done.Merges) != 0 {
		t.Errorf("Consolidate() = %+v, %v, want nothing left to do", done, err)
	}
}

// A change is made only to what is still as it was: neither what another turn
// has added meanwhile is lost, nor what the user has.
func TestAmend(t *testing.T) {
	home := newHome(t)
	f := open(t, home)
	w := newWriter(f.store, f, newEmbedding(t.TempDir(), nil, f.store, nil, quiet), quiet)
	ms := []memory.Memory{note("kept"), note("confirmed"), note("edited"), note("deleted")}
	if err := f.store.Append(ms...); err != nil {
		t.Fatal(err)
	}
	var changes []consolidate.Change
	for _, m := range ms {
		now := m
		now.Supersedes = []string{"note-000000000001"}
		changes = append(changes, consolidate.Change{Was: m, Now: now})
	}
	confirmed := ms[1]
	confirmed.ConfirmedBy = []string{"t2"}
	if err := f.store.Append(confirmed); err != nil {
		t.Fatal(err)
	}
	if _, err := f.store.Delete(time.Now(), ms[3].ID); err != nil {
		t.Fatal(err)
	}
	edited := ms[2]
	edited.Text = "by hand"
	appendLine(t, filepath.Join(home, "memories", "inbox.jsonl"), edited)

	stale, err := w.change(changes)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]bool{ms[1].ID: true, ms[2].ID: true, ms[3].ID: true}, stale); diff != "" {
		t.Errorf("stale (-want +got):\n%s", diff)
	}
	for _, want := range []memory.Memory{changes[0].Now, confirmed, edited} {
		got, err := f.store.Get(want.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("memory (-want +got):\n%s", diff)
		}
	}
}

// appendLine writes a memory into a log as a user would.
func appendLine(t *testing.T, path string, m memory.Memory) {
	t.Helper()
	line, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if _, err := log.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
}
