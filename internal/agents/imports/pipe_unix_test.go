//go:build unix

package imports

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Nobody writes to the pipes, so that to open one would wait for ever.
func TestPipes(t *testing.T) {
	db, err := os.ReadFile(filepath.Join("testdata", "engram.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ program, file, pipe string }{
		{"engram", "", "engram.db"},
		{"engram", "engram.db", "engram.db-wal"},
		{"engram", "engram.db", "engram.db-journal"},
		{"local-recall", "episodic-memory/x.md", "episodic-memory/1.jsonl"},
		{"episodic-memory", "s1-summary.txt", "s1.jsonl"},
		{"memory-md", "x.md", "y.md"},
		{"memory-md", "", "z.md"},
	} {
		t.Run(tt.program+" "+tt.pipe, func(t *testing.T) {
			dir := t.TempDir()
			pipe := filepath.Join(dir, filepath.FromSlash(tt.pipe))
			if err := os.MkdirAll(filepath.Dir(pipe), 0o700); err != nil {
				t.Fatal(err)
			}
			if tt.file != "" {
				if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(tt.file)), db, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			path := dir
			if tt.file == "" {
				path = pipe
			}
			if _, err := readAll(t, tt.program, path); (tt.file == "") != (err != nil && strings.Contains(err.Error(), "named pipe")) {
				t.Errorf("error %v", err)
			}
		})
	}
}
