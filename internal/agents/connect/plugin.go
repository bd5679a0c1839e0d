package connect

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// opencodeSource is the plugin that OpenCode loads instead of hooks.
//
//go:embed opencode.js
var opencodeSource string

// Plugin reports whether the settings are a plugin, which contains the path of the hook.
func (a Agent) Plugin() bool { return a.source != "" }

// Copies returns the folder to which our plugin copies sessions for the hook, or "" for an agent that
// writes transcripts itself.
func (a Agent) Copies() (string, error) {
	if !a.Plugin() {
		return "", nil
	}
	if data := os.Getenv("XDG_DATA_HOME"); data != "" {
		return filepath.Join(data, a.within, "recollect"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find home folder: %w", err)
	}
	return filepath.Join(home, ".local", "share", a.within, "recollect"), nil
}

// hookAt precedes the path of the hook in a plugin.
const hookAt = "\nconst hook = "

// plugin returns the source of a plugin that runs a hook.
func (a Agent) plugin(hook string) (string, error) {
	quoted, err := json.Marshal(hook)
	if err != nil {
		return "", err
	}
	before, rest, _ := strings.Cut(a.source, hookAt)
	_, after, _ := strings.Cut(rest, "\n")
	return before + hookAt + string(quoted) + "\n" + after, nil
}

// ourPlugin reports whether a text is our plugin, in any version.
func (a Agent) ourPlugin(text string) bool {
	mark, _, _ := strings.Cut(a.source, "\n")
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(first) == mark
}

func (a Agent) enterPlugin(text, hook string) (string, []string, error) {
	if text != blank {
		return "", nil, errors.New("is not recollect's")
	}
	source, err := a.plugin(hook)
	return source, nil, err
}

// removePlugin returns a text without our plugin.
func (a Agent) removePlugin(text string) string {
	if a.ourPlugin(text) {
		return blank
	}
	return text
}

// pluginCommands returns the hook that our plugin runs, by event. It leaves out some events if the plugin
// is of another version or was edited.
func (a Agent) pluginCommands(text string) map[string]string {
	found := map[string]string{}
	if !a.ourPlugin(text) {
		return found
	}
	_, rest, _ := strings.Cut(text, hookAt)
	line, _, _ := strings.Cut(rest, "\n")
	var hook string
	err := json.Unmarshal([]byte(strings.TrimSpace(line)), &hook)
	events := a.theirs()
	if source, sourceErr := a.plugin(hook); err != nil || sourceErr != nil || source != text {
		events = events[:1]
	}
	for _, event := range events {
		found[event] = hook
	}
	return found
}
