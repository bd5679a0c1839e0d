package toolcall

import (
	"slices"
	"strings"
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
		{"here-document with a backslash", "git commit -m \"$(cat <<'EOF'\nfix: take \\d as it is\nEOF\n)\"", `fix: take \d as it is`},
		{"behind a here-document", "cat > a <<EOF\nx\nEOF\ngit -c a.b=c commit -am 'add a'", "add a"},
		{"what is replaced stays", `git commit -m "build of $(date) for $USER"`, "build of $(date) for $USER"},
		{"amend", "git commit --amend --no-edit", ""},
		{"no commit", `echo "-m x"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := CommitMessage(tt.command); got != tt.want {
				t.Errorf("commitMessage(%q) = %q, want %q", tt.command, got, tt.want)
			}
		})
	}
}

func TestStepsOf(t *testing.T) {
	tests := []struct {
		name, command string
		want          []string // the steps, the first words of the commands in a pipe behind them
	}{
		{"chain", "a 1 && b 2 || c; d & e", []string{"a 1: a", "b 2: b", "c: c", "d &: d", "e: e"}},
		{"pipe", "FOO=1 a 'x | y' | b | c", []string{"FOO=1 a 'x | y' | b | c: FOO=1 b c"}},
		{"quotes", `a "b && c; d" 'e || f'`, []string{`a "b && c; d" 'e || f': a`}},
		{"comment", "# why; how\na # b", []string{"a: a"}},
		{"find", `find . -name x -exec rm {} \; && b`, []string{`find . -name x -exec rm {} \;: find`, "b: b"}},
		{"subshell and block", "(cd x && a); { b; }", []string{"cd x: cd", "a: a", "b;: b"}},
		{"loop", "for x in a b; do c $x; done; d", []string{"for x in a b; do c $x; done;: for", "d: d"}},
		{"here-document", "a && b <<EOF | c\nd; e\nEOF\nf", []string{"a: a", "b <<EOF | c: b"}},
		{"no shell", `a "b; c`, []string{`a "b; c: a`}},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range stepsOf(tt.command) {
				line := strings.TrimSpace(tt.command[s.start:s.end]) + ":"
				for _, c := range s.calls {
					line += " " + c.words[0]
				}
				got = append(got, line)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("steps of %q:\n%q, want\n%q", tt.command, got, tt.want)
			}
		})
	}
}

// Whatever a command line is, it is taken apart without a panic, and its words and steps
// stand in it.
func FuzzShell(f *testing.F) {
	for _, seed := range []string{
		"cd a && PORT=1 b 'c d' 2>&1 | tail -5", "git -C a commit -qm \"$(cat <<'EOF'\nb\nEOF\n)\" > /dev/null", "for x in $(a); do b <<-E | c\n\td\n\tE\ndone",
		"( a; { ! b; } ) & [[ -f c ]] || time d", "a <<A <<B\n1\nA\n2\nB\n", "a\\\nb `c` ${d:-$(e)} $((1+2))", "export A=1; f() { g; }",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) {
		s := readShell(command)
		for _, word := range strings.Fields(s.text) {
			if !strings.Contains(command, word) {
				t.Errorf("%q is not in %q", word, command)
			}
		}
		CommitMessage(command)
		tryCommand(command)
		for _, step := range stepsOf(command) {
			_ = command[step.start:step.end]
		}
	})
}
