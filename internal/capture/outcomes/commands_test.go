package outcomes

import (
	"strings"
	"testing"

	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
)

func TestCommands(t *testing.T) {
	l := Open(t.TempDir(), quiet)
	for n := range 3 {
		l.Add(session(n, passed("go build ./..."), passed("go test -run TestCart ./cart"), passed("npm run lint:fix"), passed("git tag test")))
	}
	l.Add(session(4, passed("go test ./..."), passed("make deploy")))
	l.Add(session(5, passed("go test ./..."), failed(toolcall.FailedOther, "npm run lint", "", "x", "")))
	got, ok := l.Commands(shop)
	if want := "Commands that pass here: build `go build ./...`, test `go test ./...`"; !ok || got.Title+got.Text != want {
		t.Errorf("got %q, %q, %t, want %q", got.Title, got.Text, ok, want)
	}
	for n := range 2 {
		l.Add(session(10+n, passed("cd web && MODE=production npm run lint"), passed("cd web && MODE=production npm run typecheck")))
	}
	if got, _ := l.Commands(shop); got.Title != commandsTitle || !strings.HasPrefix(got.Text, "build `go build ./...`\ntest ") {
		t.Errorf("more than a title holds: got %q, %q", got.Title, got.Text)
	}
	if _, ok := l.Commands(memory.Project{Name: "blog", Path: "/src/blog"}); ok {
		t.Error("another project has commands")
	}
}
