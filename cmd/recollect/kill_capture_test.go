package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/transcript"
)

// A session that is captured as it goes leaves the same memories and the same brief as one that
// is imported at once, however often the daemon is killed on the way.
//
// RECOLLECT_STRESS is the number of pieces in which each session is captured.
func TestKillWhileCapturing(t *testing.T) {
	skipIfShort(t, "takes 9 s")
	whole := manySessions(t, 1)
	stressHome(t)
	importWhole(t, whole)
	want, wantBrief := exported(t), resumed(t)

	home, _ := stressHome(t)
	grown := t.TempDir()
	files, err := transcript.Files(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name, err := filepath.Rel(whole, file)
		if err != nil {
			t.Fatal(err)
		}
		captureKilled(t, home, file, filepath.Join(grown, name), rounds(t, 2))
	}
	exported(t)           // fails if nothing was captured on the way
	importWhole(t, grown) // reads on where the last daemon was killed
	if diff := cmp.Diff(want, exported(t)); diff != "" {
		t.Errorf("memories (-at once +killed):\n%s", diff)
	}
	if diff := cmp.Diff(wantBrief, resumed(t)); diff != "" {
		t.Errorf("brief (-at once +killed):\n%s", diff)
	}
}

// captureKilled lets a transcript grow in so many pieces, which need not end with a line, and
// kills the daemon about when it stores what it found in the first, the third and so on, and after
// that in the others.
func captureKilled(t *testing.T, home, from, to string, pieces int) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	for piece := range pieces {
		daemon := awake(t)
		if err := os.WriteFile(to, text[:len(text)*(piece+1)/pieces], 0o600); err != nil {
			t.Fatal(err)
		}
		before := offsetsIn(t, home)
		session := filepath.Base(to[:len(to)-len(".jsonl")])
		if _, stderr, err := fireHookAt(t.Context(), "Stop", session, "", to); err != nil || stderr != "" {
			t.Fatalf("hook: %v, %q", err, stderr)
		}
		eventually(t, "the transcript is read", func() bool {
			now := offsetsIn(t, home)
			stored := !strings.Contains(now, `"tried"`)
			return now != before && (stored || piece%2 == 0)
		})
		<-time.After(time.Duration(rand.IntN(10)) * time.Millisecond)
		if err := daemon.Kill(); err != nil {
			t.Fatal(err)
		}
	}
}

// offsetsIn returns what is recorded of how far transcripts were read.
func offsetsIn(t *testing.T, home string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "sessions", "offset-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // replaced meanwhile
		}
		all += string(text)
	}
	return all
}

// resumed returns the start of a new session in the project of most samples.
func resumed(t *testing.T) string {
	t.Helper()
	out, errs, err := recollectCmd(t, "resume", "--dir", "/home/dev/src/orders-api")
	if err != nil || !bytes.Contains([]byte(out), []byte("[session]")) {
		t.Fatalf("recollect resume: %v\n%s%s", err, out, errs)
	}
	return out
}
