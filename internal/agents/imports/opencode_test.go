package imports

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
)

// A session of the database becomes a transcript; those of sub-agents, rows that are broken, and a
// session whose name leads elsewhere do not.
func TestUnpackOpenCode(t *testing.T) {
	dir := t.TempDir()
	files, err := unpackHere(t, filepath.Join("testdata", "opencode.db"), dir, func(why error) { t.Error(why) })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(dir, "ses_df8d0b59cfferXHoaDnr1qJUQg.jsonl")}
	if d := cmp.Diff(want, files); d != "" {
		t.Fatalf("files (-want +got):\n%s", d)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("got %v, %v in the folder", entries, err)
	}
	f, err := transcript.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var turns []claudecode.Turn
	if _, err := f.Turns(0, func(turn claudecode.Turn) error { turns = append(turns, turn); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(turns) != 1 || len(turns[0].Actions) != 2 {
		t.Fatalf("got %d turns: %+v", len(turns), turns)
	}
	got := []string{turns[0].Client, turns[0].Cwd, turns[0].Prompt, turns[0].Actions[0].Command, filepath.Base(turns[0].Actions[1].File), turns[0].Replies[0]}
	want = []string{
		"opencode", "/src/orders", "Why do the connection pool tests hang?", "go test ./pool", "pool.go",
		"The pool never released a connection when the query failed; release is deferred now.",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("turn (-want +got):\n%s", d)
	}
}

func TestUnpackOpenCodeOfOthers(t *testing.T) {
	for _, name := range []string{"opencode.sql", "none.db"} {
		if files, err := unpackHere(t, filepath.Join("testdata", name), t.TempDir(), func(error) {}); err == nil {
			t.Errorf("%s: got %v", name, files)
		}
	}
	if files, err := unpackHere(t, filepath.Join("testdata", "engram.db"), t.TempDir(), func(error) {}); err != nil || len(files) > 0 {
		t.Errorf("another program's: got %v, %v", files, err)
	}
}

// unpackHere is UnpackOpenCode, but the database is read in this process.
func unpackHere(t *testing.T, path, dir string, skip func(error)) ([]string, error) {
	t.Helper()
	s := sessions{dir: dir, skip: skip}
	err := hereTo(t.Context(), "opencode", path, s.line)
	return s.files, errors.Join(err, s.close())
}
