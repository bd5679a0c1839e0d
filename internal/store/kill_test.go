package store

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// childEnv makes a test run as the process that its parent watches.
const childEnv = "RECOLLECT_STORE_TEST_HOME"

// TestKill kills a process that appends as fast as it can, and looks for what
// it said was stored.
func TestKill(t *testing.T) {
	if home := os.Getenv(childEnv); home != "" {
		appendForEver(home)
	}
	home := t.TempDir()
	var acked []string
	for round := range 3 {
		acked = append(acked, runAndKill(t, home, 40*(round+1))...)
		lock, err := Acquire(home)
		if err != nil {
			t.Fatalf("Acquire() after the owner was killed = %v", err)
		}
		s, err := Open(lock, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range acked {
			if _, err := s.Get(id); err != nil {
				t.Errorf("round %d: acknowledged memory is lost: %v", round, err)
			}
		}
		if p := s.Problems(); len(p) > 0 {
			t.Errorf("round %d: Problems() = %v, want none", round, p)
		}
		shut(t, s)
		if err := lock.Release(); err != nil {
			t.Fatal(err)
		}
	}
}

// runAndKill starts a child on home, kills it after it acknowledged n
// memories, and returns all that it acknowledged.
func runAndKill(t *testing.T, home string, n int) []string {
	cmd := exec.Command(os.Args[0], "-test.run=^TestKill$")
	cmd.Env = append(os.Environ(), childEnv+"="+home)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var acked []string
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		acked = append(acked, strings.TrimSpace(line))
		if len(acked) == n {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || len(acked) < n {
		t.Fatalf("child ended by itself (%v) after %d memories, want it killed after %d", err, len(acked), n)
	}
	return acked
}

// appendForEver appends to two logs and prints each id once it is stored.
func appendForEver(home string) {
	lock, err := Acquire(home)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s, err := Open(lock, slog.New(slog.DiscardHandler))
	for i := 0; err == nil; i++ {
		text := fmt.Sprintf("%d of %d ", i, os.Getpid())
		ms := []memory.Memory{note(text + strings.Repeat("x", i%5000)), {Source: memory.Goals, Text: text}}
		if err = s.Append(cleaned(ms...)...); err == nil {
			fmt.Printf("%s\n%s\n", ms[0].ID, ms[1].ID)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
