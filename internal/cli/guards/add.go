package guards

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/agents/transcript"
	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
)

// rehearsedAtOnce is how many transcripts are rehearsed in one request.
const rehearsedAtOnce = 20

// Flags shows how a rule is said to whoever has a sentence that cannot be read.
const Flags = `say which calls you mean: recollect guard add SENTENCE --program npm --subcommand install, or --path 'src/**' --content 'console\.log'`

// A RefusedError is a sentence, or a rule, that cannot be a guard. The caller shows Flags.
type RefusedError struct{ err error }

// Error implements error.
func (e *RefusedError) Error() string { return "this cannot be a guard: " + e.err.Error() }

// Unwrap returns why.
func (e *RefusedError) Unwrap() error { return e.err }

// An addCommand is the command line of guard add.
type addCommand struct {
	api.GuardDraft
	at  app.Place
	yes bool
}

func newAdd(a *app.App) *cobra.Command {
	var f addCommand
	cmd := &cobra.Command{
		Use:   "add SENTENCE|ID",
		Short: "Make a guard of a sentence, or of a memory with a wish",
		Long: `Make a rule over tool calls of a sentence in English, such as "never npm here", or of a
memory that states a wish. It prints what the rule is about, and what it would have done in
all past sessions of the project, then asks whether to switch it on; without a terminal,
--yes switches it on, and nothing else does.

A sentence that cannot be read is refused. The flags say what calls the rule is about, in
place of what was read: each may be given several times, and one has to fit. They are
compared with what a call runs, also through sudo, env, xargs, sh -c and the like; a
content is a regular expression (RE2) of the command, or of the text that is written.`,
		Example: `  recollect guard add "never npm here"
  recollect guard add pref-5f0c1a2b3c4d --action deny --yes
  recollect guard add "hands off the API" --path 'src/generated/**'`,
		Args: cli.AtLeast(1, "add needs a sentence, or the id of a memory"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			f.Text = strings.Join(args, " ")
			if f.Cwd, f.Project, err = f.at.Read(); err != nil {
				return err
			}
			return f.add(cmd, a)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.Rule.Programs, "program", nil, "program, or tool of Claude's")
	flags.StringArrayVar(&f.Rule.Subcommands, "subcommand", nil, `subcommand of the program: install, "run dev"`)
	flags.StringArrayVar(&f.Rule.Flags, "flag", nil, "option of the program: --force, -rf (both letters)")
	flags.StringArrayVar(&f.Rule.Paths, "path", nil, "glob of files, or of an argument of the program")
	flags.StringVar(&f.Rule.Content, "content", "", "regular expression of the command or of what is written")
	flags.StringArrayVar(&f.Rule.Activities, "activity", nil, "what a command does: commit, deploy, dependency, migrate …")
	flags.StringVar(&f.Rule.Action, "action", "", "ask, warn or deny (default ask)")
	flags.BoolVar(&f.Everywhere, "everywhere", false, "in every project, not only in this one")
	flags.BoolVar(&f.yes, "yes", false, "switch it on without asking")
	cmd.RegisterFlagCompletionFunc("action", app.CompleteOneOf(memory.GuardAsk, memory.GuardWarn, memory.GuardDeny))
	f.at.AddDirFlag(cmd)
	f.at.AddProjectFlag(cmd, "project that it holds in (default: that of the folder)")
	return app.AddJSONFlag(cmd)
}

// An added is what guard add prints as JSON.
type added struct {
	api.GuardDrafted
	Rehearsal api.GuardRehearsed `json:"rehearsal"`
	On        bool               `json:"on"`
}

func (f *addCommand) add(cmd *cobra.Command, a *app.App) error {
	ctx := cmd.Context()
	drafted, err := app.Get(ctx, a, f.draft)
	if refused := (*api.StatusError)(nil); errors.As(err, &refused) {
		return &RefusedError{err}
	}
	if err != nil {
		return err
	}
	out := added{GuardDrafted: drafted}
	if out.Rehearsal, err = rehearse(ctx, a, drafted); err != nil {
		return err
	}
	show := a.Out
	if app.WantsJSON(cmd) {
		show = io.Discard
	}
	cli.Fold(show, cli.Span{}, drafted.Says)
	if err := printAlike(ctx, a, show, drafted); err != nil {
		return err
	}
	if err := printRehearsal(show, drafted.Rule.Action, out.Rehearsal); err != nil {
		return err
	}
	if f.yes || a.CanAsk() && !app.WantsJSON(cmd) && a.Confirm("switch it on?") {
		guard, err := app.Get(ctx, a, api.With((*api.Client).AddGuard, drafted))
		if err != nil {
			return err
		}
		out.ID, out.On = guard.ID, true
	}
	return app.Print(cmd, a, out, printAdded)
}

// printAlike names the guards about a program of a draft that are on where it would hold.
func printAlike(ctx context.Context, a *app.App, w io.Writer, d api.GuardDrafted) error {
	list, err := app.Get(ctx, a, api.With((*api.Client).Guards, api.AskGuards{Where: api.Where{All: true}}))
	if err != nil {
		return err
	}
	for _, g := range list.Guards {
		if isAlike(g, d) {
			err = errors.Join(err, cli.Fold(w, cli.Span{}, fmt.Sprintf("already on: %s “%s”, %s", g.ID, g.Sentence, g.Says)))
		}
	}
	return err
}

// isAlike reports whether a guard is about a program of a draft, where that would hold.
func isAlike(g api.Guard, d api.GuardDrafted) bool {
	here := g.Project == d.Home.Name || g.Project == "" || d.Home.Name == ""
	isShared := func(program string) bool { return slices.Contains(d.Rule.Programs, program) }
	return here && g.ID != d.ID && slices.ContainsFunc(g.Rule.Programs, isShared)
}

func printAdded(w io.Writer, out added) error {
	if out.On {
		return cli.Fold(w, cli.Span{}, fmt.Sprintf("it is on; recollect guard rm %s drops it", out.ID))
	}
	return cli.Fold(w, cli.Span{}, "it is not on: that takes --yes, or your yes in a terminal")
}

// draft asks for the rule. One word that looks like an id is one.
func (f *addCommand) draft(ctx context.Context, c *api.Client) (api.GuardDrafted, error) {
	in := f.GuardDraft
	if _, isID := memory.SourceOf(in.Text); isID && !strings.Contains(in.Text, " ") {
		id, err := app.WholeID(ctx, c, in.Text)
		if err != nil {
			return api.GuardDrafted{}, err
		}
		in.ID, in.Text = id, ""
	}
	return c.DraftGuard(ctx, in)
}

// rehearse returns what a rule would have done in all sessions.
func rehearse(ctx context.Context, a *app.App, d api.GuardDrafted) (total api.GuardRehearsed, err error) {
	total.Calls = []api.GuardPast{}
	dir, err := app.ClaudeDir()
	if err != nil {
		return total, err
	}
	paths, err := transcript.Files(filepath.Join(dir, "projects"))
	paths = slices.DeleteFunc(paths, func(path string) bool { return !transcript.IsFile(path) })
	if len(paths) == 0 {
		return total, nil // no session was written yet
	}
	if err != nil {
		total.Unread = append(total.Unread, err.Error())
	}
	bar := cli.NewBar(a.Err, "rehearsing")
	for from := 0; from < len(paths); from += rehearsedAtOnce {
		part := api.GuardRehearsal{Rule: d.Rule, Home: d.Home, Paths: paths[from:min(from+rehearsedAtOnce, len(paths))]}
		done, err := app.Get(ctx, a.Patient(), api.With((*api.Client).RehearseGuard, part))
		if err != nil {
			return total, err
		}
		total.Sessions += done.Sessions
		total.Corrected += done.Corrected
		total.Calls, total.Unread = append(total.Calls, done.Calls...), append(total.Unread, done.Unread...)
		if app.IsTerminal(a.Err) {
			bar.Show(min(from+rehearsedAtOnce, len(paths)), len(paths))
		}
	}
	slices.SortStableFunc(total.Calls, func(x, y api.GuardPast) int { return x.At.Compare(y.At) })
	return total, nil
}
