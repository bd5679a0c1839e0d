package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/transcript"
	"recollect/internal/memory"
)

// However often an import is killed, the next one leaves the same memories as an
// undisturbed import, and importing again changes nothing.
//
// RECOLLECT_STRESS is how often it is killed, RECOLLECT_STRESS_TRANSCRIPTS a
// folder to import instead of the samples.
func TestKillWhileImporting(t *testing.T) {
	skipIfShort(t, "takes 8 s")
	sessions := os.Getenv("RECOLLECT_STRESS_TRANSCRIPTS")
	if sessions == "" {
		sessions = manySessions(t, 4)
	}
	files, err := transcript.Files(sessions)
	if err != nil {
		t.Fatal(err)
	}
	stressHome(t)
	importWhole(t, sessions)
	want := exported(t)
	importWhole(t, sessions)
	if diff := cmp.Diff(want, exported(t)); diff != "" {
		t.Fatalf("a second import changes memories (-first +second):\n%s", diff)
	}

	stressHome(t)
	n := rounds(t, 3)
	for round := range n { // each runs a bit longer, otherwise most would only read what is stored already
		importKilled(t, sessions, len(files)*round/n+rand.IntN(len(files)/n+1))
	}
	importWhole(t, sessions)
	if diff := cmp.Diff(want, exported(t)); diff != "" {
		t.Errorf("memories after %d kills differ (-undisturbed +killed):\n%s", n, diff)
	}
}

func importWhole(t *testing.T, dir string) {
	t.Helper()
	if _, errs, err := recollectCmd(t, "import", dir); err != nil {
		t.Fatalf("recollect import: %v\n%s", err, errs)
	}
}

// importKilled begins an import and kills it and the daemon while the file
// behind the first so many is read, or a bit later.
func importKilled(t *testing.T, dir string, files int) {
	t.Helper()
	daemon := awake(t)
	cmd := exec.CommandContext(t.Context(), "recollect", "import", dir)
	progress, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(progress)
	for range files {
		lines.Scan()
	}
	<-time.After(time.Duration(rand.IntN(50_000)) * time.Microsecond)
	if err := daemon.Kill(); err != nil {
		t.Errorf("kill daemon: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Errorf("kill import: %v", err)
	}
	cmd.Wait() // it was killed
}

// exported returns all memories by id, without the time of their recording.
func exported(t *testing.T) map[string]memory.Memory {
	t.Helper()
	out, errs, err := recollectCmd(t, "export")
	if err != nil {
		t.Fatalf("recollect export: %v\n%s", err, errs)
	}
	all := map[string]memory.Memory{}
	for line := range bytes.Lines([]byte(out)) {
		var m memory.Memory
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("recollect export: %v: %s", err, line)
		}
		m.RecordedAt = time.Time{}
		all[m.ID] = m
	}
	if len(all) == 0 {
		t.Fatal("no memories")
	}
	return all
}

var (
	uuidStart = regexp.MustCompile(`\b[0-9a-f]{4}([0-9a-f]{4}-[0-9a-f]{4}-4[0-9a-f]{3}-)`)
	stamp     = regexp.MustCompile(`"timestamp":"([^"]+)"`)
)

// manySessions makes a folder in which the samples happened on each of so many
// days, so that failures recur and decisions are made again.
func manySessions(t *testing.T, days int) string {
	t.Helper()
	from, to := filepath.Join("..", "..", "testdata", "transcripts", "projects"), t.TempDir()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for day := range days {
			other := fmt.Appendf(nil, "%04x$1", day)
			name, _ := filepath.Rel(from, path)
			name = filepath.Join(to, string(uuidStart.ReplaceAll([]byte(name), other)))
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				return err
			}
			if err := os.WriteFile(name, later(uuidStart.ReplaceAll(text, other), day), 0o600); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// later moves the times in a transcript by a number of days.
func later(transcript []byte, days int) []byte {
	return stamp.ReplaceAllFunc(transcript, func(match []byte) []byte {
		at, err := time.Parse(time.RFC3339Nano, string(stamp.FindSubmatch(match)[1]))
		if err != nil {
			return match
		}
		return at.AddDate(0, 0, days).AppendFormat([]byte(`"timestamp":"`), time.RFC3339Nano+`"`)
	})
}
