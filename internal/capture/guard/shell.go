package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of what is read of one call.
const (
	maxLine     = 16 << 10 // bytes of one command line, and of what one word stands for: the parser calls itself for what is nested
	maxText     = 64 << 10 // bytes of all, each counted as often as it is read
	maxDepth    = 8        // of command lines within command lines
	maxCommands = 300
	maxRounds   = 8  // of one loop
	maxLoops    = 64 // rounds of all loops
)

// A reader takes a command line apart into all commands in it.
type reader struct {
	out   []command
	vars  map[string]string // that the line sets
	files map[string]string // that it writes by a here-document or echo, by name
	dir   string            // of what comes next, "" if that is not known
	depth int
	read  int // bytes of command lines
	loops int // rounds of loops

	nested int // substitutions whose output is being looked for

	stdin map[*syntax.Stmt]string // what a pipe feeds a command with, where that is known
}

// commandsIn returns the commands that a line runs in a folder.
func commandsIn(line, dir string) []command {
	r := reader{vars: map[string]string{}, files: map[string]string{}, stdin: map[*syntax.Stmt]string{}, dir: dir}
	r.readText(line)
	return r.out
}

// readText reads a command line. What the shell would not understand is read as plain words, line by line.
func (r *reader) readText(line string) {
	r.read += len(line)
	if r.depth >= maxDepth || r.read > maxText || len(line) > maxLine {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err == nil {
		r.walk(file, line)
		return
	}
	for part := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune("\n;|&", c) }) {
		if words := strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(part)); len(words) > 0 {
			r.run(command{words: words, text: part, dir: r.dir})
		}
	}
}

func (r *reader) walk(node syntax.Node, line string) {
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Subshell:
			dir := r.dir
			for _, stmt := range n.Stmts {
				r.walk(stmt, line)
			}
			r.dir = dir
			return false
		case *syntax.ForClause:
			return r.loop(n, line)
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				if text, ok := r.outputOf(n.X); ok {
					r.stdin[n.Y] = text
				}
			}
		case *syntax.Assign:
			r.assign(n)
		case *syntax.Stmt:
			r.statement(n, line)
		}
		return true
	})
}

// loop reads the body of a loop over words once for each, and reports whether it is still to be read.
func (r *reader) loop(loop *syntax.ForClause, line string) bool {
	words, ok := loop.Loop.(*syntax.WordIter)
	if !ok {
		return true
	}
	values := r.words(words.Items)
	for _, value := range values[:min(len(values), maxRounds)] {
		if r.loops++; r.loops > maxLoops {
			break
		}
		r.vars[words.Name.Value] = value
		for _, stmt := range loop.Do {
			r.walk(stmt, line)
		}
	}
	return len(values) == 0
}

func (r *reader) assign(a *syntax.Assign) {
	switch {
	case a.Name == nil || a.Append:
	case a.Array != nil:
		var all []string
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				all = append(all, r.fields(e.Value)...)
			}
		}
		r.vars[a.Name.Value] = strings.Join(all, " ")
	case a.Value != nil:
		r.vars[a.Name.Value] = r.value(a.Value)
	}
}

// statement reads one simple command with where its output goes.
func (r *reader) statement(stmt *syntax.Stmt, line string) {
	c := command{dir: r.dir, text: textOf(line, stmt)}
	input, hasInput := r.stdin[stmt]
	for _, redirect := range stmt.Redirs {
		switch redirect.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut:
			if file := r.value(redirect.Word); !strings.HasPrefix(file, "/dev/") {
				c.writes = append(c.writes, file)
			}
		case syntax.Hdoc, syntax.DashHdoc:
			input, hasInput = r.value(redirect.Hdoc), true
		case syntax.WordHdoc:
			input, hasInput = r.value(redirect.Word), true
		}
	}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok {
		if len(c.writes) > 0 {
			c.words = []string{"{"}
			r.emit(c)
		}
		return
	}
	for _, a := range call.Assigns {
		r.assign(a)
	}
	c.words = r.words(call.Args)
	if len(c.words) == 0 {
		c.words = []string{"{"} // only variables or an output
		r.emit(c)
		return
	}
	r.keepWritten(c, input, hasInput)
	r.run(c)
	if hasInput {
		r.feed(c, input)
	}
}

// keepWritten remembers what the line writes into files, which it may run then.
func (r *reader) keepWritten(c command, input string, hasInput bool) {
	text, ok := said(c.words)
	if slices.Contains([]string{"cat", "tee"}, programName(c.words[0])) && hasInput {
		text, ok = input, true
	}
	if !ok {
		return
	}
	files := c.writes
	if programName(c.words[0]) == "tee" {
		files = append(files, c.operands()...)
	}
	for _, file := range files {
		r.files[path.Base(file)] = text
	}
}

// said returns what echo or printf prints.
func said(words []string) (string, bool) {
	switch program := programName(words[0]); {
	case program == "echo":
		rest := words[1:]
		for len(rest) > 0 && slices.Contains([]string{"-n", "-e", "-E", "-ne", "-en"}, rest[0]) {
			rest = rest[1:]
		}
		return strings.Join(rest, " "), true
	case program == "printf" && len(words) > 1:
		text := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(words[1])
		for _, w := range words[2:] {
			if strings.Contains(text, "%s") {
				text = strings.Replace(text, "%s", w, 1)
			} else {
				text += " " + w
			}
		}
		return text, true
	}
	return "", false
}

// outputOf returns what a command prints, where its words say so.
func (r *reader) outputOf(stmt *syntax.Stmt) (string, bool) {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return "", false
	}
	words := r.words(call.Args)
	if len(words) == 0 {
		return "", false
	}
	if text, ok := said(words); ok {
		return text, true
	}
	if programName(words[0]) == "cat" {
		for _, redirect := range stmt.Redirs {
			if redirect.Hdoc != nil {
				return r.value(redirect.Hdoc), true
			}
		}
		if len(words) == 2 {
			text, ok := r.files[path.Base(words[1])]
			return text, ok
		}
	}
	return "", false
}

func textOf(line string, stmt *syntax.Stmt) string {
	from, to := int(stmt.Pos().Offset()), int(stmt.End().Offset())
	for _, redirect := range stmt.Redirs {
		if redirect.Hdoc != nil {
			to = max(to, int(redirect.Hdoc.End().Offset()))
		}
	}
	return line[min(from, len(line)):min(to, len(line))]
}

// emit adds a command.
func (r *reader) emit(c command) {
	if len(r.out) < maxCommands {
		r.out = append(r.out, c)
	}
}

// words returns the words that the shell makes of some, as far as they have at most maxLine bytes together.
func (r *reader) words(from []*syntax.Word) []string {
	var out []string
	size := 0
	for _, w := range from {
		for _, field := range r.fields(w) {
			if size += len(field); size <= maxLine {
				out = append(out, field)
			}
		}
	}
	return out
}

// fields returns the words that the shell makes of one: braces and unquoted variables may make several.
func (r *reader) fields(w *syntax.Word) []string {
	value := r.value(w)
	splits := len(w.Parts) == 1 && r.isSplit(w.Parts[0])
	if splits {
		return strings.Fields(value)
	}
	if lit := w.Lit(); strings.Contains(lit, "{") {
		return expandBraces(value)
	}
	return []string{value}
}

// isSplit reports whether the shell splits what a part of a word stands for.
func (r *reader) isSplit(part syntax.WordPart) bool {
	switch p := part.(type) {
	case *syntax.ParamExp, *syntax.CmdSubst:
		return true
	case *syntax.DblQuoted:
		if len(p.Parts) == 1 {
			e, ok := p.Parts[0].(*syntax.ParamExp)
			isAll := ok && e.Param != nil && e.Param.Value == "@"
			return isAll || ok && e.Index != nil
		}
	}
	return false
}

// expandBraces expands the first "{a,b}" in a word.
func expandBraces(word string) []string {
	from := strings.IndexByte(word, '{')
	to := strings.IndexByte(word[max(from, 0):], '}')
	if from < 0 || to < 0 || !strings.Contains(word[from:from+to], ",") {
		return []string{word}
	}
	var out []string
	for part := range strings.SplitSeq(word[from+1:from+to], ",") {
		if whole := word[:from] + part + word[from+to+1:]; whole != "" && len(out) < maxRounds {
			out = append(out, whole)
		}
	}
	return out
}

// value returns what a word stands for, with the character unknown for what is not known.
func (r *reader) value(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	value := r.parts(w.Parts, false)
	return value[:min(len(value), maxLine)]
}

func (r *reader) parts(parts []syntax.WordPart, quoted bool) string {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value, quoted))
		case *syntax.SglQuoted:
			b.WriteString(singleQuoted(p))
		case *syntax.DblQuoted:
			b.WriteString(r.parts(p.Parts, true))
		case *syntax.ParamExp:
			b.WriteString(r.variable(p))
		case *syntax.CmdSubst:
			b.WriteString(r.substituted(p))
		case *syntax.ProcSubst:
			b.WriteString(r.processFile(p))
		default:
			b.WriteString(unknown)
		}
	}
	return b.String()
}

// unescape drops the backslashes that the shell drops.
func unescape(s string, quoted bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		isEscape := s[i] == '\\' && i+1 < len(s)
		if isEscape && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// variable returns the value of a variable that the line set, or the one that it has if it is not set.
func (r *reader) variable(p *syntax.ParamExp) string {
	value, ok := unknown, false
	if p.Param != nil {
		if known, has := r.vars[p.Param.Value]; has {
			value, ok = known, true
		}
	}
	isPlain := p.Slice == nil && p.Repl == nil && !p.Excl
	switch {
	case !isPlain || p.Length || p.Width:
		return unknown
	case p.Exp == nil:
		return value
	case !slices.Contains(defaults, p.Exp.Op):
		return unknown
	case !ok:
		return r.value(p.Exp.Word)
	}
	return value
}

// defaults are the ways to name what a variable is if it is not set: "${X:-npm}".
var defaults = []syntax.ParExpOperator{syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull}

// substituted returns what "$(which npm)" and "$(echo npm)" stand for.
func (r *reader) substituted(p *syntax.CmdSubst) string {
	if len(p.Stmts) != 1 || r.nested >= maxDepth {
		return unknown
	}
	r.nested++
	defer func() { r.nested-- }()
	call, ok := p.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return unknown
	}
	words := r.words(call.Args)
	if len(words) == 0 {
		return unknown
	}
	if text, ok := said(words); ok {
		return text
	}
	switch program := programName(words[0]); {
	case slices.Contains([]string{"which", "command", "type"}, program) && len(words) > 1:
		return words[len(words)-1]
	case program == "pwd":
		return r.dir
	case program == "cat" && len(p.Stmts[0].Redirs) == 1:
		return r.value(p.Stmts[0].Redirs[0].Hdoc)
	}
	return unknown
}

// processFile returns the name of the file that "<(echo npm)" stands for, which is remembered.
func (r *reader) processFile(p *syntax.ProcSubst) string {
	if len(p.Stmts) != 1 {
		return unknown
	}
	text, ok := r.outputOf(p.Stmts[0])
	if !ok {
		return unknown
	}
	name := fmt.Sprintf("/dev/fd/%d", len(r.files))
	r.files[path.Base(name)] = text
	return name
}

// singleQuoted returns the text in single quotes, with the escapes of $'…'.
func singleQuoted(p *syntax.SglQuoted) string {
	if !p.Dollar {
		return p.Value
	}
	return ansiEscapes(p.Value)
}
