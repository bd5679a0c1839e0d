package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/store/backup"
)

// A backup that is made while memories are stored has whole ones, as many as it says, and of each
// request both or none.
func TestBackupWhileWriting(t *testing.T) {
	const writes, backups = 60, 8
	r := start(t, newHome(t))
	var g errgroup.Group
	g.Go(func() error {
		for i := range writes {
			_, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(
				memory.Memory{Source: memory.Journal, Text: fmt.Sprintf("decision number %d about the trains", i)},
				memory.Memory{Source: memory.Inbox, Text: fmt.Sprintf("note number %d about the trains", i)},
			)})
			if err != nil {
				return err
			}
		}
		return nil
	})
	dir := t.TempDir()
	for i := range backups {
		path := filepath.Join(dir, fmt.Sprint(i))
		done, err := r.Backup(t.Context(), api.Backup{Path: path, Version: "1.2.3"})
		if err != nil {
			t.Fatal(err)
		}
		if n := restored(t, path); n != done.Memories || n%2 != 0 {
			t.Errorf("backup %d says %d memories and has %d", i, done.Memories, n)
		}
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Backup(t.Context(), api.Backup{Path: filepath.Join(dir, "0")}); err == nil {
		t.Error("a backup was overwritten")
	}
	if _, err := r.Backup(t.Context(), api.Backup{Path: "relative"}); err == nil {
		t.Error("a relative path was taken: it would be in the daemon's folder")
	}
}

// restored returns how many memories a daemon finds in a backup.
func restored(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	home := newHome(t)
	if _, err := backup.Stage(t.Context(), f, home); err != nil {
		t.Fatal(err)
	}
	if err := backup.Swap(home); err != nil {
		t.Fatal(err)
	}
	r := start(t, home)
	h := r.health()
	if len(h.Problems) > 0 {
		t.Errorf("problems: %q", h.Problems)
	}
	r.end()
	return h.Memories
}
