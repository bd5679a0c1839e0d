package toolcall

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/activity"
	"recollect/internal/text/prose"
)

// maxSteps bounds the steps of a command line that are looked at.
const maxSteps = 6

// A Call is a tool call that is about to be made, as memories may bear on it.
type Call struct {
	Task    string // what a sub-agent is asked
	Agent   string // its type
	Rules   *Rules // that were read for calls before; nil for none
	tries   []attempt
	starts  []start
	ways    []string // in which its commands are called
	files   []string // relative to the project
	project memory.Project

	activities []string
}

// Read reads a call of a tool from its input, which is JSON. It reports
// false for one that no memory can bear on, because it only reads.
func Read(tool, input string, project memory.Project, cwd string) (Call, bool) {
	c := Call{project: project}
	switch {
	case startsAgent(tool):
		c.Task = strings.TrimSpace(clean.Text(Member(input, "prompt", "description")))
		if c.Agent = Member(input, "subagent_type"); c.Agent == "" {
			c.Agent = "general-purpose"
		}
	case ChangesFile(tool):
		if file := NewPaths(project, cwd).Relative(clean.Text(Member(input, "file_path", "notebook_path"))); file != "" {
			c.files = []string{file}
		}
	case tool == "WebFetch":
		if try, ok := tryOf(claudecode.Action{Tool: tool, Input: input}); ok {
			c.tries = []attempt{try}
		}
	default:
		command := clean.Text(Member(input, "command"))
		c.tries, c.starts, c.ways = attemptsOf(command), startsOf(command), waysOf(command)
	}
	c.setActivities()
	return c, c.Task != "" || len(c.tries)+len(c.starts)+len(c.files) > 0
}

// waysOf lists the ways in which the commands of a line are called.
func waysOf(command string) []string {
	var out []string
	steps := stepsOf(command)
	for i, step := range steps {
		for _, c := range step.calls {
			if len(out) < 2*maxSteps && !c.runsNothing() {
				prose.AddOnce(&out, wayIn(steps[:i], c))
			}
		}
	}
	return out
}

// Ways lists the ways in which the commands of the call are called, such as "go test -run".
func (c *Call) Ways() []string { return c.ways }

// attemptsOf reads every step of a command line that does something.
func attemptsOf(command string) []attempt {
	var out []attempt
	for _, step := range stepsOf(command) {
		if len(out) == maxSteps {
			break
		}
		if try, ok := tryCommand(command[step.start:step.end]); ok && !try.isImprovised() {
			out = append(out, try)
		}
	}
	return out
}

// Words are what a memory that is relevant to the call has some of.
func (c *Call) Words() string {
	var words []string
	for _, t := range c.tries {
		words = append(words, t.goal, strings.Join(t.operands, " "))
	}
	for _, s := range c.starts {
		words = append(words, s.program, strings.Join(s.imports, " "))
	}
	return strings.Join(append(words, c.files...), "\n")
}

// Activities are what the call does: "commit", "test".
func (c *Call) Activities() []string { return c.activities }

func (c *Call) setActivities() {
	for _, t := range c.tries {
		if !asksForItself(t.line) {
			c.activities = append(c.activities, activity.OfCommand(t.line)...)
		}
	}
	for _, f := range c.files {
		c.activities = append(c.activities, activity.OfFile(f)...)
	}
}

// Key is the same for calls that the same memories bear on.
func (c *Call) Key() string {
	lines := []string{c.project.Remote, c.project.Path, c.project.Name, c.Words()}
	for _, t := range c.tries {
		lines = append(lines, t.line)
	}
	for _, s := range c.starts {
		lines = append(lines, s.runner)
	}
	return strings.Join(lines, "\x00")
}

// Relevance returns the confidence that a memory is relevant to exactly this call, in
// [0, 1]: 1 for a failure of the same command line, 0 for what names neither
// command nor file.
func (c *Call) Relevance(m *memory.Memory) float64 {
	if slices.Contains(m.Tags, memory.TagPlan) {
		return 0 // it names all files and commands of a task that is over
	}
	here := m.Home().Zero() || m.Home().Same(c.project)
	best := 0.0
	if isRule(m) && (here || m.HoldsIn(c.project)) {
		rule := c.Rules.of(m)
		if c.follows(&rule.subject) {
			return 0
		}
		best = c.boundBy(rule)
	}
	for _, t := range c.tries {
		if m.Source == memory.Failures {
			best = max(best, t.failedAs(m, here))
		} else {
			best = max(best, t.mentionedIn(m))
		}
	}
	if m.Source == memory.Failures {
		best = max(best, c.needsMissing(m, here))
	}
	if here && m.Source != memory.Failures && m.Fields["problem"] == "" { // elsewhere the same path is another file; what was put right in one is history
		for _, f := range c.files {
			best = max(best, touchesFile(m, f))
		}
	}
	return best
}

// The confidence that what somebody said or decided is relevant to a command that it names.
const (
	namesGoal    = 0.8  // "go test"
	namesProgram = 0.75 // "pytest", "use pnpm instead of npm"
)

// mentionedIn returns the confidence that a memory in words is about t.
func (t attempt) mentionedIn(m *memory.Memory) float64 {
	text := strings.ToLower(subjectOf(m))
	if problem := m.Fields["problem"]; problem != "" { // what solves it may run anything
		text = strings.ToLower(problem + "\n" + m.Fields["context"])
	}
	goal := strings.ToLower(t.goal)
	if solution := m.Fields["solution"]; solution != "" && changesOnly(solution) || hasWords(strings.ToLower(solution), goal) {
		return 0 // it is history, or the call is the solution
	}
	program, sub, _ := strings.Cut(goal, " ")
	rule := m.Source == memory.Preferences || m.Source == memory.Patterns
	switch {
	case asksForItself(t.line):
		return 0
	case sub != "" && (hasWords(text, goal) || hasWords(text, program+" run "+sub)):
		return namesGoal
	case rule && program == "git" && namesGitNoun(activity.WithoutIdioms(text), sub):
		return namesProgram
	case english[program] || len(program) < 3:
		return 0
	case sub == "" && hasWords(text, program), rule && sub != "" && namesAlone(text, program):
		return namesProgram
	}
	return 0
}

// asksForItself reports whether a command only asks a program for its version or its help.
func asksForItself(line string) bool {
	return strings.HasSuffix(line, " --version") || strings.HasSuffix(line, " --help")
}

// subjectOf returns the words of a memory that say what it is about. A decision is about what its title names; its
// reasons and what was done for it name other things too.
func subjectOf(m *memory.Memory) string {
	if m.Source == memory.Journal {
		return m.Title
	}
	return m.Title + "\n" + m.Body()
}

// gitNouns are subcommands of git that people name without it.
var gitNouns = []string{"commit", "push", "rebase", "merge", "tag", "stash", "cherry-pick"}

// english are programs whose names are words that mean something else too.
var english = prose.WordSet(`go make just node python rake rails task black test time fetch watch kill source open git sh bash env java rm cp mv curl sed awk swift service bundle
	read cut tee install patch ruby php perl docker`)

// namesAlone reports whether a text names a program as such, not one of its
// subcommands.
func namesAlone(text, program string) bool {
	for at := range wordsAt(text, program) {
		rest := strings.TrimLeft(text[at+len(program):], "`'\"")
		next := strings.TrimLeft(rest, " ")
		if next == rest || next == "" { // punctuation follows
			return true
		}
		word, _, _ := strings.Cut(next, " ")
		if slices.Contains([]string{"instead", "for", "not", "only", "over", "rather", "and", "or", "as", "in", "to", "with", "because", "everywhere", "here", "workspaces"}, strings.Trim(word, ".,;:")) {
			return true
		}
	}
	return false
}

// hasWords reports whether text has phrase, between ends of words.
func hasWords(text, phrase string) bool {
	for range wordsAt(text, phrase) {
		return true
	}
	return false
}

// wordsAt yields where phrase stands in text between ends of words.
func wordsAt(text, phrase string) func(func(int) bool) {
	return func(yield func(int) bool) {
		for from := 0; phrase != ""; {
			at := strings.Index(text[from:], phrase)
			if at < 0 {
				return
			}
			at += from
			from = at + len(phrase)
			if !inName(text[:at], true) && !inName(text[from:], false) && !yield(at) {
				return
			}
		}
	}
}

// inName reports whether a name goes on at the end or the beginning of text.
func inName(text string, end bool) bool {
	if text == "" {
		return false
	}
	c := text[0]
	if end {
		c = text[len(text)-1]
	} else if endsSentence(text) {
		return false
	}
	switch {
	case c >= 0x80, '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return true
	}
	return strings.IndexByte("_-/.", c) >= 0
}

// endsSentence reports whether text begins with the point that ends a sentence.
func endsSentence(text string) bool {
	return text == "." || strings.HasPrefix(text, ". ") || strings.HasPrefix(text, ".\n")
}

// namesGitNoun reports whether a text names what a subcommand of git makes: commits, a commit message.
func namesGitNoun(text, sub string) bool {
	if !slices.Contains(gitNouns, sub) {
		return false
	}
	return hasWords(text, sub) || hasWords(text, sub+"s") || hasWords(text, sub+" message")
}

// The confidence that a memory is relevant to a file.
const (
	givesPath  = 0.9  // its words have the path
	givesName  = 0.75 // its words have the file's name, which says enough
	isAbout    = 0.75 // the file is one of two that it lists
	listsFile  = 0.5
	aboutFiles = 2
)

// touchesFile returns the confidence that a memory is relevant to a change to a file, given by
// its path in the project.
func touchesFile(m *memory.Memory, file string) float64 {
	text, listed := subjectOf(m), m.Source != memory.Journal && slices.Contains(m.Files, file)
	name := path.Base(file)
	confidence := 0.0
	switch {
	case strings.Contains(file, "/") && hasWords(text, file):
		confidence = givesPath
	case strings.Contains(name, ".") && !commonFiles[name] && namesFileIn(text, name, file):
		confidence = givesName
	case listed && len(m.Files) <= aboutFiles:
		confidence = isAbout
	case listed:
		confidence = listsFile
	}
	return confidence
}

// lastTwo returns the file's name with its folder.
func lastTwo(file string) string {
	return path.Join(path.Base(path.Dir(file)), path.Base(file))
}

// commonFiles are names that files in many folders have.
var commonFiles = map[string]bool{
	"main.go": true, "index.js": true, "index.ts": true, "index.tsx": true, "index.html": true, "__init__.py": true, "README.md": true,
	"package.json": true, "mod.rs": true, "lib.rs": true, "main.rs": true, "main.py": true, "utils.py": true, "utils.ts": true, "types.ts": true,
	"models.py": true, "views.py": true, "tests.py": true, "settings.py": true, "conftest.py": true, "page.tsx": true, "route.ts": true,
	"Makefile": true, "Dockerfile": true, "CHANGELOG.md": true, "setup.py": true, "go.mod": true, "base.py": true, "core.py": true,
}

// namesFileIn reports whether a text has the name of a file, alone or with its folder.
func namesFileIn(text, name, file string) bool {
	return hasWords(text, name) || strings.Contains(text, "/"+name) && hasWords(text, lastTwo(file))
}
