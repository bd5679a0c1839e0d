package toolcall

import (
	"cmp"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

// editsMade returns what was changed in files between the last failure and the
// success, but for scripts that were only made to be run.
func (r *repair) editsMade() []string {
	var out, seen []string
	names := namesIn(r.calls[r.failed].fault.line)
	for i := r.until - 1; i > r.again; i-- {
		c := r.calls[i]
		if c.file == "" || slices.Contains(seen, c.file) || r.isScratch(c.file) {
			continue
		}
		seen = append(seen, c.file)
		what := "edited " + c.file
		if c.Tool == "Write" {
			what = "wrote " + c.file
		}
		if change := r.changeMade(c.file, names); change != "" {
			what += ": `" + change + "`"
		}
		out = append(out, what)
	}
	slices.Reverse(out)
	return out
}

// changeMade returns the first line that the last edit of a file brought in, preferably one
// of an edit that has to do with a name of the fault.
func (r *repair) changeMade(file string, names []string) string {
	var last string
	for i := r.until - 1; i > r.again; i-- {
		if r.calls[i].file != file {
			continue
		}
		line, named := changedLine(r.calls[i].Action, names)
		if named {
			return line
		}
		last = cmp.Or(last, line)
	}
	return last
}

// changedLine returns the first line with words that an edit brought in, the first with one of
// names if there is one. It reports whether what was there or what came has one. A bare value says
// nothing without its key.
func changedLine(a claudecode.Action, names []string) (string, bool) {
	was := clean.Text(Member(a.Input, "old_string"))
	if was == "" {
		return "", false
	}
	var first string
	lines := strings.Split(clean.Text(Member(a.Input, "new_string")), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if len(line) <= 3 || strings.Contains(was, line) || isComment(line) {
			continue
		}
		if faultRules().BareValue.MatchString(line) {
			key := keyAbove(lines, i)
			if key == "" {
				continue
			}
			line = key + " … " + line
		}
		line = prose.Clip(strings.ReplaceAll(prose.OneLine(line), "`", "'"), MaxCommand)
		if prose.ContainsAny(line, names) {
			return line, true
		}
		first = cmp.Or(first, line)
	}
	return first, first != "" && prose.ContainsAny(was, names)
}

// keyAbove returns the line that the value at i stands under, "" if the edit does not show
// it: the nearest one before it that is indented less and opens a list.
func keyAbove(lines []string, i int) string {
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	for j := i - 1; j >= 0; j-- {
		key := strings.TrimSpace(lines[j])
		if key != "" && indent(lines[j]) < indent(lines[i]) {
			if len(key) > 1 && strings.ContainsAny(key[len(key)-1:], "[{(:") {
				return key
			}
			return ""
		}
	}
	return ""
}

// namesIn returns the names in code that a line has.
func namesIn(line string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(line, prose.NotInName), func(w string) bool { return !prose.IsIdentifier(w) })
}

// commentMarks begin lines that are comments in one language or another.
var commentMarks = []string{"//", "#", "/*", "*", "--", "<!--", `"""`, "'''"}

func isComment(line string) bool { return prose.BeginsWith(line, commentMarks) }
