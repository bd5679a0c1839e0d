package capture

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/claudecode"
)

var someIgnored = ignored{".env", ".env.*", "*.env", "!.env.example", "*.pem", "*.key", "id_rsa*", "!*.pub", ".aws/credentials"}

func TestIgnoredFiles(t *testing.T) {
	tests := []struct {
		file string
		want bool
	}{
		{"/home/dev/app/.env", true},
		{".env", true},
		{".env.production", true},
		{".env.example", false},
		{`C:\src\app\.env`, true},
		{"deploy/tls/server.pem", true},
		{"/home/dev/.ssh/id_rsa", true},
		{"/home/dev/.ssh/id_rsa.pub", false},
		{"/home/dev/.aws/credentials", true},
		{"/home/dev/credentials", false},
		{"environment.go", false},
		{"src/.env/readme.md", false},
		{"", false},
	}
	for _, tt := range tests {
		if got := someIgnored.has(tt.file); got != tt.want {
			t.Errorf("has(%q) = %t, want %t", tt.file, got, tt.want)
		}
	}
}

func TestCommandsThatNameIgnoredFiles(t *testing.T) {
	tests := []struct{ command, want string }{
		{"cat .env", ".env"},
		{"cd app && cat ./.env | grep KEY", "./.env"},
		{`echo "A=1" >> .env.local`, ".env.local"},
		{`ssh host "cat /srv/app/.env"`, "/srv/app/.env"},
		{"docker run --env-file=.env app", ".env"},
		{"cat > .env <<'EOF'\nKEY=1\nEOF", ".env"},
		{"openssl x509 -in 'tls/server.pem'", "tls/server.pem"},
		{"cp .env.example config.txt", ""},
		{`python -c "print(config.key)"`, ""},
		{"jq .data.key out.json", ""},
		{"go test ./...", ""},
	}
	for _, tt := range tests {
		if got := someIgnored.named(tt.command); got != tt.want {
			t.Errorf("named(%q) = %q, want %q", tt.command, got, tt.want)
		}
	}
}

// Of a call that touches an ignored file its name is left, and the turn that
// was given stays as it was.
func TestHide(t *testing.T) {
	in := claudecode.Turn{Actions: []claudecode.Action{
		{Tool: "Read", ID: "1", File: "/app/.env", Input: `{"file_path":"/app/.env"}`, Output: "KEY=hush"},
		{Tool: "Edit", ID: "2", File: "/app/.env", Input: `{"old_string":"hush"}`, Failed: true, Output: "hush not found"},
		{Tool: "Bash", ID: "3", Command: "grep hush .env", Description: "hush", Output: "hush"},
		{Tool: "Grep", ID: "4", Input: `{"path":"/app/.env","pattern":"hush"}`, Output: "hush"},
		{Tool: "Bash", ID: "5", Command: `git commit -m "read .env at start"`, Output: "1 file changed"},
		{Tool: "Read", ID: "6", File: "/app/main.go", Output: "package main"},
	}}
	out := someIgnored.hide(in)
	want := []claudecode.Action{
		{Tool: "Read", ID: "1", File: "/app/.env"},
		{Tool: "Edit", ID: "2", File: "/app/.env", Failed: true},
		{Tool: "Read", ID: "3", File: ".env"},
		{Tool: "Grep", ID: "4", File: "/app/.env"},
		in.Actions[4], in.Actions[5],
	}
	if diff := cmp.Diff(want, out.Actions); diff != "" {
		t.Errorf("hide differs:\n%s", diff)
	}
	if !strings.Contains(in.Actions[0].Output, "hush") {
		t.Error("hide changed the turn that it was given")
	}
	if got := ignored(nil).hide(in); !cmp.Equal(got, in) {
		t.Error("hide of nothing changed the turn")
	}
}

// What a session did with an ignored file is not in any memory of it.
func TestFileIgnores(t *testing.T) {
	const turn = `{"type":"user","uuid":"u1","sessionId":"s1","cwd":"/src/app","timestamp":"2026-05-04T08:12:40Z","message":{"role":"user","content":"why does the app not find its settings when it starts?"}}
{"type":"assistant","uuid":"u2","message":{"role":"assistant","id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"npm run hush -- .env","description":"hush"}}]}}
{"type":"user","uuid":"u3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\nError: hush is not set"}]}}
{"type":"assistant","uuid":"u4","message":{"role":"assistant","id":"m2","content":[{"type":"text","text":"The name of the variable is misspelled, so it falls back to its default."}]}}`
	for _, ignore := range [][]string{nil, {".env"}} {
		d := newDesk(t)
		d.write(turn)
		d.take(Input{Ignore: ignore})
		found := false
		for _, id := range d.store.IDs() {
			m, err := d.store.Get(id)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(m.Title+m.Body()+strings.Join(m.Keywords, " "), "hush")
		}
		if want := ignore == nil; found != want || d.store.Len() == 0 {
			t.Errorf("with %q ignored the command is told = %t of %d memories, want %t", ignore, found, d.store.Len(), want)
		}
	}
}
