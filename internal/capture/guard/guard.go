// Package guard decides which tool calls a rule of the user's is about. A rule is a few plain lists, so
// that the user can read what it does before it is on, and the same call always has the same answer.
//
// A call is read by its structure, never by its text alone. A command line is taken apart as the shell
// would, through wrappers ("sudo", "env", "xargs"), text that is run ("sh -c", "eval", here-documents) and
// variables that the line itself sets. Nothing is ever run, and nothing outside the call is read, so what a
// script or a Makefile runs is not seen.
//
// Draft makes a rule of a sentence, or refuses; Rehearse says what a rule would have done in a past turn.
package guard

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/activity"
	"recollect/internal/text/prose"
)

// Bounds of a rule.
const (
	maxEntries = 20  // of each list
	maxEntry   = 200 // bytes
)

// A Matcher is a rule that was checked and compiled. It is safe for concurrent use.
type Matcher struct {
	rule    memory.GuardRule
	paths   []glob
	content *regexp.Regexp // nil for none
}

// Compile checks a rule. Its error says what is wrong, for the user.
func Compile(r memory.GuardRule) (*Matcher, error) {
	m := &Matcher{rule: r}
	if !slices.Contains([]string{memory.GuardAsk, memory.GuardWarn, memory.GuardDeny}, r.Action) {
		return nil, fmt.Errorf("action %q: must be ask, warn or deny", r.Action)
	}
	for name, list := range map[string][]string{"program": r.Programs, "subcommand": r.Subcommands, "flag": r.Flags, "path": r.Paths, "activity": r.Activities} {
		if err := checkEntries(name, list); err != nil {
			return nil, err
		}
	}
	if err := checkParts(r); err != nil {
		return nil, err
	}
	for _, path := range r.Paths {
		m.paths = append(m.paths, compileGlob(path))
	}
	if r.Content != "" {
		var err error
		if m.content, err = compileContent(r.Content); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func checkEntries(name string, list []string) error {
	if len(list) > maxEntries {
		return fmt.Errorf("%s: %d given, at most %d", name, len(list), maxEntries)
	}
	for _, entry := range list {
		isPlain := clean.Text(entry) == entry && !strings.ContainsAny(entry, "\n\t\x00")
		if entry == "" || len(entry) > maxEntry || !isPlain {
			return fmt.Errorf("%s %.40q: must be plain text of at most %d bytes in one line", name, entry, maxEntry)
		}
	}
	return nil
}

func checkParts(r memory.GuardRule) error {
	hasProgram := len(r.Programs) > 0
	switch {
	case !hasProgram && len(r.Paths)+len(r.Activities) == 0 && r.Content == "":
		return errors.New("a guard needs a program, a path, an activity or a content")
	case !hasProgram && len(r.Subcommands)+len(r.Flags) > 0:
		return errors.New("a subcommand or a flag needs a program")
	case hasProgram && len(r.Activities) > 0:
		return errors.New("a guard is about a program or an activity, not both")
	}
	for _, program := range r.Programs {
		if strings.HasPrefix(program, "mcp__") || unseenTools[program] {
			return fmt.Errorf("program %s: no hook is asked about calls of this tool; a permission rule of Claude Code's can deny them", program)
		}
	}
	return nil
}

// unseenTools are tools of Claude's before which Claude Code does not run our hook.
var unseenTools = prose.WordSet("Read Grep Glob LS WebSearch TodoWrite Skill ToolSearch BashOutput KillShell")

func compileContent(pattern string) (*regexp.Regexp, error) {
	if err := checkEntries("content", []string{pattern}); err != nil {
		return nil, err
	}
	re, err := regexp.Compile(pattern)
	switch {
	case err != nil:
		return nil, fmt.Errorf("content: %w", err)
	case re.MatchString(""):
		return nil, fmt.Errorf("content %q: fits everything", pattern)
	}
	return re, nil
}

// Match returns what of a call the rule is about, such as "npm install"; ok is false if nothing is.
func (m *Matcher) Match(c *Call) (what string, ok bool) {
	what, _, ok = m.find(c)
	return what, ok
}

// find is Match, with the text of the command, "" if it is none.
func (m *Matcher) find(c *Call) (what, text string, ok bool) {
	byCommand := len(m.rule.Programs)+len(m.rule.Activities) > 0
	if isAbout := c.file != "" && !byCommand; isAbout && m.fitsPath(c.file) && m.fitsContent(c.content) {
		return c.tool + " " + c.file, "", true
	}
	for i, cmd := range c.commands {
		if byCommand {
			if m.fitsCommand(i, c) {
				return cmd.name(), cmd.text, true
			}
		} else if file, ok := m.touchedBy(cmd, c); ok {
			return cmd.name() + " " + file, cmd.text, true
		}
	}
	return "", "", false
}

func (m *Matcher) fitsCommand(i int, c *Call) bool {
	cmd := c.commands[i]
	if len(m.rule.Activities) > 0 {
		return !cmd.tool && activity.Shared(m.rule.Activities, c.activitiesOf(i)) != "" && m.fitsContent(cmd.text)
	}
	isCall := m.fitsProgram(cmd) && m.fitsSubcommand(cmd) && m.fitsFlags(cmd)
	return isCall && m.fitsContent(cmd.text) && m.fitsOperands(cmd, c)
}

func (m *Matcher) fitsProgram(cmd command) bool {
	return slices.ContainsFunc(m.rule.Programs, func(program string) bool {
		if cmd.tool {
			return program == cmd.words[0]
		}
		return sameProgram(cmd.words[0], program)
	})
}

func (m *Matcher) fitsSubcommand(cmd command) bool {
	return len(m.rule.Subcommands) == 0 || slices.ContainsFunc(m.rule.Subcommands, cmd.hasSubcommand)
}

func (m *Matcher) fitsFlags(cmd command) bool {
	return len(m.rule.Flags) == 0 || slices.ContainsFunc(m.rule.Flags, cmd.hasFlag)
}

func (m *Matcher) fitsContent(text string) bool {
	return m.content == nil || m.content.MatchString(text)
}

func (m *Matcher) fitsPath(path string) bool {
	return len(m.paths) == 0 || slices.ContainsFunc(m.paths, func(g glob) bool { return g.fits(path) })
}

// fitsOperands reports whether an argument of a command fits a path of the rule. What a branch, an image
// or an option is called has its name behind a colon, a slash or an equals sign.
func (m *Matcher) fitsOperands(cmd command, c *Call) bool {
	if len(m.paths) == 0 {
		return true
	}
	for _, word := range slices.Concat(cmd.words[1:], cmd.writes) {
		parts := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(":=+", r) })
		for _, part := range append(parts, strings.TrimPrefix(word, "refs/heads/")) {
			if m.fitsPath(part) || m.fitsPath(c.relative(cmd.dir, part)) {
				return true
			}
		}
	}
	return false
}

// touchedBy returns a file that a command changes and that fits.
func (m *Matcher) touchedBy(cmd command, c *Call) (string, bool) {
	if len(m.paths) == 0 && len(cmd.writes) == 0 {
		return "", false // only the content is given, and the command writes none
	}
	for _, word := range cmd.touched() {
		file := c.relative(cmd.dir, word)
		removesAll := removers[programName(cmd.words[0])] && slices.ContainsFunc(m.paths, func(g glob) bool { return g.liesIn(file) })
		if (m.fitsPath(file) || removesAll) && m.fitsContent(cmd.text) {
			return file, true
		}
	}
	return "", false
}

// MustCompile is Compile for a rule of our own, which is right.
func MustCompile(r memory.GuardRule) *Matcher {
	m, err := Compile(r)
	if err != nil {
		panic(err)
	}
	return m
}

// Describe says in plain English what a rule is about and does: "commands that run npm: ask".
func Describe(r memory.GuardRule) string {
	var b strings.Builder
	switch {
	case len(r.Activities) > 0:
		var does []string
		for _, a := range r.Activities {
			does = append(does, cmp.Or(verbs[a], a))
		}
		b.WriteString("commands that " + joinOr(does))
	case len(r.Programs) > 0:
		b.WriteString("calls of " + joinOr(r.Programs))
		if len(r.Subcommands) > 0 {
			b.WriteString(" " + joinOr(r.Subcommands))
		}
		if len(r.Flags) > 0 {
			b.WriteString(" with " + joinOr(r.Flags))
		}
		if len(r.Paths) > 0 {
			b.WriteString(" on " + joinOr(r.Paths))
		}
	default:
		b.WriteString("changes to ")
		if len(r.Paths) == 0 {
			b.WriteString("any file")
		}
		b.WriteString(joinOr(r.Paths))
	}
	if r.Content != "" {
		b.WriteString(" with text that matches " + r.Content)
	}
	return b.String() + ": " + r.Action
}

// verbs say what commands of an activity do, where its name does not.
var verbs = map[string]string{"dependency": "add dependencies", "test": "run tests", "migrate": "migrate a database", "release": "release or publish", "sql": "run SQL"}

func joinOr(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}
