package toolcall

import (
	"testing"

	"recollect/internal/agents/claudecode"
)

// What is printed in the form of git's line is a commit only if the command may have made it.
func TestReadCommits(t *testing.T) {
	const line = "[main 1a2b3c4] Use the mirror because it is faster\n 1 file changed, 2 insertions(+)"
	tests := []struct{ name, command, want string }{
		{"its message", `git commit -m "Use the mirror because it is faster"`, "Use the mirror because it is faster"},
		{"another message", "git commit -am 'fix the build'", "fix the build"},
		{"the second of two", "git commit -m a -- x && git commit -m 'Use the mirror because it is faster'", "Use the mirror because it is faster"},
		{"a message from elsewhere", `git commit -m "$(cat message)"`, "Use the mirror because it is faster"},
		{"written in an editor", "git commit", "Use the mirror because it is faster"},
		{"no commit", "cat log", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, c := range ReadCommits(claudecode.Action{Tool: "Bash", Command: tt.command, Output: line}) {
				got += c.Subject
			}
			if got != tt.want {
				t.Errorf("ReadCommits(%q) = %q, want %q", tt.command, got, tt.want)
			}
		})
	}
}
