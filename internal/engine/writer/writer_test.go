package writer

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/engine/follower"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store/storetest"
	"recollect/internal/text/consolidate"
)

func TestWriterWithFullQueue(t *testing.T) {
	w := New(nil, nil, nil, quiet)
	for range maxQueue {
		w.queue <- write{}
	}
	_, err := w.Delete(t.Context(), "note-1")
	if !errors.Is(err, api.ErrBusy) {
		t.Errorf("Delete() with a full queue = %v, want ErrBusy", err)
	}
	if err := w.Append(t.Context(), cleaned(note("x"))); !errors.Is(err, api.ErrBusy) {
		t.Errorf("Append() with a full queue = %v", err)
	}
}

func TestWriterLeavesWithItsCaller(t *testing.T) {
	w := New(nil, nil, nil, quiet) // nobody runs it
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Append(ctx, cleaned(note("x"))); !errors.Is(err, context.Canceled) {
		t.Errorf("Append() = %v, want it to leave", err)
	}
}

// Writes that share a sync do not share their mistakes: one that cannot be
// stored fails alone.
func TestWritesFailAlone(t *testing.T) {
	w := open(t, t.TempDir())
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
		w.queue <- write{put: cleaned(ms...), done: c}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.Run(ctx)
	for i, wantErr := range []bool{false, true, false} {
		if r := <-done[i]; (r.err != nil) != wantErr {
			t.Errorf("job %d: error %v, want one = %t", i, r.err, wantErr)
		}
	}
	if got := w.store.Len(); got != 3 {
		t.Errorf("%d memories stored, want 3", got)
	}
}

var quiet = slog.New(slog.DiscardHandler)

func note(title string) memory.Memory { return memory.Memory{Source: memory.Inbox, Title: title} }

// cleaned makes ms fit to be stored, and sets their ids.
func cleaned(ms ...memory.Memory) []clean.Memory {
	out, err := clean.Drafts(memory.Drafts(ms...)...)
	if err != nil {
		panic(err)
	}
	for i, m := range out {
		ms[i] = m.Memory()
	}
	return out
}

// open opens a store with a writer that nobody runs yet.
func open(t *testing.T, home string) *Writer {
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
	vectors := follower.NewVectors(home, nil, s, nil, follower.Ahead{}, nil, quiet)
	return New(s, follower.NewIndex(s, x, nil, quiet), vectors, quiet)
}

// A change is made only to what is still as it was: neither what another turn
// has added meanwhile is lost, nor what the user has.
func TestAmend(t *testing.T) {
	home := t.TempDir()
	w := open(t, home)
	ms := []memory.Memory{note("kept"), note("confirmed"), note("edited"), note("deleted")}
	if err := w.store.Append(cleaned(ms...)...); err != nil {
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
	if err := w.store.Append(cleaned(confirmed)...); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store.Delete(time.Now(), ms[3].ID); err != nil {
		t.Fatal(err)
	}
	edited := ms[2]
	edited.Text = "by hand"
	appendLine(t, filepath.Join(home, "memories", "inbox.jsonl"), edited)

	stale, err := w.makeChanges(changes)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]bool{ms[1].ID: true, ms[2].ID: true, ms[3].ID: true}, stale); diff != "" {
		t.Errorf("stale (-want +got):\n%s", diff)
	}
	for _, want := range []memory.Memory{changes[0].Now, confirmed, edited} {
		got, err := w.store.Get(want.ID)
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
