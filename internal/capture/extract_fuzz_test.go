package capture

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

// Whatever a transcript holds, what it teaches is the same each time, can be
// stored, and has nothing in it that cleaning would have removed.
func FuzzExtract(f *testing.F) {
	seeds, err := filepath.Glob("testdata/labelled/*.jsonl")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, path := range seeds {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:min(len(b), 20_000)])
	}
	home := memory.Project{Name: "app", Path: "/app"}
	f.Fuzz(func(t *testing.T, transcript []byte) {
		var turns []claudecode.Turn
		if _, err := claudecode.ReadTurns(bytes.NewReader(transcript), 0, func(turn claudecode.Turn) error {
			turns = append(turns, turn)
			return nil
		}); err != nil {
			t.Skip(err)
		}
		got := Extract(turns, home)
		if diff := cmp.Diff(got, Extract(turns, home)); diff != "" {
			t.Fatalf("the same turns teach something else (-first +again):\n%s", diff)
		}
		for _, m := range got {
			clean := m
			CleanMemory(&clean)
			if clean.Title != m.Title || clean.Text != m.Text {
				t.Errorf("cleaning changes\n%q\n%q\nto\n%q\n%q", m.Title, m.Text, clean.Title, clean.Text)
			}
			if err := m.Normalize(); err != nil {
				t.Errorf("%q: %v", m.Title, err)
			}
		}
		var all session
		var before *scene
		for _, turn := range turns {
			before = newScene(turn, home, before)
			all.add(before)
		}
		all.handoff()
	})
}
