package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/capture/outcomes"
	"recollect/internal/memory"
)

// ranIn are the records of a command of turn n, which printed output.
func ranIn(n int, command, output string, failed bool) string {
	id := fmt.Sprintf("c%d%x", n, len(command))
	return fmt.Sprintf(`{"type":"assistant","uuid":"b%s","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:%02d:02Z","message":{"id":"n%s","role":"assistant","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}]}}
{"type":"user","uuid":"r%s","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:%02d:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"is_error":%t,"content":%q}]}}`,
		id, n, id, id, command, id, n, id, failed, output)
}

// counts has the desk count outcomes, and returns them.
func (d *desk) counts() *outcomes.Log {
	d.capture.Outcomes = outcomes.Open(filepath.Dir(d.path), discard)
	return d.capture.Outcomes
}

const wrongCall = "wrap pnpm run lint"

// wrongly are the records of two turns: what the first one left failing passes in the second in another way.
func wrongly() []string {
	return []string{
		header, asked(1, "check the cart"), ranIn(1, wrongCall, "Exit code 2\nerror: unrecognized subcommand 'pnpm'", true), replied(1, "The wrapper does not know it."),
		asked(2, "then without the wrapper"), ranIn(2, "pnpm run lint", "ok", false), replied(2, "It passes."),
	}
}

// However a transcript is read, a turn counts once, and the next turn may put it right.
func TestOutcomesCountOnce(t *testing.T) {
	app := memory.Project{Name: "app"}
	const want = "`wrap pnpm run lint` failed in the one session that ran it (\"unrecognized subcommand 'pnpm'\"), last 2026-10-01; without `wrap` it passed once"
	for name, step := range map[string]int{"at once": 7, "record by record": 1} {
		d := newDesk(t)
		log := d.counts()
		records := wrongly()
		for i := 0; i < len(records); i += step {
			d.write(records[i:min(i+step, len(records))]...)
			d.take(Input{})
		}
		for _, again := range []string{"read on", "read again", "read again"} {
			if got, _ := log.Advise(app, "s9", []string{wrongCall}); got.Text != want {
				t.Errorf("%s, %s: got %q, want %q", name, again, got.Text, want)
			}
			d.take(Input{Whole: true})
		}
	}
}

// Turns of which nothing may be learned leave nothing, nor do those whose failures wait for review, nor what ignored
// files are in.
func TestOutcomesOfTurnsThatLeaveNothing(t *testing.T) {
	tests := []struct {
		name string
		in   Input
	}{
		{"paused or incognito", Input{Allow: never("cart", "wrapper")}},
		{"reviewed first", Input{Review: func(src memory.Source) bool { return src == memory.Failures }}},
		{"about an ignored file", Input{Ignore: []string{"lint", "pnpm", "wrap"}}},
	}
	for _, tt := range tests {
		d := newDesk(t)
		d.counts()
		d.write(wrongly()...)
		d.take(tt.in)
		if b, err := os.ReadFile(filepath.Join(filepath.Dir(d.path), outcomes.Name)); strings.Contains(string(b), "pnpm") {
			t.Errorf("%s: the file has %s, %v", tt.name, b, err)
		}
	}
}
