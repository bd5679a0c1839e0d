package main

import (
	"cmp"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
)

// run executes a command line and returns its exit status. All that commands print for people
// passes through here.
func run(args []string, t terminal, version string) int {
	t.out, t.err = cli.NewPlain(t.out), cli.NewPlain(t.err)
	return cli.Run(newRoot(t, version), args, hint)
}

func newRoot(t terminal, version string) *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use:   "recollect",
		Short: "Memory for Claude Code: injects what past sessions taught when a prompt is sent",
		Long: `recollect gives Claude Code a memory. When a prompt is sent, its hook injects the
few memories from past sessions that are relevant to it. These commands show and
change the memories.

Memories are stored in ~/.recollect (or $RECOLLECT_HOME), as plain text files. A
daemon keeps them open; it starts when it is needed, and ends when it is not.

Exit status: 0 fine, 1 failed, 2 wrong usage.`,
		Example: `  recollect init                              # learn from past sessions, see a first recall
  recollect explain "why do the tests hang?"  # what would be injected, and why
  recollect remember --source journal "we ship on Tuesdays, after the backup"`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UnknownCommand(cmd, args[0])
			}
			if showVersion {
				_, err := io.WriteString(t.out, versionLine(version))
				return err
			}
			return cmd.Help()
		},
	}
	addColorFlag(root, t)
	// cobra's own flag has a template, with which the linker keeps five megabytes that nobody calls.
	root.Flags().BoolVarP(&showVersion, "version", "v", false, "print the version")
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
	newInit, newImport, newConnect, newDisconnect, newSearch, newExplain, newShowAny, newGraph, newResume, newHandoff, newProject, newRemember, newNote, newForget, newReview, newShare, newTeam, newPause, newUnpause, newConsolidate,
	newExport, newBackup, newRestore, newSync, newConflicts, newUI, newStatus, newStatusline, newStats,
	newWatch, newUninstall, newDoctor, newConfig, newEmbedder, newMCP, newDaemon, newVersion,
}

func addColorFlag(root *cobra.Command, t terminal) {
	root.PersistentFlags().Var(&colorFlag{writers: []io.Writer{t.out, t.err}}, "color", "color the output: auto, always or never")
	root.RegisterFlagCompletionFunc("color", oneOf(string(cli.ColorAuto), string(cli.ColorAlways), string(cli.ColorNever)))
}

// A colorFlag is the flag that says whether to color.
type colorFlag struct {
	mode    cli.ColorMode
	writers []io.Writer
}

func (f *colorFlag) String() string { return string(cmp.Or(f.mode, cli.ColorAuto)) }

// Type returns what the help calls the value.
func (f *colorFlag) Type() string { return "when" }

func (f *colorFlag) Set(value string) error {
	f.mode = cli.ColorMode(value)
	if f.mode != cli.ColorAuto && f.mode != cli.ColorAlways && f.mode != cli.ColorNever {
		return errors.New("must be auto, always or never")
	}
	for _, w := range f.writers {
		if p, ok := w.(*cli.Plain); ok {
			p.SetColor(f.mode)
		}
	}
	return nil
}

// oneOf completes one of some values.
func oneOf(values ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}
