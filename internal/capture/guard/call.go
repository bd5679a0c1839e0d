package guard

import (
	"encoding/json"
	"path"
	"strings"

	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/text/activity"
)

// A Call is a tool call as rules see it. It is not safe for concurrent use.
type Call struct {
	tool     string
	commands []command // what it runs, each also within those that wrap it
	file     string    // that it changes, relative to the project
	content  string    // what it writes there
	paths    toolcall.Paths

	activities map[int][]string // of the commands that a rule asked about
}

// ReadCall reads a call of a tool in a folder of a project from its input, which is JSON.
func ReadCall(tool, input string, project memory.Project, cwd string) *Call {
	c := &Call{tool: tool, paths: toolcall.NewPaths(project, cwd), activities: map[int][]string{}}
	c.commands = []command{{tool: true, words: []string{tool}, text: input}}
	if line := toolcall.Member(input, "command", "cmd", "script"); line != "" && !strings.HasPrefix(tool, "mcp__") {
		c.commands = append(c.commands, commandsIn(line, cwd)...)
	}
	if file := toolcall.Member(input, "file_path", "notebook_path"); file != "" && toolcall.ChangesFile(tool) {
		c.file, c.content = c.relative(cwd, file), contentOf(input)
	}
	return c
}

// activitiesOf returns what the command at i does, which is looked for once.
func (c *Call) activitiesOf(i int) []string {
	does, known := c.activities[i]
	if !known {
		does = activity.OfCommand(c.commands[i].plainLine())
		c.activities[i] = does
	}
	return does
}

// relative returns a path as the project names it; dir is the folder that it is given in, "" if that is not known.
func (c *Call) relative(dir, file string) string {
	file = strings.TrimPrefix(file, "file://")
	isWhole := strings.HasPrefix(file, "/") || strings.HasPrefix(file, "~") || strings.Contains(file, `:\`)
	if !isWhole && dir != "" {
		file = path.Join(strings.ReplaceAll(dir, `\`, "/"), file)
	}
	if !strings.Contains(file, `\`) {
		file = path.Clean(file)
	}
	return path.Clean(c.paths.Relative(strings.TrimSuffix(file, "/") + "/"))
}

// contentOf returns all text that an edit brings in.
func contentOf(input string) string {
	text := toolcall.Member(input, "content", "new_string", "new_source")
	var many struct {
		Edits []struct {
			New string `json:"new_string"`
		} `json:"edits"`
	}
	if json.Unmarshal([]byte(input), &many) == nil {
		for _, e := range many.Edits {
			text += "\n" + e.New
		}
	}
	return text
}
