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

func addTeamFlags(cmd *cobra.Command, at *app.Place) *cobra.Command {
	at.AddDirFlag(cmd)
	return app.AddJSONFlag(cmd)
}

func newTeamList(a *app.App) *cobra.Command {
	var at app.Place
	return addTeamFlags(&cobra.Command{
		Use:     "list",
		Short:   "List what is shared in this repository",
		Example: "  recollect team list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := at.Folder()
			if err != nil {
				return err
			}
			return listTeam(cmd, a, dir)
		},
	}, &at)
}

func newTeamReview(a *app.App) *cobra.Command {
	var at app.Place
	var keep bool
	cmd := addTeamFlags(&cobra.Command{
		Use:   "review",
		Short: "Show what was shared, changed or removed since you looked last",
		Long: `Show what came with the last pulls: files that were shared, changed or removed since
you looked last, and all that are left out, with the reason. What is shown counts as
looked at.`,
		Example: "  recollect team review\n  recollect team reject team-5f0c1a2b3c4d",
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := at.Folder()
			if err != nil {
				return err
			}
			return app.Show(cmd, a.Patient(), api.With((*api.Client).Team, api.Team{Cwd: dir, Look: !keep}), printReview)
		},
	}, &at)
	cmd.Flags().BoolVar(&keep, "keep", false, "show the same the next time")
	return cmd
}

func newTeamReject(a *app.App) *cobra.Command {
	var at app.Place
	var undo bool
	cmd := addTeamFlags(&cobra.Command{
		Use:   "reject ID …",
		Short: "Hide what somebody shared, on this machine only",
		Long: `Hide memories of the team on this machine, by their ids or the names of their files,
with all that says the same, whatever it is called. Others still get them; to take one
from everybody, delete its file. What says something else by then is new, and has to be
rejected anew.`,
		Example: "  recollect team reject team-5f0c1a2b3c4d\n  recollect team reject --undo decision-3f2a9c1b7d40.md",
		Args:    cli.AtLeast(1, "team reject needs an id, or the name of a file"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			dir, err := at.Folder()
			if err != nil {
				return err
			}
			return rejectTeam(cmd, a, api.TeamReject{Cwd: dir, IDs: ids, Undo: undo})
		},
	}, &at)
	cmd.Flags().BoolVar(&undo, "undo", false, "let it be injected again")
	return cmd
}

func listTeam(cmd *cobra.Command, a *app.App, dir string) error {
	return app.Show(cmd, a.Patient(), api.With((*api.Client).Team, api.Team{Cwd: dir}), printTeam)
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

// remarkOn returns the remarks on a file: which of its names are gone, and why it is not injected.
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

func printReview(w io.Writer, found api.TeamFiles) error {
	n := 0
	for _, f := range found.Files {
		if f.Change == "" && !f.Bad {
			continue
		}
		n++
		printNews(w, f)
	}
	if n == 0 && found.Why == "" {
		fmt.Fprintln(w, "nothing has come or changed since you looked last")
	}
	return printWhy(w, found)
}

// printNews prints a file that is new, changed, removed or bad.
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

func rejectTeam(cmd *cobra.Command, a *app.App, in api.TeamReject) error {
	var whole []string
	ask := func(ctx context.Context, c *api.Client) (now api.TeamFiles, err error) {
		if whole, err = wholeTeamIDs(ctx, c, in.IDs); err != nil {
			return now, err
		}
		return c.RejectTeam(ctx, api.TeamReject{Cwd: in.Cwd, IDs: whole, Undo: in.Undo})
	}
	return app.Show(cmd, a.Patient(), ask, func(w io.Writer, _ api.TeamFiles) error {
		verb := "hidden on this machine"
		if in.Undo {
			verb = "injected again"
		}
		_, err := fmt.Fprintf(w, "%s: %s\n", verb, strings.Join(whole, ", "))
		return err
	})
}

// wholeTeamIDs completes the ids of a team's memories. Other arguments are names of files.
func wholeTeamIDs(ctx context.Context, c *api.Client, ids []string) (whole []string, err error) {
	for _, id := range ids {
		if src, ok := memory.SourceOf(id); ok && src == memory.Team {
			if id, err = app.WholeID(ctx, c, id); err != nil {
				return nil, err
			}
		}
		whole = append(whole, id)
	}
	return whole, nil
}
