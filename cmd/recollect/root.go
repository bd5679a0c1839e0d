package main

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/cli/backups"
	"recollect/internal/cli/daemons"
	"recollect/internal/cli/doctor"
	"recollect/internal/cli/guards"
	"recollect/internal/cli/importer"
	"recollect/internal/cli/mcpserver"
	"recollect/internal/cli/memories"
	"recollect/internal/cli/prove"
	"recollect/internal/cli/settings"
	"recollect/internal/cli/setup"
	"recollect/internal/cli/sharing"
)

// runCommand executes a command line and returns its exit status. It passes everything that commands
// print for people through a cli.Plain.
func runCommand(args []string, t app.Terminal, version string) int {
	t.Out, t.Err = cli.NewPlain(t.Out), cli.NewPlain(t.Err)
	return cli.Run(newRoot(t, version), args, hintFor)
}

func newRoot(t app.Terminal, version string) *cobra.Command {
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
				_, err := io.WriteString(t.Out, versionLine(version))
				return err
			}
			return cmd.Help()
		},
	}
	addColorFlag(root, t)
	// cobra's own flag uses a template, for which the linker would keep five megabytes of unused code.
	root.Flags().BoolVarP(&showVersion, "version", "v", false, "print the version")
	root.SetIn(t.In)
	root.SetOut(t.Out)
	root.SetErr(t.Err)
	a := &app.App{Terminal: t, Version: version}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, command := range g.commands {
			cmd := command(a)
			cmd.GroupID = g.title
			root.AddCommand(cmd)
		}
	}
	last := groups[len(groups)-1].title
	root.SetHelpCommandGroupID(last)
	root.SetCompletionCommandGroupID(last)
	memories.AddSources(a, root)
	for _, cmd := range root.Commands() {
		cmd.SuggestFor = guesses[cmd.Name()]
	}
	refuseArguments(root)
	return root
}

// refuseArguments makes commands refuse arguments if their usage names none.
func refuseArguments(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.Args == nil && !strings.Contains(sub.Use, " ") {
			sub.Args = cli.Exactly(0, strings.TrimPrefix(sub.CommandPath(), sub.Root().Name()+" ")+" takes none")
		}
		refuseArguments(sub)
	}
}

// groups are the tasks that the help lists, with all commands except those of the sources.
var groups = []struct {
	title    string
	commands []func(*app.App) *cobra.Command
}{
	{"Begin and end", []func(*app.App) *cobra.Command{
		setup.NewInit, importer.NewImport, doctor.NewDoctor, setup.NewStatusline, setup.NewConnect, setup.NewDisconnect, setup.NewUninstall,
	}},
	{"Find", []func(*app.App) *cobra.Command{
		memories.NewSearch, memories.NewShowAny, memories.NewGraph, memories.NewExport, daemons.NewUI,
	}},
	{"See what it does", []func(*app.App) *cobra.Command{
		memories.NewExplain, memories.NewResume, daemons.NewWatch, daemons.NewStatus, daemons.NewStats, prove.New,
	}},
	{"Store and correct", []func(*app.App) *cobra.Command{
		memories.NewRemember, memories.NewNote, memories.NewHandoff, memories.NewReview, memories.NewUseful, memories.NewWrong, memories.NewForget, memories.NewConsolidate,
		memories.NewProject, guards.NewGuard, daemons.NewPause, daemons.NewUnpause,
	}},
	{"Share and move", []func(*app.App) *cobra.Command{
		sharing.NewShare, sharing.NewTeam, sharing.NewSync, sharing.NewConflicts, backups.NewBackup, backups.NewRestore,
	}},
	{"Set up in detail", []func(*app.App) *cobra.Command{
		settings.NewConfig, settings.NewReader, settings.NewEmbedder, daemons.NewDaemon, mcpserver.NewMCP, newVersion,
	}},
}

// guesses are names of other programs' commands that people type, by the command that does what they mean.
var guesses = map[string][]string{
	"config":   {"settings", "set", "get"},
	"doctor":   {"check", "diagnose", "fix"},
	"episodes": {"history", "turns"},
	"explain":  {"why", "test", "inject"},
	"forget":   {"delete", "remove", "rm", "del", "clear"},
	"goals":    {"todo", "todos", "tasks"},
	"handoffs": {"sessions", "summary"},
	"init":     {"setup", "install", "start", "enable"},
	"journal":  {"list", "ls", "decisions"},
	"pause":    {"off", "disable", "stop"},
	"remember": {"add", "save", "store", "new", "learn"},
	"search":   {"recall", "find", "query", "ask", "grep"},
	"show":     {"cat", "view", "open"},
	"ui":       {"web", "serve", "edit", "dashboard"},
	"unpause":  {"on", "continue"},
	"watch":    {"log", "logs", "tail", "follow"},
}

func addColorFlag(root *cobra.Command, t app.Terminal) {
	root.PersistentFlags().Var(&colorFlag{writers: []io.Writer{t.Out, t.Err}}, "color", "color the output: auto, always or never")
	root.RegisterFlagCompletionFunc("color", app.CompleteOneOf(string(cli.ColorAuto), string(cli.ColorAlways), string(cli.ColorNever)))
}

// A colorFlag is the value of the flag --color.
type colorFlag struct {
	mode    cli.ColorMode
	writers []io.Writer
}

func (f *colorFlag) String() string { return string(cmp.Or(f.mode, cli.ColorAuto)) }

// Type returns the name of the value in the help.
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
