package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
)

// answerIn is how long a command waits for an answer, including the start of the
// daemon.
const answerIn = 30 * time.Second

// A terminal is what a command reads from and writes to.
type terminal struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// run executes a command line and returns its exit status.
func run(args []string, t terminal, version string) int {
	return cli.Run(newRoot(t, version), args, hint)
}

func newRoot(t terminal, version string) *cobra.Command {
	root := &cobra.Command{
		Use:   "recollect",
		Short: "Memory for Claude Code: injects what past sessions taught when a prompt is sent",
		Long: `recollect gives Claude Code a memory. When a prompt is sent, its hook injects the
few memories from past sessions that are relevant to it. These commands show and
change the memories.

Memories are stored in ~/.recollect (or $RECOLLECT_HOME), as plain text files. A
daemon keeps them open; it starts when it is needed, and ends when it is not.

Exit status: 0 fine, 1 failed, 2 wrong usage.`,
		Example: `  recollect import                            # learn from past sessions
  recollect explain "why do the tests hang?"  # what would be injected, and why
  recollect remember --source journal "we ship on Tuesdays, after the backup"`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usage(fmt.Errorf("unknown command %q", args[0]))
			}
			return cmd.Help()
		},
	}
	root.SetIn(t.in)
	root.SetOut(t.out)
	root.SetErr(t.err)
	a := &app{terminal: t, version: version}
	root.AddGroup(&cobra.Group{ID: "commands", Title: "Commands:"})
	root.SetHelpCommandGroupID("commands")
	root.SetCompletionCommandGroupID("commands")
	for _, command := range commands {
		cmd := command(a)
		cmd.GroupID = "commands"
		root.AddCommand(cmd)
	}
	a.addSources(root)
	return root
}

// commands are all commands but those of the sources.
var commands = []func(*app) *cobra.Command{
	newImport, newSearch, newExplain, newShow, newGraph, newResume, newHandoff, newRemember, newNote, newForget, newConsolidate,
	newExport, newStatus, newStats, newDoctor, newConfig, newBench, newMCP, newDaemon, newVersion,
}

// group is a command that only holds others.
func group(use, short, long string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usage(fmt.Errorf("unknown command %q", use+" "+args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return cmd
}

// An app is what the commands share.
type app struct {
	terminal
	version string
}

// ask calls f with a client, and waits for at most answerIn. It starts the daemon if
// none answers.
func (a *app) ask(ctx context.Context, f func(context.Context, *api.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, answerIn)
	defer cancel()
	return a.askFor(ctx, f)
}

// askFor is ask without a time limit, for what may take long.
func (a *app) askFor(ctx context.Context, f func(context.Context, *api.Client) error) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	return client.Retry(ctx, func() error { return f(ctx, client) })
}

func (a *app) client() (*api.Client, error) {
	home, err := api.Home()
	if err != nil {
		return nil, err
	}
	return &api.Client{Home: home, Version: a.version}, nil
}

// here returns the working directory, or "" if it no longer exists.
func here() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// claudeDir returns Claude Code's configuration folder.
func claudeDir() (string, error) {
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find Claude Code's folder: %w", err)
	}
	return filepath.Join(home, ".claude"), nil
}
