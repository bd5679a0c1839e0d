package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/agents/claudecode"
	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/system/durable"
)

func newStatuslineInstall(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "install",
		Short: "Set it in Claude Code's settings, behind the status line that is there",
		Long: `Set the status line in Claude Code's settings.json, in ~/.claude or
$CLAUDE_CONFIG_DIR. A status line that is there is kept: what recollect prints comes
behind it. Nothing else in the file changes.`,
		Example: `  recollect statusline install`,
		RunE:    func(*cobra.Command, []string) error { return installStatusline(a) },
	}
}

func newStatuslineUninstall(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "uninstall",
		Short:   "Put back the status line that was there before",
		Long:    `Take recollect out of the status line in Claude Code's settings.json, and put back what was there before.`,
		Example: `  recollect statusline uninstall`,
		RunE: func(*cobra.Command, []string) error {
			removed, err := uninstallStatusline(a)
			if err == nil && !removed {
				_, err = fmt.Fprintln(a.Out, "recollect is not in the status line")
			}
			return err
		},
	}
}

// An installed records what "statusline install" changed. It is stored in statusline.json in the
// data folder.
type installed struct {
	V       int             `json:"v"`
	Path    string          `json:"path"`    // of the settings
	Command string          `json:"command"` // command that was set
	Before  string          `json:"before"`  // command before, or ""
	Edit    claudecode.Edit `json:"edit"`
	Created bool            `json:"created,omitempty"` // the settings did not exist
}

// readClaudeSettings reads Claude Code's settings, which need not exist.
func readClaudeSettings() (settingsFile, error) {
	dir, err := app.ClaudeDir()
	if err != nil {
		return settingsFile{}, err
	}
	if _, err := os.Stat(dir); err != nil {
		return settingsFile{}, fmt.Errorf("find Claude Code's folder: %w", err)
	}
	return ReadSettings(filepath.Join(dir, "settings.json"))
}

// installStatusline sets the status line. Before that it records how to undo it.
func installStatusline(a *app.App) error {
	home, err := api.Home()
	if err != nil {
		return err
	}
	settings, err := readClaudeSettings()
	if err != nil {
		return err
	}
	before, err := claudecode.StatusLineCommand(settings.Text)
	if err != nil {
		return fmt.Errorf("%s: %w", settings.Path, err)
	}
	if isOurs(before) {
		_, err := fmt.Fprintln(a.Out, "recollect is in the status line already")
		return err
	}
	if err := api.MakePrivate(home); err != nil {
		return err
	}
	exe, err := linkExecutable(home)
	if err != nil {
		return err
	}
	note := installed{V: 1, Path: settings.Path, Command: statuslineCommand(exe, before), Before: before, Created: !settings.is}
	text, edit, err := claudecode.SetStatusLine(settings.Text, note.Command)
	if err != nil {
		return fmt.Errorf("%s: %w", settings.Path, err)
	}
	note.Edit = edit
	if err := durable.NewState(statuslineNote(home)).Write(note); err != nil {
		return err
	}
	if err := durable.WriteFile(settings.Path, []byte(text), settings.perm); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return cli.Fold(a.Out, cli.Span{}, fmt.Sprintf("the status line in %s shows what was injected; recollect statusline uninstall undoes this", settings.Path))
}

func statuslineNote(home string) string { return filepath.Join(home, "statusline.json") }

// ownCommand follows the executable in the commands that we set.
const ownCommand = " statusline"

// statuslineCommand returns the command to set. It runs the user's own command even after recollect
// was removed.
func statuslineCommand(exe, before string) string {
	line := quoteWord(filepath.ToSlash(exe)) + ownCommand
	if before == "" {
		return line
	}
	return orElse(line+" --after "+quoteWord(before), before)
}

// isOurs reports whether we have set a status line command.
func isOurs(command string) bool {
	exe, _, ok := strings.Cut(command, ownCommand)
	return ok && strings.Contains(exe, "recollect")
}

// uninstallStatusline removes recollect from the status line, and reports whether it was there.
func uninstallStatusline(a *app.App) (bool, error) {
	home, err := api.Home()
	if err != nil {
		return false, err
	}
	settings, err := readClaudeSettings()
	if errors.Is(err, fs.ErrNotExist) {
		return false, removeStatuslineNote(home)
	}
	if err != nil {
		return false, err
	}
	command, err := claudecode.StatusLineCommand(settings.Text)
	if err != nil {
		return false, fmt.Errorf("%s: %w", settings.Path, err)
	}
	if !isOurs(command) {
		return false, removeStatuslineNote(home)
	}
	var note installed
	err = durable.NewState(statuslineNote(home)).Read(&note)
	if err != nil || note.Command != command {
		return false, fmt.Errorf("%s: the status line %s was not set by recollect statusline install: remove it by hand", settings.Path, command)
	}
	if note.Created && settings.Text == note.Edit.New {
		err = os.Remove(settings.Path)
	} else if text, unset := claudecode.UnsetStatusLine(settings.Text, note.Before, note.Edit); unset == nil {
		err = durable.WriteFile(settings.Path, []byte(text), settings.perm)
	} else {
		err = unset
	}
	if err != nil {
		return false, fmt.Errorf("write settings: %w", err)
	}
	cli.Fold(a.Out, cli.Span{}, fmt.Sprintf("the status line in %s is as it was before", settings.Path))
	return true, removeStatuslineNote(home)
}

// removeStatuslineNote removes the note and the link of an installation from the data folder.
func removeStatuslineNote(home string) error {
	for _, path := range []string{statuslineNote(home), linkPath(home)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove %s: %w", path, err)
		}
	}
	os.Remove(filepath.Dir(linkPath(home))) // fails unless the folder is empty
	return nil
}
