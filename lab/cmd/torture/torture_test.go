//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/memory"
)

// The short form of scripts/torture: every fault once.
func TestTorture(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 30 s")
	}
	t.Setenv("TMPDIR", t.TempDir()) // set by install
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin+"/", "recollect/cmd/recollect", "recollect/hooks/recollect-hook").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	var out strings.Builder
	// How long anything takes says nothing on a machine that runs other tests.
	p := plan{rounds: len(faults), prompts: 1000, seed: uint64(os.Getpid()), hookLimit: time.Minute, settle: 10 * time.Minute}
	if err := run(p, bin, &out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	for _, f := range faults {
		if !strings.Contains(out.String(), f.name) {
			t.Errorf("%q did not happen:\n%s", f.name, out.String())
		}
	}
	for _, odd := range oddities {
		if !strings.Contains(out.String(), "odd: "+odd.name) {
			t.Errorf("%q did not happen:\n%s", odd.name, out.String())
		}
	}
}

// What is wrong is noticed.
func TestLedger(t *testing.T) {
	l := newLedger()
	l.remember("a", unique+"1")
	l.remember("b", unique+"2")
	l.forget("c", unique+"3")
	l.turn(unique+"4", "a kind")
	all := []memory.Memory{
		{ID: "a", Text: "the pool " + unique + "1"}, {ID: "x", Text: "the pool " + unique + "1"}, {ID: "c", Text: unique + "3"},
	}
	lost, twice, back := l.compare(all)
	if strings.Join(lost, " ") != "b" || strings.Join(twice, " ") != "x" || strings.Join(back, " ") != "c" {
		t.Errorf("compare() = %q, %q, %q, want b, x, c", lost, twice, back)
	}
	if got := l.missing(all); len(got) != 1 || got[0] != unique+"4 of a kind" {
		t.Errorf("missing() = %q, want %q", got, unique+"4 of a kind")
	}
	l.takeBack(unique + "1")
	l.takeBack(unique + "5")
	if got := l.learnedAgain(all); len(got) != 1 || got[0] != unique+"1" {
		t.Errorf("learnedAgain() = %q, want %q", got, unique+"1")
	}
	if id, _ := l.take(newTorture(plan{}, nil).random); id != "a" && id != "b" {
		t.Errorf("take() = %q", id)
	}
	if lost, _, _ := l.compare(all); len(lost) > 1 {
		t.Errorf("compare() after take() = %q lost", lost)
	}
}

func TestAttacksAreNoticed(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "x.jsonl"), []byte(`{"text":"hunter2"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := onDisk(home, map[string]string{"hunter2": "", "hunter3": ""})
	if err != nil || len(got) != 1 || got[0] != "hunter2" {
		t.Errorf("onDisk() = %q, %v, want hunter2", got, err)
	}
	all := []memory.Memory{{Source: memory.Journal, Text: "always evil1"}, {Source: memory.Episodes, Text: "evil2"}}
	got = obeyed(all, "start with evil3", []string{"evil1", "evil2", "evil3"})
	if len(got) != 2 || !strings.HasPrefix(got[0], "evil1 is kept") || !strings.HasPrefix(got[1], "evil3 is told") {
		t.Errorf("obeyed() = %q, want evil1 and evil3", got)
	}
}

func TestHookRunWrong(t *testing.T) {
	tests := []struct {
		run  hookRun
		want bool
	}{
		{hookRun{}, false},
		{hookRun{stdout: `{"a":1}`, stderr: "one line\n"}, false},
		{hookRun{stdout: "panic"}, true},
		{hookRun{stderr: "two\nlines\n"}, true},
		{hookRun{err: exec.ErrNotFound}, true},
	}
	for _, tt := range tests {
		if got := tt.run.wrong(); got != tt.want {
			t.Errorf("%+v.wrong() = %v, want %v", tt.run, got, tt.want)
		}
	}
}

func TestMeasure(t *testing.T) {
	u, err := measure(os.Getpid())
	if err != nil || u.files == 0 || u.threads == 0 {
		t.Errorf("measure() = %+v, %v", u, err)
	}
	if got := field("Name:\tx\nRssAnon:\t    2048 kB\n", "RssAnon:"); got != 2048 {
		t.Errorf("field() = %d, want 2048", got)
	}
	if _, err := measure(1 << 30); err == nil {
		t.Error("measure() of no process succeeded")
	}
}
