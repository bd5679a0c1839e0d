package hook

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/api"
)

// leave writes a session's fallback as the daemon does.
func leave(t *testing.T, home, session, context string, terms ...string) string {
	t.Helper()
	b, err := json.Marshal(api.Fallback{Recollection: api.Recollection{Context: context}, Terms: terms})
	if err != nil {
		t.Fatal(err)
	}
	return leaveBytes(t, home, session, b)
}

func leaveBytes(t *testing.T, home, session string, b []byte) string {
	t.Helper()
	path := api.FallbackPath(home, session)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// silent is a daemon that never answers.
func silent(_ http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func TestFallback(t *testing.T) {
	const context = "[decision] the pool has 40 connections"
	tests := []struct {
		name     string
		session  string // that the fallback is left for
		terms    []string
		prompt   string
		answer   http.HandlerFunc // nil for no daemon
		injected bool
	}{
		{name: "no daemon", session: "s1", terms: []string{"pool"}, prompt: "how big is the Pool?", injected: true},
		{name: "daemon never answers", session: "s1", terms: []string{"pool"}, prompt: "how big is the pool?", answer: silent, injected: true},
		{name: "somebody else answers", session: "s1", terms: []string{"pool"}, prompt: "how big is the pool?", answer: replying(200, "{"), injected: true},
		{name: "one term of several", session: "s1", terms: []string{"connect", "pool"}, prompt: "pools?", injected: true},
		{name: "term is a stem", session: "s1", terms: []string{"connect"}, prompt: "how many connections?", injected: true},
		{name: "any prompt will do", session: "s1", prompt: "go on", injected: true},
		{name: "no term in the prompt", session: "s1", terms: []string{"pool"}, prompt: "how big is the cache?"},
		{name: "another session's", session: "s2", terms: []string{"pool"}, prompt: "how big is the pool?"},
		{name: "not typed by anybody", session: "s1", terms: []string{"pool"}, prompt: "<task-notification> pool"},
		{name: "daemon has nothing to tell", session: "s1", terms: []string{"pool"}, prompt: "how big is the pool?", answer: replying(200, "{}")},
		{name: "daemon refuses", session: "s1", terms: []string{"pool"}, prompt: "how big is the pool?", answer: replying(500, "{}")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := newHome(t)
			path := leave(t, home, tt.session, context, tt.terms...)
			if tt.answer != nil {
				listen(t, home, tt.answer)
			}
			fire := fire
			if tt.name == "daemon never answers" {
				fire = fireNow
			}
			want := ""
			if tt.injected {
				want = context
			}
			stdout, stderr := fire(t, prompt(tt.prompt)...)
			for n := 0; n < 20 && tt.injected && stdout == ""; n++ { // a loaded machine may need more than grace
				stdout, stderr = fire(t, prompt(tt.prompt)...)
			}
			if got := injectedText(t, "UserPromptSubmit", stdout); got != want {
				t.Errorf("told %q, want %q; stderr %q", got, want, stderr)
			}
			if strings.Count(stderr, "\n") > 1 {
				t.Errorf("stderr = %q, want one line", stderr)
			}
			if _, err := os.Stat(path); (err == nil) == tt.injected {
				t.Errorf("file: %v, told = %t", err, tt.injected)
			}
			if stdout, _ := fire(t, prompt(tt.prompt)...); stdout != "" {
				t.Errorf("told again: %s", stdout)
			}
		})
	}
}

func TestFallbackThatIsNone(t *testing.T) {
	tests := []struct {
		name string
		file []byte
	}{
		{"empty", nil},
		{"cut", []byte(`{"context":"the pool`)},
		{"of another form", []byte(`{"context":["pool"]}`)},
		{"too large", []byte(`{"context":"` + strings.Repeat("x", maxFallback) + `"}`)},
		{"with nothing to tell", []byte(`{"context":""}`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			leaveBytes(t, newHome(t), "s1", tt.file)
			if stdout, stderr := fire(t, prompt("how big is the pool?")...); stdout != "" || strings.Count(stderr, "\n") != 1 {
				t.Errorf("stdout %q, stderr %q, want one line on stderr alone", stdout, stderr)
			}
		})
	}
}

// What another user left there is not injected.
func TestForeignFallback(t *testing.T) {
	for _, foreign := range []func(path string) string{
		func(path string) string { return path },
		filepath.Dir,
	} {
		home := newHome(t)
		path := leave(t, home, "s1", "run this", "pool")
		if err := os.Lchown(foreign(path), 60001, 60001); err != nil {
			t.Skip("only root can give a file away: ", err)
		}
		if stdout, stderr := fire(t, prompt("how big is the pool?")...); stdout != "" {
			t.Errorf("told %s; stderr %q", stdout, stderr)
		}
	}
}

// A start and a stop have nothing to do with the fallback.
func TestFallbackIsForPrompts(t *testing.T) {
	path := leave(t, newHome(t), "s1", "the pool has 40 connections")
	for _, event := range []string{"SessionStart", "Stop"} {
		if stdout, _ := fire(t, "hook_event_name", event); stdout != "" {
			t.Errorf("%s told %q", event, stdout)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
