package capture

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract"
	"recollect/internal/capture/handoff"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
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
		got := extract.DraftsOf(turns, home)
		if diff := cmp.Diff(got, extract.DraftsOf(turns, home)); diff != "" {
			t.Fatalf("the same turns teach something else (-first +again):\n%s", diff)
		}
		for _, m := range got {
			once, err := clean.Draft(m)
			if err != nil {
				t.Fatalf("%q: %v", m.Title, err)
			}
			twice, err := clean.Draft(memory.Draft{Memory: once.Memory()})
			if diff := cmp.Diff(once.Memory(), twice.Memory()); err != nil || diff != "" {
				t.Errorf("cleaned again, -once +twice: %v\n%s", err, diff)
			}
		}
		var all handoff.Session
		var before *extract.Turn
		for _, turn := range turns {
			before = extract.NewTurn(turn, home, before)
			all.Add(before)
		}
		all.Draft()
	})
}
