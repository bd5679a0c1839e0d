package toolcall

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory/clean"
)

// Ignored are globs of files whose content is never stored; see config.Capture.
type Ignored []string

// Hide returns t without what its tool calls say about ignored files: of
// those only the name is left.
func (ig Ignored) Hide(t claudecode.Turn) claudecode.Turn {
	if len(ig) == 0 {
		return t
	}
	copied := false
	for i, a := range t.Actions {
		bare, ok := ig.stripAction(a)
		if !ok {
			continue
		}
		if !copied {
			t.Actions, copied = slices.Clone(t.Actions), true
		}
		t.Actions[i] = bare
	}
	return t
}

// stripAction returns what may be known of a call that names an ignored file: which
// one, and how it ended. What a command does with it is left out; only that it
// was read remains.
func (ig Ignored) stripAction(a claudecode.Action) (claudecode.Action, bool) {
	out := claudecode.Action{Tool: a.Tool, ID: a.ID, File: a.File, Failed: a.Failed, Refused: a.Refused}
	switch {
	case a.File != "":
		return out, ig.hasFile(a.File)
	case a.Command != "":
		out.Tool, out.File = "Read", ig.namedIn(a.Command)
		message, _ := CommitMessage(clean.Text(a.Command))
		return out, out.File != "" && message == ""
	}
	file := Member(a.Input, "path", "file", "filename", "uri")
	out.File = file
	return out, ig.hasFile(file)
}

// hasFile reports whether a file is ignored: the last glob that fits decides.
func (ig Ignored) hasFile(file string) bool {
	_, ok := ig.globOf(file)
	return ok
}

func (ig Ignored) globOf(file string) (string, bool) {
	file = withSlashes(strings.TrimSpace(file))
	for _, glob := range slices.Backward(ig) {
		bare, not := strings.CutPrefix(glob, "!")
		if fitsGlob(bare, file) {
			return glob, !not
		}
	}
	return "", false
}

// fitsGlob reports whether a glob is of the end of a path: of as many of its parts
// as the glob has.
func fitsGlob(glob, file string) bool {
	glob = strings.Trim(glob, "/")
	parts := strings.Split(file, "/")
	n := strings.Count(glob, "/") + 1
	if file == "" || len(parts) < n {
		return false
	}
	ok, err := path.Match(glob, strings.Join(parts[len(parts)-n:], "/"))
	return err == nil && ok
}

// namedIn returns the first ignored file that a command names. "*.key" and the
// like do not count within quoted code, where they are members of things.
func (ig Ignored) namedIn(command string) string {
	plain := map[string]bool{}
	for _, w := range fileWords(withoutCode(command)) {
		plain[w] = true
	}
	for _, w := range fileWords(command) {
		glob, ok := ig.globOf(w)
		extension := strings.HasPrefix(glob, "*.") && path.Base(w) != glob[1:]
		isFile := !extension || plain[w] && !memberOf(w)
		if ok && isFile {
			return w
		}
	}
	return ""
}

// memberOf reports whether word looks like jq's ".data.key".
func memberOf(word string) bool {
	return strings.HasPrefix(word, ".") && strings.Count(word, ".") > 1 && !strings.Contains(word, "/")
}

// fileWords takes a command apart at whatever cannot be in a file's name.
func fileWords(command string) []string {
	return strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`;|&()<>=,@:", r) })
}

// withoutCode drops what stands in quotes with more than a name in it.
func withoutCode(command string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(command, `"'`)
		if i < 0 {
			break
		}
		end := strings.IndexByte(command[i+1:], command[i])
		if end < 0 {
			break
		}
		b.WriteString(command[:i])
		if quoted := command[i+1 : i+1+end]; !strings.ContainsAny(quoted, " \n()[]{}|$;") {
			b.WriteString(" " + quoted + " ")
		}
		command = command[i+end+2:]
	}
	return b.String() + command
}
