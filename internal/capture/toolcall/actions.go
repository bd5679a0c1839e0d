// Package toolcall reads from Claude's tool calls what was done: which files
// were read and changed, which commands ran and how they came out, what failed
// and what put it right, what was committed. Nothing of a command is ever run.
//
// The actions of a turn are what its calls did. An attempt is a call that was
// made to reach something. A fault is what a failed call said of its cause, a
// repair what made the same attempt succeed later.
package toolcall

import (
	"fmt"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// Bounds of what a memory says of a turn's tool calls.
const (
	MaxFiles   = 8   // files that it lists
	MaxCommand = 100 // bytes of a command, a path or a title

	maxCommands = 6
	maxCommits  = 3
	maxTasks    = 3
)

// Actions is what was done in a turn.
type Actions struct {
	Edited   []string // files, as the project names them
	seen     []string // read only
	commands []*ranCommand
	commits  []string
	tasks    []string // handed to sub-agents
	searches []string // on the web
}

// A ranCommand is one shell command with how its runs came out, in order, as far
// as is known: "passed", "failed", "refused"; equal neighbours are one.
type ranCommand struct {
	line string
	runs []string
}

// ReadActions returns what was done in a turn with these calls.
func ReadActions(actions []claudecode.Action, p Paths) Actions {
	var d Actions
	for _, a := range actions {
		d.Add(a, p)
	}
	d.seen = slices.DeleteFunc(d.seen, func(f string) bool { return slices.Contains(d.Edited, f) })
	return d
}

// Add takes one more call into account.
func (d *Actions) Add(a claudecode.Action, p Paths) {
	switch done := !a.Failed && !a.Refused; {
	case ChangesFile(a.Tool) && done:
		prose.AddOnce(&d.Edited, p.Relative(clean.Text(a.File)))
	case a.Tool == "Read" && done:
		prose.AddOnce(&d.seen, p.Relative(clean.Text(a.File)))
	case ChangesFile(a.Tool) || a.Tool == "Read": // it was not done
	case startsAgent(a.Tool):
		prose.AddOnce(&d.tasks, prose.Clip(prose.OneLine(clean.Text(a.Description)), MaxCommand))
	case IsWeb(a.Tool):
		prose.AddOnce(&d.searches, prose.Clip(prose.OneLine(clean.Text(Member(a.Input, "query", "url"))), MaxCommand))
	case a.Command != "":
		d.addRun(a)
	}
}

// ChangesFile reports whether a tool changes a file.
func ChangesFile(tool string) bool {
	switch tool {
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		return true
	}
	return false
}

// startsAgent reports whether a tool starts a sub-agent.
func startsAgent(tool string) bool { return tool == "Task" || tool == "Agent" }

// IsWeb reports whether a tool brings what others wrote.
func IsWeb(tool string) bool { return tool == "WebFetch" || tool == "WebSearch" }

func (d *Actions) addRun(a claudecode.Action) {
	text := clean.Text(a.Command)
	if message, _ := CommitMessage(text); message != "" && !a.Failed && !a.Refused {
		prose.AddOnce(&d.commits, prose.Clip(message, MaxCommand))
		return
	}
	shell := readShell(text)
	hasNoFolder := a.Failed && strings.HasPrefix(text, "cd ") && noFolder.MatchString(a.Output)
	if hasNoFolder || shell.onlyReads() {
		return
	}
	line := shortenLine(shell.text, MaxCommand)
	i := slices.IndexFunc(d.commands, func(c *ranCommand) bool { return c.line == line })
	if i < 0 {
		i = len(d.commands)
		d.commands = append(d.commands, &ranCommand{line: line})
	}
	c := d.commands[i]
	run := outcomeOf(a, shell.piped)
	if run != "" && (len(c.runs) == 0 || c.runs[len(c.runs)-1] != run) {
		c.runs = append(c.runs, run)
	}
}

// noFolder matches what a shell says where it cannot change to a folder: nothing
// that was to run there has run.
var noFolder = rule.Lazy(`(?im)^(?:\S+: (?:line \d+: )?)?\S*\bcd:.*\bno such (?:file|directory)|\bcan't cd to\b`)

func outcomeOf(a claudecode.Action, piped bool) string {
	switch {
	case a.Refused:
		return "refused"
	case a.Failed:
		return "failed"
	case piped:
		return ""
	}
	return "passed"
}

func (c *ranCommand) String() string {
	if c.weight() == 0 {
		return "`" + c.line + "`"
	}
	runs := c.runs
	if len(runs) > 3 {
		runs = []string{runs[0], "…", runs[len(runs)-1]}
	}
	return "`" + c.line + "` (" + strings.ReplaceAll(strings.Join(runs, ", then "), ", then …", ", …") + ")"
}

// mostInformative picks the commands that a memory names, in their order: what
// failed first, because that is what one asks for later, then the last ones.
func (d *Actions) mostInformative(most int) []string {
	picked := slices.Clone(d.commands)
	slices.Reverse(picked)
	slices.SortStableFunc(picked, func(a, b *ranCommand) int { return b.weight() - a.weight() })
	picked = picked[:min(len(picked), most)]
	var out []string
	for _, c := range d.commands {
		if slices.Contains(picked, c) {
			out = append(out, c.String())
		}
	}
	return out
}

// weight is highest for what failed and was put right, which is most informative.
func (c *ranCommand) weight() int {
	switch {
	case len(c.runs) > 1:
		return 2
	case len(c.runs) == 1 && c.runs[0] != "passed":
		return 1
	}
	return 0
}

// String returns the actions in one line, "" if there are none.
func (d *Actions) String() string { return d.listed(whole) }

// Brief returns the actions in one short line, "" if there are none.
func (d *Actions) Brief() string { return d.listed(brief) }

// limits are how much of what was done is listed.
type limits struct{ files, commands, tasks, commits int }

var (
	whole = limits{files: MaxFiles, commands: maxCommands, tasks: maxTasks, commits: maxCommits}
	brief = limits{files: 4, commands: 2, tasks: 2, commits: 2}
)

// Commits returns the subjects of what was committed.
func (d *Actions) Commits() []string { return d.commits }

// Changed reports whether a file was changed or something was committed.
func (d *Actions) Changed() bool { return len(d.Edited)+len(d.commits) > 0 }

// OnlySearched reports whether nothing was done but to look something up on
// the web.
func (d *Actions) OnlySearched() bool {
	return !d.Changed() && len(d.seen)+len(d.commands)+len(d.tasks) == 0
}

// OnlyCommitted reports whether one commit was made, and nothing else done that
// a memory would name.
func (d *Actions) OnlyCommitted() bool {
	if len(d.commits) != 1 || len(d.Edited)+len(d.tasks)+len(d.searches) > 0 {
		return false
	}
	return !slices.ContainsFunc(d.commands, func(c *ranCommand) bool { return !strings.HasPrefix(c.line, "git ") })
}

// OnlyRead reports whether files were read and nothing else done that a memory
// would name.
func (d *Actions) OnlyRead() bool {
	return len(d.seen) > 0 && !d.Changed() && len(d.commands)+len(d.tasks)+len(d.searches) == 0
}

// listed returns the actions in one line that names so many of each.
func (d *Actions) listed(most limits) string {
	var parts []string
	add := func(verb string, names []string, most int) {
		if len(names) > most {
			names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", len(names)-most))
		}
		if len(names) > 0 {
			parts = append(parts, verb+" "+strings.Join(names, ", "))
		}
	}
	add("edited", d.Edited, most.files)
	if len(d.Edited) == 0 {
		add("read", d.seen, most.files)
	}
	add("ran", d.mostInformative(most.commands), most.commands)
	add("looked up", prose.Quoted(d.searches), most.tasks)
	add("handed over", prose.Quoted(d.tasks), most.tasks)
	add("committed", prose.Quoted(d.commits), most.commits)
	return strings.Join(parts, "; ")
}

// Files lists what was edited, then what was read.
func (d *Actions) Files() []string {
	all := slices.Concat(d.Edited, d.seen)
	return all[:min(len(all), MaxFiles)]
}
