package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/cli/app"
	"recollect/internal/daemon"
)

// watching runs recollect watch, and returns its lines and what interrupts it.
func watching(t *testing.T, args ...string) (lines *bufio.Scanner, interrupt func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "recollect", append([]string{"watch"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return bufio.NewScanner(out), func() {
		t.Helper()
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("recollect watch: %v, want it to end well", err)
		}
	}
}

// A watch starts no daemon and ends none, and shows what comes of each request, in each daemon
// that runs.
func TestWatch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no interrupts for other processes")
	}
	home, _ := stressHome(t)
	if err := os.WriteFile(home+"/config.toml", []byte("[daemon]\nidle_exit = \"1s\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, interrupt := watching(t, "--json")
	texts, interruptTexts := watching(t)
	fire := func(event, prompt string) {
		t.Helper()
		if _, errs, err := fireHook(t.Context(), event, "s1", prompt); err != nil {
			t.Fatalf("%s: %v\n%s", event, err, errs)
		}
	}
	next := func() (r api.Recalled) {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("no line: %v", lines.Err())
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%v: %s", err, lines.Bytes())
		}
		return r
	}
	if _, err := os.Stat(home + "/daemon.lock"); err == nil {
		t.Error("a watch has started a daemon")
	}
	for round := range 2 {
		if _, errs, err := recollectCmd(t, "remember", "the database connection pool has 40 connections"); err != nil {
			t.Fatalf("recollect remember: %v\n%s", err, errs)
		}
		fire("UserPromptSubmit", "how many connections has the database connection pool?")
		if r := next(); r.Event != "UserPromptSubmit" || round == 0 && (r.Injected != 1 || r.Tokens == 0) || !strings.HasPrefix(r.Prompt, "how many") || r.Project != "app" {
			t.Errorf("round %d: %+v, want the prompt", round, r)
		}
		fire("UserPromptSubmit", "yes")
		if r := next(); r.Injected != 0 || r.Why == "" || r.Prompt != "yes" {
			t.Errorf("round %d: %+v, want why nothing was injected", round, r)
		}
		ctx, cancel := context.WithTimeout(t.Context(), app.AnswerIn)
		if err := daemon.WaitForEnd(ctx, home); err != nil {
			t.Errorf("round %d: the daemon that is watched: %v", round, err)
		}
		cancel()
	}
	interrupt()
	if !texts.Scan() || !strings.Contains(texts.Text(), "  the database connection pool has 40 connections, ") || !strings.Contains(texts.Text(), `"how many connections has`) {
		t.Errorf("line %q, want the first prompt", texts.Text())
	}
	if !texts.Scan() || !strings.Contains(texts.Text(), `  nothing: `) {
		t.Errorf("line %q, want why nothing was injected", texts.Text())
	}
	interruptTexts()
}
