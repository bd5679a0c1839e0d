package toolcall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
)

var someIgnored = Ignored{".env", ".env.*", "*.env", "!.env.example", "*.pem", "*.key", "id_rsa*", "!*.pub", ".aws/credentials"}

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
		if got := someIgnored.hasFile(tt.file); got != tt.want {
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
		if got := someIgnored.namedIn(tt.command); got != tt.want {
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
	out := someIgnored.Hide(in)
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
	if got := Ignored(nil).Hide(in); !cmp.Equal(got, in) {
		t.Error("hide of nothing changed the turn")
	}
}
