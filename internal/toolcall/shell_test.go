package toolcall

import (
	"testing"
)

func TestCommitMessage(t *testing.T) {
	tests := []struct {
		name, command, want string
	}{
		{"quoted", `git commit -m "api: retry \"all\""`, `api: retry "all"`},
		{"single quotes", `git add . && git commit -am 'fix: x' && git push`, "fix: x"},
		{"word", `git commit --message=wip -q`, "wip"},
		{"several lines", "git commit -m \"first\n\nmore\"", "first"},
		{"here-document", "git commit -m \"$(cat <<'EOF'\nfix: parse\n\nmore\nEOF\n)\"", "fix: parse"},
		{"from stdin", "git commit -F - <<EOF\nfix: stdin\nEOF", "fix: stdin"},
		{"other folder", `git -C /home/dev/app commit -m "x: y"`, "x: y"},
		{"amend", "git commit --amend --no-edit", ""},
		{"no commit", `echo "-m x"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := CommitMessage(tt.command); got != tt.want {
				t.Errorf("commitMessage(%q) = %q, want %q", tt.command, got, tt.want)
			}
		})
	}
}
