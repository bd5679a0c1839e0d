package outcomes

import (
	"fmt"
	"testing"

	"recollect/internal/capture/toolcall"
)

// BenchmarkAdvise asks before a call of which all that a log may hold is known: 6,000 turns of one project in 600
// sessions, each with ten runs, of which one in ten turns failed in one of many ways.
func BenchmarkAdvise(b *testing.B) {
	l := Open(b.TempDir(), quiet)
	for n := range maxTurns {
		t := session(n)
		t.Session = fmt.Sprint("s", n/10)
		for i := range 10 {
			t.Runs = append(t.Runs, passed([]string{"go build", "npm run test", "npm run lint", "make gen", "docker compose up -d"}[i%5]))
		}
		if n%10 == 0 {
			t.Runs[7] = failed(toolcall.FailedUsage, "go test -wide", "-wide", "flag provided but not defined: -wide", "instead go test")
			t.Runs[8] = failed(toolcall.FailedSetup, "go test -wide", "", fmt.Sprint("cannot find ", string(rune('a'+n/10%26))), "instead go test")
		}
		l.put(&t)
	}
	l.sort()
	for b.Loop() {
		if _, ok := l.Advise(shop, "", []string{"go test -wide"}); !ok {
			b.Fatal("nothing is said")
		}
	}
}
