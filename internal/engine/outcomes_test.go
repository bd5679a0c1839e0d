package engine

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/api"
)

// wrappedTurn is a turn of a session in which a wrapper failed, and the plain command passed.
func wrappedTurn(session, cwd string) string {
	call := func(id, command string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"b%s","sessionId":%q,"cwd":%q,"timestamp":"2026-10-01T10:00:02Z","message":{"id":"n%s","role":"assistant","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}]}}`+"\n", id, session, cwd, id, id, command)
	}
	result := func(id, output string, failed bool) string {
		return fmt.Sprintf(`{"type":"user","uuid":"r%s","sessionId":%q,"cwd":%q,"timestamp":"2026-10-01T10:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"is_error":%t,"content":%q}]}}`+"\n", id, session, cwd, id, failed, output)
	}
	return fmt.Sprintf(`{"type":"user","uuid":"u%s","sessionId":%q,"cwd":%q,"timestamp":"2026-10-01T10:00:00Z","message":{"role":"user","content":"check the cart"}}`+"\n", session, session, cwd) +
		call("1"+session, "wrapzebra pnpm run lint") + result("1"+session, "error: unrecognized subcommand 'pnpm'", true) +
		call("2"+session, "pnpm run lint") + result("2"+session, "ok", false) +
		fmt.Sprintf(`{"type":"assistant","uuid":"a%s","sessionId":%q,"cwd":%q,"timestamp":"2026-10-01T10:00:05Z","message":{"id":"m%s","role":"assistant","content":[{"type":"text","text":"The basket is checked; nothing is left to do there."}]}}`+"\n", session, session, cwd, session)
}

// warned returns what a session is told before the wrapper runs again.
func (r *running) warned(session string) string {
	r.t.Helper()
	got, err := r.Tool(r.t.Context(), api.ToolCall{SessionID: session, Cwd: folder, Tool: "Bash", Input: json.RawMessage(`{"command":"wrapzebra pnpm run lint 2>&1"}`)})
	if err != nil {
		r.t.Fatal(err)
	}
	return got.Context
}

func (r *running) importTurns(sessions ...string) {
	r.t.Helper()
	for _, s := range sessions {
		path := filepath.Join(r.t.TempDir(), s+".jsonl")
		leave(r.t, path, wrappedTurn(s, folder))
		if _, err := r.Import(r.t.Context(), api.Import{Path: path}); err != nil {
			r.t.Fatal(err)
		}
	}
}

// A call that failed in earlier sessions is warned of once a session, also after a restart, unless failures are
// switched off.
func TestWarningBeforeACall(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	r.importTurns("s1", "s2")
	const want = "[failure] `wrapzebra pnpm run lint` failed in 2 of 2 sessions (\"unrecognized subcommand 'pnpm'\"), last 2026-10-01; without `wrapzebra` it passed 2 times"
	if got := r.warned("s1"); got != "" {
		t.Errorf("a session that saw it is told %q", got)
	}
	if got := r.warned("s3"); !strings.Contains(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
	if got := r.warned("s3"); got != "" {
		t.Errorf("told %q again", got)
	}
	r.end()
	r = start(t, home)
	if again, other := r.warned("s3"), r.warned("s4"); again != "" || !strings.Contains(other, want) {
		t.Errorf("after a restart told %q again, and another session %q", again, other)
	}
	r.end()
	configure(t, home, "[sources.failures]\nenabled = false\n")
	r = start(t, home)
	if got := r.warned("s5"); got != "" {
		t.Errorf("without failures told %q", got)
	}
}

// Whatever is forgotten of a session, a project or by its words is told no more, leaves the file, and is not learned
// again.
func TestForgetOutcomes(t *testing.T) {
	tests := []struct {
		name string
		in   api.Forget
		left int // sessions
	}{
		{"a session", api.Forget{Session: "s1"}, 1},
		{"the project", api.Forget{Project: "app", Cwd: folder}, 0},
		{"by words", api.Forget{Matching: "wrapzebra"}, 0},
		{"another source", api.Forget{Source: "journal"}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := newHome(t)
			r := start(t, home)
			r.importTurns("s1", "s2")
			if _, err := r.ForgetAll(t.Context(), tt.in); err != nil {
				t.Fatal(err)
			}
			for _, when := range []string{"forgotten", "read again", "started again"} {
				switch when {
				case "read again":
					r.importTurns("s1", "s2")
				case "started again":
					r.end()
					r = start(t, home)
				}
				got := r.warned("s9" + when)
				want := map[int]string{0: "", 1: "the one session that ran it", 2: "2 of 2 sessions"}[tt.left]
				if told := got != ""; told != (tt.left > 0) || !strings.Contains(got, want) {
					t.Errorf("%s: told %q, want %q", when, got, want)
				}
			}
			if found := filesWith(t, filepath.Join(home), "wrapzebra"); tt.left == 0 && len(found) > 0 {
				t.Errorf("%v still have it", found)
			}
		})
	}
}
