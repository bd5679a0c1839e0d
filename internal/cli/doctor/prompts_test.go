package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
)

// A program in which the hook saw no prompt of any session is named, and no other.
func TestSilentPrograms(t *testing.T) {
	home, claude, now := t.TempDir(), t.TempDir(), time.Now()
	t.Setenv("CLAUDE_CONFIG_DIR", claude)
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(home, "daemon.lock"), "")
	installed := now.Add(-48 * time.Hour)
	if err := os.Chtimes(filepath.Join(home, "daemon.lock"), installed, installed); err != nil {
		t.Fatal(err)
	}
	begin := func(session, entry string, at time.Time) {
		write(filepath.Join(claude, "projects", "-app", session+".jsonl"), fmt.Sprintf(
			`{"type":"user","uuid":"u-%[1]s","sessionId":%[1]q,"cwd":"/app","entrypoint":%[2]q,"timestamp":%[3]q,"message":{"role":"user","content":"why does it hang?"}}`+"\n",
			session, entry, at.UTC().Format(time.RFC3339)))
	}
	for i, entry := range []string{"cli", "cli", "claude-vscode", "claude-vscode", "claude-desktop", "sdk-cli", "sdk-cli"} {
		begin(fmt.Sprint("s", i), entry, now.Add(-time.Hour))
	}
	begin("old1", "claude-desktop", installed.Add(-time.Hour)) // recollect was not there yet
	begin("own1", "claude-desktop", now.Add(-time.Hour))
	if err := api.WriteIncognito(home, "own1"); err != nil {
		t.Fatal(err)
	}
	write(api.SessionPath(home, "s0"), `{"id":"s0","last_prompt":"why does it hang?"}`)
	write(api.SessionPath(home, "s2"), `{"id":"s2","last_prompt":"why does it hang?","recalled":{"event":"PreToolUse"}}`) // other hooks ran

	in := &installation{silent: silentPrograms(home, now)}
	if found := checkPrompts(in); found.State != stateWarning || found.Text != "the hook sees none in claude-vscode (2 sessions)" {
		t.Errorf("checkPrompts() = %+v, want claude-vscode named", found)
	}
	write(api.SessionPath(home, "s3"), `{"id":"s3","recalled":{"event":"UserPromptSubmit"}}`)
	in.silent = silentPrograms(home, now)
	if found := checkPrompts(in); found.State != stateOK || !strings.Contains(found.Text, "every program") {
		t.Errorf("checkPrompts() = %+v, want nothing to complain about", found)
	}
}
