package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect"
	"recollect/internal/api"
)

// A turn that cannot be read is named by import, which ends with 1, and by status and doctor, and
// is not tried again; the rest is learned. A version that is newer tries it.
func TestImportLeavesOutATurn(t *testing.T) {
	for version, left := range map[string]bool{recollect.Version(): true, "0.0.1": false} {
		t.Run(version, func(t *testing.T) {
			home, _ := stressHome(t)
			path := filepath.Join(t.TempDir(), "s1.jsonl")
			const first = `{"type":"user","uuid":"u1","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:00:00Z","message":{"role":"user","content":"why does the nightly export skip an hour?"}}` + "\n" +
				`{"type":"assistant","uuid":"a1","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:00:05Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"It runs in local time, which skips an hour in March."}]}}` + "\n"
			second := strings.NewReplacer("10:00", "10:01", `"u1"`, `"u2"`, `"a1"`, `"a2"`, `"m1"`, `"m2"`, "nightly export skip an hour", "login page flicker", "It runs in local time, which skips an hour in March.", "The style sheet is loaded after the first paint.").Replace(first)
			skipped := fmt.Sprintf(`{"v":1,"turns":[{"path":%q,"session":"s1","turn":"u1","start":0,"line":1,"version":%q,"reason":"panic: boom","at":"2026-10-01T10:00:00Z"}]}`, path, version)
			for name, text := range map[string]string{path: first + second, filepath.Join(home, "skipped.json"): skipped} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, json := range []string{"--json=false", "--json"} {
				out, errs, err := recollectCmd(t, "import", path, json)
				if (err != nil) != left || strings.Contains(errs, "the turn at line 1 of session s1: panic: boom") != left || strings.Contains(errs, "import: 1 record could not be read") != left {
					t.Errorf("import %s: %v, %q", json, err, errs)
				}
				if json == "--json" && strings.Contains(out, `"unreadable": 1`) != left {
					t.Errorf("import --json: %s", out)
				}
			}
			out, _, err := recollectCmd(t, "search", "login page flicker")
			if err != nil || !strings.Contains(out, "flicker") {
				t.Errorf("the other turn: %v, %q", err, out)
			}
			for _, command := range []string{"status", "doctor"} {
				out, _, _ := recollectCmd(t, command)
				if words := strings.Join(strings.Fields(out), " "); strings.Contains(words, "the turn at line 1 of session s1: panic: boom") != left {
					t.Errorf("%s: %s", command, out)
				}
			}
			out, _, err = recollectCmd(t, "status", "--json")
			var h api.Health
			if err := json.Unmarshal([]byte(out), &h); err != nil || len(h.SkippedTurns) != h.Skipped || (h.Skipped == 1) != left {
				t.Fatalf("status --json: %v, %s", err, out)
			}
			if left && (h.SkippedTurns[0].Session != "s1" || h.SkippedTurns[0].Line != 1 || h.SkippedTurns[0].Path != path || h.SkippedTurns[0].Reason != "panic: boom") {
				t.Errorf("status --json: %+v, %v", h.SkippedTurns[0], err)
			}
		})
	}
}
