//go:build unix

package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"recollect/internal/agents/claudecode"
)

// Nobody writes to the pipes, so that to open one would wait for ever.
func TestPipes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s1", "subagents")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	agent := filepath.Join(dir, "agent-a.jsonl")
	line := `{"type":"user","uuid":"1","message":{"role":"user","content":"please fix the build"}}` + "\n"
	if err := os.WriteFile(agent, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, pipe := range []string{"agent-a.meta.json", "pipe.jsonl", "pipe.md"} {
		if err := syscall.Mkfifo(filepath.Join(dir, pipe), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []claudecode.Turn
	_, err := Turns(agent, 0, func(turn claudecode.Turn) error { got = append(got, turn); return nil })
	if err != nil || len(got) != 1 || got[0].Session != "s1" || !got[0].Sidechain {
		t.Errorf("beside a pipe: %+v, %v", got, err)
	}
	if _, err := Open(filepath.Join(dir, "pipe.jsonl")); err == nil || !strings.Contains(err.Error(), "is a named pipe") {
		t.Errorf("a pipe: %v", err)
	}
	if files, err := Files(dir); err != nil || len(files) != 1 || files[0] != agent {
		t.Errorf("files %q, %v, want the transcript alone", files, err)
	}
}
