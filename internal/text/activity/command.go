package activity

import (
	"slices"
	"strings"
)

// OfCommand returns the activities of a command line: "test" for "CGO_ENABLED=1 go test ./...".
func OfCommand(line string) []string {
	var out []string
	for _, step := range stepsOf(line) {
		out = join(out, callSigns().meaningOf(strings.Join(step.rest, " ")))
	}
	return out
}

// OfFile returns the activities of a change to a file, given by its path in the project.
func OfFile(path string) []string { return fileSigns().meaningOf(path) }

// A step is a command of a line.
type step struct {
	lead []string // variables and what only starts the rest: "CGO_ENABLED=1", "uv run"
	rest []string // program and arguments
}

// stepsOf cuts a command line into its commands. It only has to tell programs apart, so it
// ignores how the shell quotes.
func stepsOf(line string) []step {
	var out []step
	for _, part := range strings.FieldsFunc(calls().Computed.ReplaceAllString(line, "$1"), func(r rune) bool { return strings.ContainsRune("&;|\n()", r) }) {
		lead := calls().Starter.FindString(part + " ")
		rest := strings.Fields(part[min(len(part), len(lead)):])
		if len(rest) == 0 || rest[0] == "cd" {
			continue
		}
		rest[0] = rest[0][strings.LastIndexByte(rest[0], '/')+1:]
		out = append(out, step{strings.Fields(lead), rest})
	}
	return out
}

// activitiesNeeded returns the activities of a command that failed and of which title says so, if fix is the
// same command with something more: a variable, an option, another interpreter. That is what
// the next command of that kind needs too.
func activitiesNeeded(title, fix string) []string {
	works := calls().FixedLine.FindStringSubmatch(fix)
	failed := calls().FixedLine.FindStringSubmatch(title)
	if works == nil {
		return nil
	}
	if failed == nil { // a pattern, whose title has the error alone
		return slices.DeleteFunc(OfCommand(works[1]), func(a string) bool { return a == "run" })
	}
	was, is := stepsOf(calls().Quoted.ReplaceAllString(failed[1], "")), stepsOf(unquoted(works[1]))
	if len(was) == 0 { // it is "cd" alone, or all in quotes
		return nil
	}
	for _, s := range was {
		if !slices.ContainsFunc(is, s.extendedBy) {
			return nil
		}
	}
	out := OfCommand(failed[1])
	if slices.Equal(out, []string{"run"}) && !slices.EqualFunc(was, is, sameRest) && !slices.ContainsFunc(is, was[0].endOf) {
		return nil // another program needs other options
	}
	if calls().Compiler.MatchString(strings.Join(was[0].rest, " ")) && (slices.Contains(out, "test") || slices.Contains(out, "build")) {
		out = join(out, []string{"build", "test"}) // what one needs, the other does
	}
	return out
}

// activitiesLacking returns the activities of a command that failed, of which title says so.
func activitiesLacking(title string) []string {
	if failed := calls().FixedLine.FindStringSubmatch(title); failed != nil {
		return OfCommand(failed[1])
	}
	return nil
}

// unquoted returns a command line without its quotation marks, so that a command that another
// one is given in them is read as well.
func unquoted(line string) string { return strings.NewReplacer(`"`, "", "'", "").Replace(line) }

// endOf reports whether b ends with a: it is started by another program.
func (a step) endOf(b step) bool {
	n := len(b.rest) - len(a.rest)
	return n > 0 && slices.Equal(b.rest[n:], a.rest)
}

// extendedBy reports whether b runs on the operands of a.
func (a step) extendedBy(b step) bool {
	for _, w := range a.rest[1:] {
		if calls().Operand.MatchString(w) && !slices.Contains(b.rest, w) {
			return false
		}
	}
	return true
}

// sameRest reports whether two commands differ only in what starts them.
func sameRest(a, b step) bool { return slices.Equal(a.rest[1:], b.rest[1:]) }
