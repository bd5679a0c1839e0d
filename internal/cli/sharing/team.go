package sharing

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/cli/memories"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

// NewTeam returns the command team.
func NewTeam(a *app.App) *cobra.Command {
	cmd := app.NewGroup("team", app.SourceCommands[memory.Team],
		`What the people who work on this repository shared, from the files in its
.recollect/, and over the team's server if you joined there. It is injected as theirs, with name and date, never as a wish of yours, and
in this repository only. To read none of it anywhere, set team = { enabled = false }
under [sources] in config.toml; a repository does so with team = false in its
.recollect.toml.`,
		newTeamList(a), newTeamReview(a), newTeamReject(a), newTeamJoin(a), newTeamLeave(a), newTeamWithdraw(a), newTeamServer(a), memories.NewShow(a, memory.Team))
	cmd.Example = "  recollect team list\n  recollect team review\n  recollect team reject team-5f0c1a2b3c4d"
	return cmd
}

// teamFlags are the flags of all commands about a team.
type teamFlags struct {
	at     app.Place
	asJSON bool
}

func (f *teamFlags) add(cmd *cobra.Command) *cobra.Command {
	f.at.AddDirFlag(cmd)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

func newTeamList(a *app.App) *cobra.Command {
	var f teamFlags
	return f.add(&cobra.Command{
		Use:     "list",
		Short:   "List what is shared in this repository",
		Example: "  recollect team list",
		Args:    cli.Exactly(0, "team list takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := f.at.Folder()
			if err != nil {
				return err
			}
			return listTeam(a, cmd.Context(), dir, f.asJSON)
		},
	})
}

func newTeamReview(a *app.App) *cobra.Command {
	var f teamFlags
	var keep bool
	cmd := f.add(&cobra.Command{
		Use:   "review",
		Short: "Show what was shared, changed or removed since you looked last",
		Long: `Show what came with the last pulls: files that were shared, changed or removed since
you looked last, and all that are left out, with the reason. What is shown counts as
looked at.`,
		Example: "  recollect team review\n  recollect team reject team-5f0c1a2b3c4d",
		Args:    cli.Exactly(0, "team review takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := f.at.Folder()
			if err != nil {
				return err
			}
			return reviewTeam(a, cmd.Context(), api.Team{Cwd: dir, Look: !keep}, f.asJSON)
		},
	})
	cmd.Flags().BoolVar(&keep, "keep", false, "show the same the next time")
	return cmd
}

func newTeamReject(a *app.App) *cobra.Command {
	var f teamFlags
	var undo bool
	cmd := f.add(&cobra.Command{
		Use:   "reject ID …",
		Short: "Hide what somebody shared, on this machine only",
		Long: `Hide memories of the team on this machine, by their ids or the names of their files,
with all that says the same, whatever it is called. Others still get them; to take one
from everybody, delete its file. What says something else by then is new, and has to be
rejected anew.`,
		Example: "  recollect team reject team-5f0c1a2b3c4d\n  recollect team reject --undo decision-3f2a9c1b7d40.md",
		Args:    cli.AtLeast(1, "team reject needs an id, or the name of a file"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			dir, err := f.at.Folder()
			if err != nil {
				return err
			}
			return rejectTeam(a, cmd.Context(), api.TeamReject{Cwd: dir, IDs: ids, Undo: undo}, f.asJSON)
		},
	})
	cmd.Flags().BoolVar(&undo, "undo", false, "let it be injected again")
	return cmd
}

// listTeam lists what is shared in the repository of a folder.
func listTeam(a *app.App, ctx context.Context, dir string, asJSON bool) error {
	return a.AskLong(ctx, func(ctx context.Context, c *api.Client) error {
		found, err := c.Team(ctx, api.Team{Cwd: dir})
		switch {
		case err != nil:
			return err
		case asJSON:
			return cli.PrintJSON(a.Out, found)
		}
		return printTeam(a.Out, found)
	})
}

func printTeam(w io.Writer, found api.TeamFiles) error {
	t := cli.Table{Columns: []cli.Column{
		{Title: "date", Spare: 2}, {Title: "id"}, {Title: "file", Spare: 1}, {Title: "by", Spare: 1, Most: app.MostProject}, {Title: "title", Flex: true},
	}}
	n, bad := 0, 0
	for _, f := range found.Files {
		switch {
		case f.Change == api.TeamRemoved:
			continue
		case f.Bad:
			bad++
			continue
		}
		n++
		t.Add(cli.Text("%s", app.FormatDay(f.Date)), app.IDSpan(f.ID), cli.Text("%s", block.Name(f.File)), cli.Text("%s", block.Signature(f.Author)), cli.Text("%s", f.Title+remarkOn(f)))
	}
	if n > 0 {
		if err := t.Print(w); err != nil {
			return err
		}
	} else if found.Why == "" {
		fmt.Fprintf(w, "nothing is shared in %s\n", block.Inline(found.Folder))
	}
	if bad > 0 {
		fmt.Fprintf(w, "%s left out: recollect team review says why\n", cli.Count(bad, "file is", "files are"))
	}
	return printWhy(w, found)
}

// remarkOn says what is to be known of a file besides its title.
func remarkOn(f api.TeamFile) string {
	var said []string
	if len(f.Gone) > 0 {
		gone := make([]string, len(f.Gone))
		for i, name := range f.Gone {
			gone[i] = block.Name(name)
		}
		said = append(said, strings.Join(gone, ", ")+" is gone")
	}
	if f.Out != "" {
		said = append(said, f.Out)
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + strings.Join(said, "; ") + ")"
}

func printWhy(w io.Writer, found api.TeamFiles) error {
	if found.Why == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "not all is read: %s\n", found.Why)
	return err
}

// reviewTeam shows what is new.
func reviewTeam(a *app.App, ctx context.Context, in api.Team, asJSON bool) error {
	return a.AskLong(ctx, func(ctx context.Context, c *api.Client) error {
		found, err := c.Team(ctx, in)
		switch {
		case err != nil:
			return err
		case asJSON:
			return cli.PrintJSON(a.Out, found)
		}
		n := 0
		for _, f := range found.Files {
			if f.Change == "" && !f.Bad {
				continue
			}
			n++
			printNews(a.Out, f)
		}
		if n == 0 && found.Why == "" {
			fmt.Fprintln(a.Out, "nothing has come or changed since you looked last")
		}
		return printWhy(a.Out, found)
	})
}

// printNews prints what there is to know of a file that is new, changed, gone or bad.
func printNews(w io.Writer, f api.TeamFile) {
	switch {
	case f.Change == api.TeamRemoved:
		fmt.Fprintf(w, "removed   %s\n", block.Name(f.File))
	case f.Bad:
		fmt.Fprintf(w, "left out  %s: %s\n", block.Name(f.File), f.Out)
	default:
		fmt.Fprintf(w, "%-9s %s  %s  %s  %s by %s: %s%s\n", f.Change, f.ID, block.Name(f.File), app.FormatDay(f.Date), f.Kind, block.Signature(f.Author), f.Title, remarkOn(f))
	}
}

// rejectTeam hides memories, or shows them again.
func rejectTeam(a *app.App, ctx context.Context, in api.TeamReject, asJSON bool) error {
	return a.AskLong(ctx, func(ctx context.Context, c *api.Client) error {
		whole := in
		whole.IDs = nil
		for _, id := range in.IDs {
			if src, ok := memory.SourceOf(id); ok && src == memory.Team {
				full, err := app.WholeID(ctx, c, id)
				if err != nil {
					return err
				}
				id = full
			}
			whole.IDs = append(whole.IDs, id)
		}
		now, err := c.RejectTeam(ctx, whole)
		switch {
		case err != nil:
			return err
		case asJSON:
			return cli.PrintJSON(a.Out, now)
		}
		verb := "hidden on this machine"
		if in.Undo {
			verb = "injected again"
		}
		_, err = fmt.Fprintf(a.Out, "%s: %s\n", verb, strings.Join(whole.IDs, ", "))
		return err
	})
}
