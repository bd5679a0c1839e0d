package toolcall

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// standIns are programs one of which does for another.
var standIns = []map[string]bool{
	prose.WordSet("pytest unittest nose nosetests tox"),
	prose.WordSet("jest vitest mocha ava"),
	prose.WordSet("npm pnpm yarn bun"),
	prose.WordSet("pip uv conda poetry pipenv"),
	prose.WordSet("docker podman nerdctl"),
	prose.WordSet("terraform tofu"),
	prose.WordSet("curl wget http httpie"),
	prose.WordSet("make gmake ninja"),
	prose.WordSet("gradle gradlew mvn mvnw"),
	prose.WordSet("cc gcc clang"),
}

// isReplaced looks for the call that did with another program what the failed one
// could not, because its own is missing or is not to be used here.
func (r *repair) isReplaced() bool {
	failed := r.calls[r.failed]
	for j, c := range r.calls[r.failed+1:] {
		switch {
		case c.Failed, !c.isCompleted(), c.Command == "", c.try.isImprovised(), c.try.goal == failed.try.goal, c.try.piped && c.fault.kind == faultSetup:
			continue
		}
		if failed.fault.missingThing() == "" && !failed.fault.namesProgram(c.try.program) {
			continue
		}
		if failed.try.standsIn(c.try) {
			r.until = r.failed + 1 + j
			r.last, r.passed = r.until, true
			return true
		}
	}
	return false
}

// namesProgram reports whether a fault names a program as the one to use: "This project uses pnpm".
func (f fault) namesProgram(program string) bool {
	return faultRules().Prescribes.MatchString(f.line) && slices.Contains(strings.FieldsFunc(f.line, prose.NotInName), program)
}

// standsIn reports whether b does what a was to do: with a program of the same
// kind, or on the same thing.
func (a attempt) standsIn(b attempt) bool {
	kindred := func(kind map[string]bool) bool { return kind[a.program] && kind[b.program] }
	return slices.ContainsFunc(standIns, kindred) || !handling[b.program] && a.sharesOperand(b)
}

// handling are programs that only move things about.
var handling = prose.WordSet("rm mv cp ln mkdir touch chmod chown git sed awk cat ls tar unzip")

// sharesOperand reports whether a and b are run on the same thing.
func (a attempt) sharesOperand(b attempt) bool {
	return slices.ContainsFunc(a.operands, func(x string) bool {
		return len(x) > 3 && !preparing[x] && slices.ContainsFunc(b.operands, func(y string) bool { return moduleName(x) == moduleName(y) || resembles(x, y) })
	})
}

// minWords is how many words of its own a quoted operand needs to be compared with another.
const minWords = 3

// resembles reports whether two statements in quotes share most of their words: queries of the
// same table.
func resembles(x, y string) bool {
	a, b := wordsNamed(x), wordsNamed(y)
	shared := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			shared++
		}
	}
	return len(a) >= minWords && len(b) >= minWords && 2*shared > min(len(a), len(b))
}

// wordsNamed returns the words of an operand in lower case.
func wordsNamed(operand string) []string {
	return strings.FieldsFunc(strings.ToLower(operand), prose.NotInName)
}

// wrapsAttempt reports whether a runs the command b inside of another: in a container or an
// environment, or through a program that sets it up.
func (a attempt) wrapsAttempt(b attempt) bool {
	words := strings.Fields(unquoted.Replace(a.whole))
	at := a.innermost(words, b.program)
	if at < 0 || handling[a.program] || slices.ContainsFunc(words[:at], func(w string) bool { return installing[w] }) {
		return false
	}
	subs := strings.Fields(b.goal)[1:]
	for _, w := range words[at+1:] {
		if len(subs) > 0 && subs[0] == w {
			subs = subs[1:]
		}
	}
	if len(subs) > 0 || len(b.operands) == 0 {
		return len(subs) == 0 && words[at] == b.program
	}
	return slices.ContainsFunc(b.operands, func(o string) bool {
		o = strings.Trim(o, `"'/`)
		return len(o) > 3 && strings.Contains(a.whole, o)
	})
}

// sharesGoal reports whether two programs were given the same subcommand: "npm install" and
// "bun install".
func (a attempt) sharesGoal(b attempt) bool {
	was, is := strings.Fields(a.goal)[1:], strings.Fields(b.goal)[1:]
	return len(was) > 0 && !scripted[a.program] && slices.Equal(was, is)
}

// unquoted drops quotation marks.
var unquoted = strings.NewReplacer(`"`, "", "'", "")

// installing are words of commands that only bring a program here.
var installing = prose.WordSet("install add get build pull login upgrade update")

// innermost returns the place of the last word that names a program, but for the one that the
// attempt itself starts with; -1 for none.
func (a attempt) innermost(words []string, program string) int {
	for i := len(words) - 1; i >= max(1, len(strings.Fields(a.lead))); i-- {
		if slices.Contains(elementsOf(words[i]), program) {
			return i
		}
	}
	return -1
}

// elementsOf returns the names in a word that names a program, an image or a module.
func elementsOf(word string) []string {
	return strings.FieldsFunc(word, func(r rune) bool { return r == '/' || r == ':' || r == '@' })
}

// moduleName names a file as Python names its module.
func moduleName(operand string) string {
	if ext := path.Ext(operand); len(ext) <= maxExtension {
		operand = strings.TrimSuffix(operand, ext)
	}
	return strings.ReplaceAll(operand, "/", ".")
}

// maxExtension is the longest ending of a file's name that is none of a module,
// in bytes.
const maxExtension = len(".html")

// editedLater looks, in the turn after, for edits of a file that the fault's
// output names, and a call after them that passed.
func (r *repair) editedLater() bool {
	if r.end >= len(r.calls) {
		return false
	}
	named := false
	for j, c := range r.calls[r.end:] {
		named = named || r.changesNamed(c)
		if named && !c.Failed && c.isCompleted() {
			r.again, r.until = r.end-1, r.end+j
			return true
		}
	}
	return false
}

// changesNamed reports whether a call changed a file that the output of the failed one names.
func (r *repair) changesNamed(c pastCall) bool {
	return c.file != "" && !r.isScratch(c.file) && strings.Contains(r.calls[r.failed].Output, path.Base(c.file))
}
