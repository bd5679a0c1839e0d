package toolcall

import (
	"strings"
	"testing"

	"recollect/internal/agents/claudecode"
)

// Whatever a command line and its output are, its runs can be told, in bounds.
func FuzzRuns(f *testing.F) {
	f.Add("cd web && source venv/bin/activate && pytest -x | tail -3", "bash: pytest: command not found", "source venv/bin/activate && pytest -x")
	f.Add(`"" -x; $(a) && "b" --fix`, "error: unknown option '-x'", "--")
	f.Add("wrap pnpm run lint", "error: unrecognized subcommand 'pnpm'", "pnpm run lint:fix")
	f.Fuzz(func(t *testing.T, command, output, next string) {
		waysOf(command)
		done := []claudecode.Action{failedWith(command, output), ran(next, output), failedWith(next, output), ran(command, "")}
		for _, r := range Runs(done, done, NewPaths(shop, "/src/shop")) {
			if len(r.Line) > MaxCommand || len(strings.Fields(r.Way)) > 2*maxWay {
				t.Errorf("out of bounds: %+v", r)
			}
			r.Narrows()
		}
	})
}
