//go:build unix

package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/capture/finding"
	"recollect/internal/config"
)

// fakeClaude puts a script called claude before all else on the PATH.
func fakeClaude(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "claude"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func command(timeout time.Duration) config.Capture {
	c := config.Default().Capture
	c.Extractor, c.Model, c.Timeout = config.ModelClaude, "haiku", config.Duration(timeout)
	return c
}

// printed is what "claude -p --output-format json" prints for an answer.
func printed(answer string, failed bool) string {
	quoted, _ := json.Marshal(answer)
	return fmt.Sprintf("cat >/dev/null; cat <<'END'\n"+`{"type":"result","subtype":"success","is_error":%t,"result":%s,"session_id":"1"}`+"\nEND\n", failed, quoted)
}

// The command cannot call us back: no hook, no tool, no session, an empty
// folder, and a prompt that captures leave alone.
func TestClaude(t *testing.T) {
	seen := t.TempDir()
	t.Setenv("SEEN", seen)
	for name, value := range map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1", "ANTHROPIC_API_KEY": "k", "CLAUDE_CONFIG_DIR": seen} {
		t.Setenv(name, value)
	}
	fakeClaude(t, `printf '%s\n' "$@" >"$SEEN/args"; env >"$SEEN/env"; cat >"$SEEN/stdin"; ls -A >"$SEEN/files"; pwd >"$SEEN/pwd"`+"\n"+printed(good, false))
	got, err := open(t, command(time.Minute)).Read(t.Context(), []string{"User: hello\n", "User: let us keep sessions in Redis\n"})
	if diff := cmp.Diff(wantGood, got); diff != "" || err != nil {
		t.Fatalf("Read() = %v, -want +got:\n%s", err, diff)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(seen, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, want := range []string{"--print", "--no-session-persistence", "--strict-mcp-config", "--tools\n\n", `{"disableAllHooks":true}`, "--model\nhaiku"} {
		if !strings.Contains(read("args"), want) {
			t.Errorf("no %q in the arguments:\n%s", want, read("args"))
		}
	}
	env := strings.Split(read("env"), "\n")
	if !slices.Contains(env, "RECOLLECT_DISABLE=1") || !slices.Contains(env, "CLAUDE_CONFIG_DIR="+seen) {
		t.Errorf("environment:\n%s", read("env"))
	}
	for _, foreign := range []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=s1", "ANTHROPIC_API_KEY=k"} {
		if slices.Contains(env, foreign) {
			t.Errorf("environment has %s", foreign)
		}
	}
	if !strings.HasPrefix(read("stdin"), mark) || !strings.Contains(read("stdin"), "let us keep sessions in Redis") {
		t.Errorf("standard input:\n%s", read("stdin"))
	}
	if dir := strings.TrimSpace(read("pwd")); read("files") != "" || !strings.Contains(filepath.Base(dir), "recollect-") {
		t.Errorf("it ran in %s with %q", dir, read("files"))
	} else if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was left behind: %v", err)
	}
}

func TestBadClaude(t *testing.T) {
	tests := []struct {
		name, script string
		want         string
		answer       bool
	}{
		{"not logged in, with a status", printed("Not logged in · Please run /login", true) + "exit 1\n", "claude: Not logged in · Please run /login", false},
		{"no key", printed("Invalid API key · Please run /login", true), "claude: Invalid API key", false},
		{"older than its flags", "echo \"error: unknown option '--tools'\" >&2; exit 1", "exit status 1: error: unknown option '--tools'", false},
		{"killed", "kill -9 $$", "signal: killed", false},
		{"silent", "exit 0", "something other than JSON", false},
		{"not JSON", "echo Welcome", "something other than JSON: Welcome", false},
		{"no result", `echo '{"type":"result"}'`, "no result", false},
		{"nothing to say", printed(" ", false), "it is empty", true},
		{"chatter", printed("I found nothing of note.", false), "unusable answer", true},
		{"endless", "exec cat /dev/zero", "more than 1048576 bytes", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fakeClaude(t, tt.script)
			got, err := open(t, command(time.Minute)).Read(t.Context(), []string{"User: hello"})
			if err == nil || got != nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Read() = %v, %v, want one line with %q", got, err, tt.want)
			}
			if errors.Is(err, finding.ErrAnswer) != tt.answer {
				t.Errorf("Read() = %v, an answer: %v", err, !tt.answer)
			}
		})
	}
}

// What the command started may outlive it; nobody waits for that.
func TestStuckClaude(t *testing.T) {
	fakeClaude(t, "sleep 10 & wait")
	began := time.Now()
	_, err := open(t, command(50*time.Millisecond)).Read(t.Context(), []string{"User: hello"})
	if err == nil || !strings.Contains(err.Error(), "no answer within 50ms") {
		t.Errorf("Read() = %v", err)
	}
	if took := time.Since(began); took > leaveAfter+10*time.Second {
		t.Errorf("waited %v", took)
	}
}

func TestNoClaude(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := open(t, command(time.Minute)).Read(t.Context(), []string{"User: hello"})
	if err == nil || !strings.Contains(err.Error(), "executable file not found") {
		t.Errorf("Read() = %v", err)
	}
}
