package toolcall

import (
	"encoding/json"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"recollect/internal/text/prose"
)

// Member returns the first of the named string members of a call's input.
func Member(input string, names ...string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(input), &members) != nil {
		return ""
	}
	for _, name := range names {
		var s string
		if json.Unmarshal(members[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// shortenLine returns a command as one line of at most n bytes, without its
// here-document and further lines.
func shortenLine(command string, n int) string {
	line := prose.OneLine(command)
	if before, _, ok := strings.Cut(line, "<<"); ok {
		line = strings.TrimSpace(before) + " <<…"
	} else if strings.Contains(strings.TrimSpace(command), "\n") {
		line += " …"
	}
	return prose.Clip(strings.ReplaceAll(line, "`", "'"), n)
}

// readOnlyPrograms are programs that change nothing: what they were asked is in the
// prompt, what they showed in the answer.
var readOnlyPrograms = map[string]bool{
	"ls": true, "cat": true, "cd": true, "pwd": true, "echo": true, "head": true, "tail": true, "grep": true, "rg": true,
	"find": true, "fd": true, "wc": true, "which": true, "file": true, "stat": true, "tree": true, "env": true, "date": true, "true": true,
	"sed -n": true, "sort": true, "uniq": true, "diff": true, "less": true, "mkdir": true, "touch": true, "sleep": true, "ps": true, "jq": true, "chmod": true,
	"git status": true, "git log": true, "git diff": true, "git show": true, "git branch": true, "git add": true, "git fetch": true,
	"git rev-parse": true, "git blame": true, "git remote": true, "git ls-files": true, "git config": true,
}

// maxShell bounds the command lines that are taken apart, in bytes: the parser
// calls itself for what is nested.
const maxShell = 16 << 10

// A shellLine is a command line as the shell takes it apart, without the
// leading "cd DIR &&" and what only trims its output.
type shellLine struct {
	text  string
	steps []step
	piped bool // the exit status was that of the last filter, so that success says nothing
}

// A step of a command line is one command, or several in a pipe.
type step struct {
	start, end int
	calls      []simple
}

// A simple command is its variables, its program and its arguments, as they
// are written. A loop or a condition is one too, with all that stands in it.
type simple struct {
	words []string
	end   int
}

// parseShell returns nil for what the shell would not understand.
func parseShell(command string) *syntax.File {
	if len(command) > maxShell {
		return nil
	}
	if file, err := syntax.NewParser().Parse(strings.NewReader(command), ""); err == nil {
		return file
	}
	return nil
}

func readShell(command string) shellLine {
	command = strings.TrimSpace(command)
	s := shellLine{steps: stepsOf(command)}
	if len(s.steps) == 0 {
		return s
	}
	for len(s.steps) > 1 && slices.Contains([]string{"cd", "which", "echo", "type"}, s.steps[0].calls[0].words[0]) {
		s.steps = s.steps[1:]
	}
	end := len(command)
	for n := len(s.steps) - 1; n > 0 && s.steps[n].reports(); n-- {
		between := command[s.steps[n-1].end:s.steps[n].start]
		s.piped = s.piped || !strings.Contains(between, "&&")
		s.steps, end = s.steps[:n], s.steps[n-1].end
		command = command[:end]
	}
	last := &s.steps[len(s.steps)-1]
	if strings.Trim(command[last.end:], "; &\n") == "" {
		for n := len(last.calls) - 1; n > 0 && filters[last.calls[n].words[0]]; n-- {
			last.calls, end, s.piped = last.calls[:n], last.calls[n-1].end, true
		}
	}
	s.text = strings.TrimSpace(command[s.steps[0].start:end])
	if strings.ContainsAny(s.text, "<>") { // the search takes long in a long line
		s.text = faultRules().Redirection.ReplaceAllString(s.text, "$1")
	}
	s.text = strings.TrimSpace(s.text)
	return s
}

// reports reports whether a step only says something, after what was done.
func (s step) reports() bool {
	return slices.Contains([]string{"echo", "true", ":", "pwd", "date"}, s.calls[0].words[0])
}

// filters only trim the output of the command before them.
var filters = prose.WordSet(`head tail grep cat less sed tee sort wc`)

// stepsOf returns the steps of a command line. What follows a here-document is
// left out. Plain words need no parser and are one step, as is what cannot be
// parsed.
func stepsOf(command string) []step {
	var file *syntax.File
	if strings.ContainsAny(command, "\"'`\\$|&;<>(){}#!\n") {
		file = parseShell(command)
	}
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil
	}
	if file == nil {
		return []step{{0, len(command), []simple{{words, len(command)}}}}
	}
	r := stepReader{command: command}
	r.read(file.Stmts...)
	return r.steps
}

type stepReader struct {
	command string
	steps   []step
	done    bool // a here-document was met
}

func (r *stepReader) read(stmts ...*syntax.Stmt) {
	for _, stmt := range stmts {
		switch c := stmt.Cmd.(type) {
		case *syntax.BinaryCmd:
			if c.Op == syntax.AndStmt || c.Op == syntax.OrStmt {
				r.read(c.X, c.Y)
				continue
			}
		case *syntax.Subshell:
			r.read(c.Stmts...)
			continue
		case *syntax.Block:
			r.read(c.Stmts...)
			continue
		}
		if !r.done {
			s := step{start: int(stmt.Pos().Offset()), end: int(stmt.End().Offset())}
			r.pipe(stmt, &s)
			r.steps = append(r.steps, s)
		}
	}
}

// pipe adds the commands of a pipe to a step.
func (r *stepReader) pipe(stmt *syntax.Stmt, s *step) {
	if pipe, ok := stmt.Cmd.(*syntax.BinaryCmd); ok {
		r.pipe(pipe.X, s)
		if !r.done {
			r.pipe(pipe.Y, s)
		}
		return
	}
	words := strings.Fields(source(r.command, stmt))
	if c, ok := stmt.Cmd.(*syntax.CallExpr); ok && !stmt.Negated {
		words = wordsOf(r.command, c)
	}
	s.calls = append(s.calls, simple{words, int(stmt.End().Offset())})
	r.done = slices.ContainsFunc(stmt.Redirs, func(r *syntax.Redirect) bool { return r.Hdoc != nil })
}

func wordsOf(command string, c *syntax.CallExpr) []string {
	var out []string
	for _, a := range c.Assigns {
		out = append(out, source(command, a))
	}
	for _, w := range c.Args {
		out = append(out, source(command, w))
	}
	return out
}

func source(command string, n syntax.Node) string {
	return command[n.Pos().Offset():n.End().Offset()]
}

// onlyReads reports whether every step of a command line only looks.
func (s shellLine) onlyReads() bool {
	return !slices.ContainsFunc(s.steps, func(s step) bool { return slices.ContainsFunc(s.calls, simple.isActing) })
}

// isActing reports whether a command does more than look.
func (c simple) isActing() bool {
	words := c.words
	if len(words) > 3 && words[0] == "git" && words[1] == "-C" {
		words = append([]string{"git"}, words[3:]...)
	}
	return !readOnlyPrograms[words[0]] && (len(words) < 2 || !readOnlyPrograms[words[0]+" "+words[1]])
}

// RanLine is a command as memories name it, "" if it only reads.
func RanLine(command string) string {
	if s := readShell(command); !s.onlyReads() {
		return shortenLine(s.text, MaxCommand)
	}
	return ""
}
