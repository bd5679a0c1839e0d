package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/agents/connect"
	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/system/durable"
)

// NewConnect returns the command connect.
func NewConnect(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "connect AGENT",
		Short: "Give another coding agent the same memory: " + strings.Join(connect.Names(), ", "),
		Long: `Enter recollect's hook into the settings of another coding agent: codex, copilot,
cursor, droid, gemini, opencode or qwen. Its sessions are learned from, and memories
are injected into them, as into those of Claude Code. Nothing else in the settings
changes, and "recollect disconnect AGENT" restores them byte for byte.`,
		Example:           "  recollect connect codex",
		Args:              cli.Exactly(1, "connect takes one agent: "+strings.Join(connect.Names(), ", ")),
		ValidArgsFunction: app.CompleteOneOf(connect.Names()...),
		RunE:              func(_ *cobra.Command, args []string) error { return connectAgent(a, args[0]) },
	}
}

// NewDisconnect returns the command disconnect.
func NewDisconnect(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:               "disconnect AGENT",
		Short:             "Take the hook out of another coding agent's settings again",
		Long:              `Take recollect's hook out of the settings of another coding agent, which become what they were.`,
		Example:           "  recollect disconnect codex",
		Args:              cli.Exactly(1, "disconnect takes one agent: "+strings.Join(connect.Names(), ", ")),
		ValidArgsFunction: app.CompleteOneOf(connect.Names()...),
		RunE: func(_ *cobra.Command, args []string) error {
			agent, err := connect.Find(args[0])
			if err != nil {
				return cli.Usage(err)
			}
			removed, err := disconnectAgent(a, agent)
			if err == nil && !removed {
				_, err = fmt.Fprintf(a.Out, "%s is not connected\n", agent.Title)
			}
			return err
		},
	}
}

// A Connection records what "connect" changed in the settings of an agent. It is stored in
// connections/NAME.json in the data folder.
type Connection struct {
	V       int      `json:"v"`
	Path    string   `json:"path"`              // of the settings, as the agent names them
	Made    []string `json:"made,omitempty"`    // containers, such as objects, that connect added to the settings
	Created bool     `json:"created,omitempty"` // connect created the settings
	Was     string   `json:"was,omitempty"`     // text of the settings before, if they were blank
	Blank   bool     `json:"blank,omitempty"`   // the settings were blank
	Folder  bool     `json:"folder,omitempty"`  // connect created the folder of the settings
}

// ConnectionNote returns the file of an agent's Connection.
func ConnectionNote(home, agent string) *durable.State {
	return durable.NewState(connectionPath(home, agent))
}

func connectionPath(home, agent string) string {
	return filepath.Join(home, "connections", agent+".json")
}

// connectAgent enters the hook into an agent's settings. Before that it records how to undo it.
func connectAgent(a *app.App, name string) error {
	agent, err := connect.Find(name)
	if err != nil {
		return cli.Usage(err)
	}
	home, err := api.Home()
	if err != nil {
		return err
	}
	path, err := settingsPath(agent)
	if err != nil {
		return err
	}
	settings, err := ReadSettings(path)
	if err != nil {
		return err
	}
	if err := api.MakePrivate(home); err != nil {
		return err
	}
	hook, err := linkHook(home)
	if err != nil {
		return err
	}
	command := HookCommand(agent, hook)
	if commands, err := agent.Commands(settings.Text); err == nil && agent.Complete(commands, command) {
		_, err := fmt.Fprintf(a.Out, "%s is connected already\n", agent.Title)
		return err
	}
	note := Connection{V: 1, Path: path, Created: !settings.is}
	text, err := note.beginText(home, agent, settings)
	if err != nil {
		return err
	}
	entered, made, err := agent.Enter(text, command)
	if err != nil {
		return fmt.Errorf("%s: %w", settings.Path, err)
	}
	note.Made = made
	if err := note.enterHook(home, agent, settings, entered); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "%s is connected: %s has recollect's hook; recollect disconnect %s undoes this\n%s\n%s: %s\n",
		agent.Title, settings.Path, agent.Name, agent.Trust, "with "+agent.Title, agent.Lacks)
	return err
}

// enterHook writes the note, and then the settings with the hook.
func (n *Connection) enterHook(home string, agent connect.Agent, settings settingsFile, text string) error {
	if _, err := os.Stat(filepath.Dir(n.Path)); err != nil {
		n.Folder = true
	}
	if err := ConnectionNote(home, agent.Name).Write(n); err != nil {
		return err
	}
	err := os.MkdirAll(filepath.Dir(n.Path), 0o700)
	if err == nil {
		err = settings.replaceText(text)
	}
	if err != nil {
		return errors.Join(err, forgetUnlessEntered(home, agent, n.Path))
	}
	return nil
}

// forgetUnlessEntered removes the note of a connection, unless the settings have the hook, which
// another process may have entered.
func forgetUnlessEntered(home string, agent connect.Agent, path string) error {
	now, err := ReadSettings(path)
	if err != nil {
		return err
	}
	if commands, err := agent.Commands(now.Text); err == nil && len(commands) > 0 {
		return nil
	}
	return removeConnectionNote(home, agent.Name)
}

// beginText returns the text into which to enter the hook: the settings without the hook of an earlier
// connection, whose note n takes over.
func (n *Connection) beginText(home string, agent connect.Agent, settings settingsFile) (string, error) {
	var before Connection
	if ConnectionNote(home, agent.Name).Read(&before) != nil || before.Path != n.Path {
		before = Connection{}
	}
	if commands, err := agent.Commands(settings.Text); err == nil && len(commands) > 0 {
		n.Created, n.Blank, n.Was, n.Folder = before.Created, before.Blank, before.Was, before.Folder
	}
	if strings.TrimSpace(settings.Text) == "" {
		n.Blank, n.Was = settings.is, settings.Text
		return agent.Blank(), nil
	}
	text, err := agent.Remove(settings.Text, before.Made)
	if err != nil {
		return "", fmt.Errorf("%s: %w", settings.Path, err)
	}
	return text, nil
}

// HookCommand returns the command line by which an agent's settings name the hook, or for a plugin its
// path.
func HookCommand(agent connect.Agent, hook string) string {
	if agent.Plugin() {
		return filepath.ToSlash(hook)
	}
	return agent.Command(quoteWord(filepath.ToSlash(hook)))
}

// settingsPath returns the path of an agent's settings. It returns an error if the agent is not
// installed, so that it has no folder.
func settingsPath(agent connect.Agent) (string, error) {
	folder, err := agent.Folder()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(folder); err != nil {
		return "", fmt.Errorf("find %s's folder: %w", agent.Title, err)
	}
	return agent.Settings()
}

// disconnectAgent removes the hook from an agent's settings, and reports whether they had it.
func disconnectAgent(a *app.App, agent connect.Agent) (bool, error) {
	home, err := api.Home()
	if err != nil {
		return false, err
	}
	var note Connection
	noteErr := ConnectionNote(home, agent.Name).Read(&note)
	path := note.Path
	if noteErr != nil {
		if path, err = agent.Settings(); err != nil {
			return false, err
		}
	}
	settings, err := ReadSettings(path)
	if err != nil {
		return false, err
	}
	if !settings.is || strings.TrimSpace(settings.Text) == "" {
		return false, removeConnectionNote(home, agent.Name)
	}
	text, err := agent.Remove(settings.Text, note.Made)
	if err != nil {
		return false, fmt.Errorf("%s: %w", settings.Path, err)
	}
	if text == settings.Text {
		return false, removeConnectionNote(home, agent.Name)
	}
	if err := note.restoreSettings(agent, settings, text); err != nil {
		return false, err
	}
	fmt.Fprintf(a.Out, "%s is disconnected: %s has no hook of recollect's any more\n", agent.Title, settings.Path)
	return true, removeConnectionNote(home, agent.Name)
}

// restoreSettings replaces the settings by text, which has no hook of ours. It removes the file and the
// folder if connect created them.
func (n Connection) restoreSettings(agent connect.Agent, settings settingsFile, text string) error {
	switch {
	case text == agent.Blank() && (n.Created || agent.Own()):
		if err := os.Remove(settings.Path); err != nil {
			return err
		}
		if n.Folder {
			os.Remove(filepath.Dir(n.Path)) // fails unless the folder is empty
		}
		return removeCopies(agent)
	case text == agent.Blank() && n.Blank:
		return settings.replaceText(n.Was)
	}
	return settings.replaceText(text)
}

// removeCopies removes the sessions that an agent's plugin wrote for the hook.
func removeCopies(agent connect.Agent) error {
	copies, err := agent.Copies()
	if err != nil || copies == "" {
		return err
	}
	return os.RemoveAll(copies)
}

// removeConnectionNote removes the note of a connection from the data folder and, with the last note,
// the link to the hook.
func removeConnectionNote(home, agent string) error {
	path := connectionPath(home, agent)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err == nil && len(left) > 0 {
		return nil
	}
	os.Remove(filepath.Dir(path))
	if err := os.Remove(HookLink(home)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	os.Remove(filepath.Dir(HookLink(home))) // fails unless the folder is empty
	return nil
}

// disconnectAll removes the hook from the settings of all connected agents.
func disconnectAll(a *app.App, home string) {
	for _, name := range connect.Names() {
		if _, err := os.Stat(connectionPath(home, name)); err != nil {
			continue
		}
		agent, err := connect.Find(name)
		if err == nil {
			_, err = disconnectAgent(a, agent)
		}
		if err != nil {
			fmt.Fprintf(a.Err, "recollect: %v\n", err) // go on with the other agents
		}
	}
}
