package capture

import (
	"fmt"
	"slices"
	"strings"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

// Bounds of what an episode tells of a turn's tool calls.
const (
	maxFiles    = 8
	maxCommands = 6
	maxCommits  = 3
	maxTasks    = 3
	maxCommand  = 100
)

// deeds is what was done in a turn.
type deeds struct {
	edited   []string
	seen     []string // read only
	commands []*command
	commits  []string
	tasks    []string // handed to sub-agents
	searches []string // on the web
}

// A command is one shell command with how its runs came out, in order, as far
// as one can tell: "passed", "failed", "refused"; equal neighbours are one.
type command struct {
	line string
	runs []string
}

func readDeeds(actions []claudecode.Action, p project) deeds {
	var d deeds
	for _, a := range actions {
		d.add(a, p)
	}
	d.seen = slices.DeleteFunc(d.seen, func(f string) bool { return slices.Contains(d.edited, f) })
	return d
}

func (d *deeds) add(a claudecode.Action, p project) {
	switch done := !a.Failed && !a.Refused; {
	case changesFile(a.Tool) && done:
		addOnce(&d.edited, p.relative(Clean(a.File)))
	case a.Tool == "Read" && done:
		addOnce(&d.seen, p.relative(Clean(a.File)))
	case changesFile(a.Tool) || a.Tool == "Read": // it was not done
	case handsOver(a.Tool):
		addOnce(&d.tasks, clip(oneLine(Clean(a.Description)), maxCommand))
	case web(a.Tool):
		addOnce(&d.searches, clip(oneLine(Clean(member(a.Input, "query", "url"))), maxCommand))
	case a.Command != "":
		d.run(a)
	}
}

// changesFile reports a tool that changes a file.
func changesFile(tool string) bool {
	return tool == "Edit" || tool == "Write" || tool == "MultiEdit" || tool == "NotebookEdit"
}

// handsOver reports a tool that starts a sub-agent.
func handsOver(tool string) bool { return tool == "Task" || tool == "Agent" }

// web reports a tool that brings what others wrote.
func web(tool string) bool { return tool == "WebFetch" || tool == "WebSearch" }

func addOnce(list *[]string, s string) {
	if s != "" && !slices.Contains(*list, s) {
		*list = append(*list, s)
	}
}

func (d *deeds) run(a claudecode.Action) {
	text := Clean(a.Command)
	if message := commitMessage(text); message != "" && !a.Failed && !a.Refused {
		addOnce(&d.commits, clip(message, maxCommand))
		return
	}
	text, piped := unpiped(stepInto(text))
	line := shorten(text)
	if looksAround(line) {
		return
	}
	i := slices.IndexFunc(d.commands, func(c *command) bool { return c.line == line })
	if i < 0 {
		i = len(d.commands)
		d.commands = append(d.commands, &command{line: line})
	}
	c := d.commands[i]
	run := outcome(a, piped)
	if run != "" && (len(c.runs) == 0 || c.runs[len(c.runs)-1] != run) {
		c.runs = append(c.runs, run)
	}
}

func outcome(a claudecode.Action, piped bool) string {
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

func (c *command) String() string {
	if c.weight() == 0 {
		return "`" + c.line + "`"
	}
	runs := c.runs
	if len(runs) > 3 {
		runs = []string{runs[0], "…", runs[len(runs)-1]}
	}
	return "`" + c.line + "` (" + strings.ReplaceAll(strings.Join(runs, ", then "), ", then …", ", …") + ")"
}

// told picks the commands to tell, in their order: what failed first, because
// that is what one asks for later, then the last ones.
func (d *deeds) told() []string {
	picked := slices.Clone(d.commands)
	slices.Reverse(picked)
	slices.SortStableFunc(picked, func(a, b *command) int { return b.weight() - a.weight() })
	picked = picked[:min(len(picked), maxCommands)]
	var out []string
	for _, c := range d.commands {
		if slices.Contains(picked, c) {
			out = append(out, c.String())
		}
	}
	return out
}

// weight: what failed and was put right tells most.
func (c *command) weight() int {
	switch {
	case len(c.runs) > 1:
		return 2
	case len(c.runs) == 1 && c.runs[0] != "passed":
		return 1
	}
	return 0
}

// String tells the deeds in one line, "" if there are none.
func (d *deeds) String() string {
	var parts []string
	tell := func(verb string, names []string, most int) {
		if len(names) > most {
			names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", len(names)-most))
		}
		if len(names) > 0 {
			parts = append(parts, verb+" "+strings.Join(names, ", "))
		}
	}
	tell("edited", d.edited, maxFiles)
	if len(d.edited) == 0 {
		tell("read", d.seen, maxFiles)
	}
	tell("ran", d.told(), maxCommands)
	tell("looked up", quoted(d.searches), maxTasks)
	tell("handed over", quoted(d.tasks), maxTasks)
	tell("committed", quoted(d.commits), maxCommits)
	return strings.Join(parts, "; ")
}

func quoted(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = `"` + s + `"`
	}
	return out
}

// files lists what was edited, then what was read.
func (d *deeds) files() []string {
	all := slices.Concat(d.edited, d.seen)
	return all[:min(len(all), maxFiles)]
}

// A project makes paths relative: to its root, else to the folder that Claude
// worked in, which is another one in a linked work tree.
type project struct{ roots []string }

func newProject(p memory.Project, cwd string) project {
	var out project
	for _, root := range []string{p.Path, cwd} {
		if root = strings.TrimSuffix(slashed(root), "/"); root != "" {
			out.roots = append(out.roots, root+"/")
		}
	}
	return out
}

// maxPath is the longest path that is taken for one, in bytes. A memory names
// whole paths or none.
const maxPath = 500

// relative returns a path as memories name it, "" for what is too long for one.
func (p project) relative(path string) string {
	if path = slashed(oneLine(path)); len(path) > maxPath {
		return ""
	}
	for _, root := range p.roots {
		if rest, ok := strings.CutPrefix(path, root); ok {
			return withoutWorktree(rest)
		}
	}
	return path
}

// withoutWorktree names a file alike in the main work tree and in those that
// are commonly kept in a folder within it.
func withoutWorktree(path string) string {
	for _, folder := range []string{".worktrees/", ".claude/worktrees/"} {
		if rest, ok := strings.CutPrefix(path, folder); ok {
			if _, file, ok := strings.Cut(rest, "/"); ok {
				return file
			}
		}
	}
	return path
}

// slashed gives a Windows path the form that memories use everywhere.
func slashed(path string) string {
	if len(path) > 2 && path[1] == ':' && path[2] == '\\' || strings.HasPrefix(path, `\\`) {
		return strings.ReplaceAll(path, `\`, "/")
	}
	return path
}
