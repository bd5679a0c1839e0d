package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/connection"
	"recollect/internal/durable"
)

func newConnect(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "connect AGENT",
		Short: "Give another coding agent the same memory: " + strings.Join(connection.Names(), ", "),
		Long: `Enter recollect's hook into the settings of another coding agent: codex, droid,
gemini or qwen. Its sessions are learned from, and memories are injected into them,
as into those of Claude Code. Nothing else in the settings changes, and "recollect
disconnect AGENT" restores them byte for byte.`,
		Example:           "  recollect connect codex",
		Args:              cli.Exactly(1, "connect takes one agent: "+strings.Join(connection.Names(), ", ")),
		ValidArgsFunction: oneOf(connection.Names()...),
		RunE:              func(_ *cobra.Command, args []string) error { return a.connect(args[0]) },
	}
}

func newDisconnect(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "disconnect AGENT",
		Short:             "Take the hook out of another coding agent's settings again",
		Long:              `Take recollect's hook out of the settings of another coding agent, which become what they were.`,
		Example:           "  recollect disconnect codex",
		Args:              cli.Exactly(1, "disconnect takes one agent: "+strings.Join(connection.Names(), ", ")),
		ValidArgsFunction: oneOf(connection.Names()...),
		RunE: func(_ *cobra.Command, args []string) error {
			agent, err := connection.Find(args[0])
			if err != nil {
				return cli.Usage(err)
			}
			removed, err := a.disconnect(agent)
			if err == nil && !removed {
				_, err = fmt.Fprintf(a.out, "%s is not connected\n", agent.Title)
			}
			return err
		},
	}
}

// A connected says what "connect" changed. It is the content of connections/NAME.json in the data
// folder.
type connected struct {
	V       int      `json:"v"`
	Path    string   `json:"path"`              // of the settings, as the agent names them
	Made    []string `json:"made,omitempty"`    // containers that were not there
	Created bool     `json:"created,omitempty"` // there were no settings
	Was     string   `json:"was,omitempty"`     // of settings without anything in them, their text
	Blank   bool     `json:"blank,omitempty"`   // they were such settings
}

// blankSettings are settings to which something can be added.
const blankSettings = "{\n}\n"

func connectionNote(home, agent string) *durable.State {
	return durable.NewState(connectionPath(home, agent))
}

func connectionPath(home, agent string) string {
	return filepath.Join(home, "connections", agent+".json")
}

// connect enters the hook into an agent's settings, and notes how to undo that before.
func (a *app) connect(name string) error {
	agent, err := connection.Find(name)
	if err != nil {
		return cli.Usage(err)
	}
	home, err := api.Home()
	if err != nil {
		return err
	}
	path, settings, err := agentSettings(agent)
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
	command := agent.Command(quoted(filepath.ToSlash(hook)))
	if commands, err := agent.Commands(settings.text); err == nil && agent.Complete(commands, command) {
		_, err := fmt.Fprintf(a.out, "%s is connected already\n", agent.Title)
		return err
	}
	note := connected{V: 1, Path: path, Created: !settings.is}
	text, err := note.begin(home, agent, settings)
	if err != nil {
		return err
	}
	entered, made, err := agent.Enter(text, command)
	if err != nil {
		return fmt.Errorf("%s: %w", settings.path, err)
	}
	note.Made = made
	if err := connectionNote(home, agent.Name).Write(note); err != nil {
		return err
	}
	if err := settings.replace(entered); err != nil {
		return errors.Join(err, forgetUnlessEntered(home, agent, path))
	}
	_, err = fmt.Fprintf(a.out, "%s is connected: %s has recollect's hook; recollect disconnect %s undoes this\n%s\n%s: %s\n",
		agent.Title, settings.path, agent.Name, agent.Trust, "with "+agent.Title, agent.Lacks)
	return err
}

// forgetUnlessEntered removes the note of a connection that was not made, by this process or another.
func forgetUnlessEntered(home string, agent connection.Agent, path string) error {
	now, err := readSettings(path)
	if err != nil {
		return err
	}
	if commands, err := agent.Commands(now.text); err == nil && len(commands) > 0 {
		return nil
	}
	return removeConnectionNote(home, agent.Name)
}

// begin returns the text to enter the hook into: the settings without what an earlier connection
// left in them.
func (n *connected) begin(home string, agent connection.Agent, settings settingsFile) (string, error) {
	var before connected
	if connectionNote(home, agent.Name).Read(&before) != nil || before.Path != n.Path {
		before = connected{}
	}
	if commands, err := agent.Commands(settings.text); err == nil && len(commands) > 0 {
		n.Created, n.Blank, n.Was = before.Created, before.Blank, before.Was
	}
	if strings.TrimSpace(settings.text) == "" {
		n.Blank, n.Was = settings.is, settings.text
		return blankSettings, nil
	}
	text, err := agent.Remove(settings.text, before.Made)
	if err != nil {
		return "", fmt.Errorf("%s: %w", settings.path, err)
	}
	return text, nil
}

// agentSettings reads the settings of an agent, which must be installed: it has a folder.
func agentSettings(agent connection.Agent) (string, settingsFile, error) {
	path, err := agent.Settings()
	if err != nil {
		return "", settingsFile{}, err
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return "", settingsFile{}, fmt.Errorf("find %s's folder: %w", agent.Title, err)
	}
	settings, err := readSettings(path)
	return path, settings, err
}

// disconnect takes the hook out of an agent's settings, and reports whether it was there.
func (a *app) disconnect(agent connection.Agent) (bool, error) {
	home, err := api.Home()
	if err != nil {
		return false, err
	}
	var note connected
	noteErr := connectionNote(home, agent.Name).Read(&note)
	path := note.Path
	if noteErr != nil {
		if path, err = agent.Settings(); err != nil {
			return false, err
		}
	}
	settings, err := readSettings(path)
	if err != nil {
		return false, err
	}
	if !settings.is || strings.TrimSpace(settings.text) == "" {
		return false, removeConnectionNote(home, agent.Name)
	}
	text, err := agent.Remove(settings.text, note.Made)
	if err != nil {
		return false, fmt.Errorf("%s: %w", settings.path, err)
	}
	if text == settings.text {
		return false, removeConnectionNote(home, agent.Name)
	}
	switch {
	case text == blankSettings && note.Created:
		err = os.Remove(settings.path)
	case text == blankSettings && note.Blank:
		err = settings.replace(note.Was)
	default:
		err = settings.replace(text)
	}
	if err != nil {
		return false, err
	}
	fmt.Fprintf(a.out, "%s is disconnected: %s has no hook of recollect's any more\n", agent.Title, settings.path)
	return true, removeConnectionNote(home, agent.Name)
}

// removeConnectionNote removes what a connection left in the data folder; with the last of them,
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
	if err := os.Remove(hookLink(home)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	os.Remove(filepath.Dir(hookLink(home))) // if nothing else lies there
	return nil
}

// disconnectAll takes the hook out of the settings of all agents that were connected.
func (a *app) disconnectAll(home string) {
	for _, name := range connection.Names() {
		if _, err := os.Stat(connectionPath(home, name)); err != nil {
			continue
		}
		agent, err := connection.Find(name)
		if err == nil {
			_, err = a.disconnect(agent)
		}
		if err != nil {
			fmt.Fprintf(a.err, "recollect: %v\n", err) // the rest does not depend on it
		}
	}
}
