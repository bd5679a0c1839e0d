package survey

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// Bounds of what is said of commands, in bytes where not said otherwise.
const (
	maxSays     = 50  // of what a command does
	minSays     = 10  // of a clause that says it
	maxCommands = 280 // of all commands
	maxScripts  = 40  // executables that are read
	maxOpening  = 12  // lines of an executable in which it says what it does
)

// A command is one that people run in a project.
type command struct {
	line string
	says string // what it does, in the words of whoever wrote it
	own  bool   // the project defines it; it does not only come with a language
}

// String returns the command as it is typed, with what it does.
func (c command) String() string {
	if c.says == "" {
		return "`" + c.line + "`"
	}
	return "`" + c.line + "` (" + c.says + ")"
}

// kinds are what commands are for, the most important first, by the words of
// their names.
var kinds = []map[string]bool{
	prose.WordSet("test tests check spec ci verify pytest tox nox ctest rspec e2e"),
	prose.WordSet("build compile all package bundle make dist"),
	prose.WordSet("lint format fmt typecheck type vet style"),
	prose.WordSet("run dev start serve server up preview watch"),
	prose.WordSet("deploy release publish ship rollout"),
	prose.WordSet("setup install bootstrap migrate seed generate gen bench docs clean db"),
}

// kind returns what a command is for, as its place in kinds.
func (c command) kind() int {
	words := strings.FieldsFunc(strings.ToLower(c.line), func(r rune) bool { return strings.ContainsRune(" /:-_.", r) })
	for _, word := range slices.Backward(words) {
		if i := slices.IndexFunc(kinds, func(k map[string]bool) bool { return k[word] }); i >= 0 {
			return i
		}
	}
	return len(kinds)
}

// command records one that comes with a language or a tool.
func (f *facts) command(line string) { f.suggest(command{line: line}) }

// explained records a command of the project's own with what it does or runs,
// unless that is an order, prints words or names an address.
func (f *facts) explained(line, says string) {
	says = strings.ReplaceAll(prose.OneLine(says), "`", "'")
	if givesOrders(says) || prose.ContainsAny(strings.ToLower(says), wordy[:]) {
		says = ""
	}
	if i := strings.IndexAny(says, ":;("); i >= minSays {
		says = strings.TrimSpace(says[:i])
	}
	f.suggest(command{line: line, says: prose.ClipWords(says, maxSays), own: true})
}

// wordy are in scripts that say more than what they run.
var wordy = [...]string{"://", "echo ", "printf "}

var commandLine = rule.Lazy(`^[\w./:@ &+-]+$`)

func (f *facts) suggest(c command) {
	known := slices.ContainsFunc(f.commands, func(o command) bool { return o.line == c.line })
	if !known && len(c.line) <= maxCommandLine && commandLine.MatchString(c.line) {
		f.commands = append(f.commands, c)
	}
}

// commandList returns the commands to name, the most important first: those
// of the project's own rather than what comes with its language.
func (f *facts) commandList() []string {
	ordered := slices.Clone(f.commands)
	ordered = slices.DeleteFunc(ordered, func(c command) bool {
		return !c.own && slices.ContainsFunc(f.commands, func(o command) bool { return o.own && o.kind() == c.kind() })
	})
	slices.SortStableFunc(ordered, func(a, b command) int { return a.kind() - b.kind() })
	var out []string
	room := maxCommands
	for _, c := range ordered {
		if size := len(c.String()) + len(", "); size <= room && len(out) < maxRun {
			out, room = append(out, c.String()), room-size
		}
	}
	return out
}

// executables records the scripts in the folders where projects keep those
// that people run.
func (f *facts) executables(dir folder) {
	read := 0
	for _, sub := range []string{"scripts", "script", "bin"} {
		var names []string
		dir.listFiles(sub, &names, map[string]int{})
		for _, name := range names {
			file := path.Join(sub, name)
			fi, err := dir.Stat(file)
			if err != nil || read >= maxScripts || !isExecutable(fi.Mode()) {
				continue
			}
			read++
			if text := dir.text(file); strings.HasPrefix(text, "#!") {
				f.explained(file, saysWhat(openingComment(text)))
				prose.AddOnce(&f.from, sub)
			}
		}
	}
}

var noComment = rule.Lazy(`(?i)^(?:shellcheck|copyright|licen[cs]ed?|spdx|vim:|-\*-|coding|!|usage\b|pylint|eslint|type:|-+$|=+$)`)

// openingComment returns what a script says of itself in its first lines: a
// comment, or the first line of a docstring.
func openingComment(text string) string {
	n := 0
	for line := range strings.Lines(text) {
		if n++; n > maxOpening {
			break
		}
		line = strings.TrimSpace(line)
		comment, ok := commentOf(line)
		if comment != "" && !noComment.MatchString(comment) {
			return prose.FirstSentence(comment)
		}
		if line != "" && !ok {
			break
		}
	}
	return ""
}

// commentOf returns the words of a line that is a comment.
func commentOf(line string) (string, bool) {
	for _, mark := range []string{"##", "#", "//", `"""`, "'''"} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.Trim(rest, "\"' #"), true
		}
	}
	return "", false
}

// A recipe is a named command of a build file, with its comment.
type recipe struct{ name, says string }

// recipesIn returns the recipes of a build file: each line that the pattern
// takes begins some, and a comment at its end or above says what they do.
func recipesIn(pattern *rule.Regexp, text string) []recipe {
	var out []recipe
	above := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if comment, ok := commentOf(line); ok {
			above = comment
			continue
		}
		if m := pattern.FindStringSubmatch(line); m != nil {
			says := above
			if _, after, ok := strings.Cut(line, "## "); ok {
				says = after
			}
			for _, name := range strings.Fields(m[1]) {
				out = append(out, recipe{name, strings.TrimSpace(says)})
			}
		}
		above = ""
	}
	return out
}

// recipes records the recipes that somebody else would run: those with a
// common name, and those that say what they do.
func (f *facts) recipes(program string, all []recipe) {
	for _, r := range all {
		if slices.Contains(targets[:], r.name) || r.says != "" {
			f.explained(program+" "+r.name, saysWhat(r.says))
		}
	}
}

var (
	taskName    = rule.Lazy(`^ {2}([\w:-]+):\s*$`)
	taskDesc    = rule.Lazy(`^ {4}desc: *["']?([^"'\n]+)`)
	toxSection  = rule.Lazy(`^\[testenv:([\w.-]+)\]`)
	toxDesc     = rule.Lazy(`^description *= *(\S.*)`)
	noxFunction = rule.Lazy(`^def (\w+)\(`)
	noxDoc      = rule.Lazy(`^ +(?:"""|''')([^"'\n]+)`)
)

// describedIn returns the recipes of a file in which one line names a recipe
// and a later one says what it does.
func describedIn(name, says *rule.Regexp, text string) []recipe {
	var out []recipe
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := name.FindStringSubmatch(line); m != nil {
			out = append(out, recipe{name: m[1]})
		} else if m := says.FindStringSubmatch(line); m != nil && len(out) > 0 && out[len(out)-1].says == "" {
			out[len(out)-1].says = m[1]
		}
	}
	return out
}

func taskfile(f *facts, _ folder, text string) {
	_, tasks, _ := strings.Cut("\n"+text, "\ntasks:")
	f.recipes("task", describedIn(taskName, taskDesc, tasks))
}

func toxFile(f *facts, _ folder, text string) {
	f.recipes("tox -e", describedIn(toxSection, toxDesc, text))
}

func noxFile(f *facts, _ folder, text string) {
	_, sessions, _ := strings.Cut(text, "@nox.session")
	f.recipes("nox -s", describedIn(noxFunction, noxDoc, sessions))
}

func isExecutable(mode fs.FileMode) bool { return mode.IsRegular() && mode.Perm()&0o111 != 0 }
