package outcomes

import (
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
	l.Add(session(5, passed("go test ./..."), failing(toolcall.FailedOther, "npm run lint", "", "x", "")))
	got, ok := l.Commands(shop)
	if want := "build `go build ./...`\ntest `go test ./...`"; !ok || got.Text != want {
		t.Errorf("got %q, %t, want %q", got.Text, ok, want)
	}
	if _, ok := l.Commands(memory.Project{Name: "blog", Path: "/src/blog"}); ok {
		t.Error("another project has commands")
	}
}
