package connect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"recollect/internal/agents/dialect"
)

// An Agent is a coding agent that recollect can be connected to.
type Agent struct {
	Name  string // as users type it
	Title string

	home, dir string   // its folder: an environment variable, or a path below the home folder
	within    string   // a path below that folder
	file      string   // its settings, in that folder
	own       bool     // the settings are a file of recollect's own, which the agent reads among others
	source    string   // text of a plugin, for an agent that loads a plugin instead of settings
	events    []string // events for which hooks are entered, as Claude Code calls them
	timeout   int      // timeout of a hook, in the agent's unit
	named     bool     // an entry has a name of its own
	flat      bool     // an entry is a hook, not a group of hooks

	Trust string // what the user must do before the agent runs the hooks
	Lacks string // what it cannot do, compared with Claude Code
}

var (
	allEvents = []string{"SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"}
	// turnEvents are for an agent whose transcript keeps everything that was said.
	turnEvents = []string{"SessionStart", "UserPromptSubmit", "Stop"}
)

var agents = []Agent{
	{
		Name: "codex", Title: "Codex", home: "CODEX_HOME", dir: ".codex", file: "hooks.json", events: allEvents, timeout: 2,
		Trust: "Codex asks once whether it may run these hooks: start codex and approve them. codex exec never asks, and does not run what was not approved",
		Lacks: "memories are not injected at tool calls or into sub-agents",
	},
	{
		Name: "copilot", Title: "Copilot CLI", home: "COPILOT_HOME", dir: ".copilot", file: "hooks/recollect.json", own: true, events: turnEvents, timeout: 2,
		Trust: "Copilot CLI reads its hooks when it starts: restart it, and look at /env",
		Lacks: "memories are not injected at tool calls; versions before 1.0.65 drop those of a prompt",
	},
	{
		Name: "cursor", Title: "Cursor", dir: ".cursor", file: "hooks.json", events: turnEvents, timeout: 2, flat: true,
		Trust: "Cursor reads its hooks when the file changes: look at Hooks in its settings, and restart it if they are not there",
		Lacks: "memories are not injected at tool calls or into sub-agents; Cursor does not document that it takes those of a prompt, and cursor-agent -p asks for none; a session without a transcript is not learned from",
	},
	{
		Name: "droid", Title: "Droid", dir: ".factory", file: "settings.json", events: allEvents, timeout: 2,
		Trust: "Droid reads its hooks when it starts: restart it, and look at /hooks",
		Lacks: "memories are not injected at tool calls or into sub-agents",
	},
	{
		Name: "gemini", Title: "Gemini CLI", dir: ".gemini", file: "settings.json", events: allEvents, timeout: 2000, named: true,
		Trust: "Gemini CLI reads its hooks when it starts: restart it, and look at /hooks",
		Lacks: "memories are not injected at tool calls or into sub-agents; a prompt's memories are forgotten after its turn, and arrive with &lt; for <",
	},
	{
		Name: "opencode", Title: "OpenCode", home: "XDG_CONFIG_HOME", dir: ".config", within: "opencode", file: "plugins/recollect.js",
		own: true, source: opencodeSource, events: turnEvents,
		Trust: "OpenCode loads its plugins when it starts: restart it",
		Lacks: "memories are not injected at tool calls or into sub-agents; those of a prompt also reach the model that names the session",
	},
	{
		Name: "qwen", Title: "Qwen Code", dir: ".qwen", file: "settings.json", events: allEvents, timeout: 2000, named: true,
		Trust: "Qwen Code reads its hooks when it starts: restart it, and look at /hooks",
		Lacks: "memories are not injected at tool calls or into sub-agents, and versions that drop the context of SessionStart begin without",
	},
}

// Names lists the agents.
func Names() []string {
	var names []string
	for _, a := range agents {
		names = append(names, a.Name)
	}
	return names
}

// Find returns the agent with a name.
func Find(name string) (Agent, error) {
	for _, a := range agents {
		if a.Name == name {
			return a, nil
		}
	}
	return Agent{}, fmt.Errorf("agent %q: must be one of %s", name, strings.Join(Names(), ", "))
}

// Folder returns the agent's own folder.
func (a Agent) Folder() (string, error) {
	if a.home != "" && os.Getenv(a.home) != "" {
		return filepath.Join(os.Getenv(a.home), a.within), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find home folder: %w", err)
	}
	return filepath.Join(home, a.dir, a.within), nil
}

// Settings returns the path of the agent's settings.
func (a Agent) Settings() (string, error) {
	folder, err := a.Folder()
	return filepath.Join(folder, filepath.FromSlash(a.file)), err
}

// Own reports whether the settings are a file of recollect's own.
func (a Agent) Own() bool { return a.own }

// theirs returns the events for which hooks are entered, as the agent calls them.
func (a Agent) theirs() []string {
	var names []string
	for _, event := range a.events {
		names = append(names, dialect.Theirs(a.Name, event))
	}
	return names
}

// Complete reports whether commands has this command for every event, and no other.
func (a Agent) Complete(commands map[string]string, command string) bool {
	if len(commands) != len(a.events) {
		return false
	}
	for _, event := range a.theirs() {
		if commands[event] != command {
			return false
		}
	}
	return true
}
