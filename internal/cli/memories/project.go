package memories

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

// NewProject returns the command project.
func NewProject(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "project",
		Short: "Show the projects, and give the memories of one to another",
		Long: `Show which projects have memories, and give the memories of one to another.

A memory belongs to a git repository, by its remote "origin" or its folder, or to a
folder outside of any. A repository that is moved or renamed keeps its memories by
itself; of a folder that git does not know, move says where it is now.`,
		Example: `  recollect project list
  recollect project move ~/src/notes ~/code/notes
  recollect project undo`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newProjectList(a), newProjectMove(a, false), newProjectMove(a, true), newProjectUndo(a))
	return cmd
}

func newProjectList(a *app.App) *cobra.Command {
	return app.AddJSONFlag(&cobra.Command{
		Use:   "list",
		Short: "List the projects that have memories",
		Long: `List the projects that have memories, those with the most first: how many, when the
newest of them happened, and the folder or remote by which the project is known.`,
		Example: `  recollect project list`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ask := func(ctx context.Context, c *api.Client) (api.ProjectHomes, error) { return c.ProjectHomes(ctx) }
			return app.Show(cmd, a, ask, printHomes)
		},
	})
}

func printHomes(w io.Writer, homes api.ProjectHomes) error {
	t := cli.Table{Columns: []cli.Column{
		{Title: "memories", Right: true}, {Title: "last", Spare: 1}, {Title: "project", Most: app.MostProject}, {Title: "folder, remote", Flex: true},
	}}
	for _, h := range homes.Projects {
		where := strings.Join(nonEmpty(h.Path, h.Remote), ", ")
		if h.Gone {
			where += " (gone)"
		}
		t.Add(cli.Text("%d", h.Memories), cli.Text("%s", h.Last.Local().Format(time.DateOnly)), app.NameSpan(h.Name), cli.Text("%s", where))
	}
	if err := t.Print(w); err != nil {
		return err
	}
	if len(homes.Projects) == 0 {
		_, err := fmt.Fprintln(w, "no project has memories yet")
		return err
	}
	if u := homes.Undo; u != nil {
		_, err := fmt.Fprintf(w, "moved last: %s from %s to %s on %s; recollect project undo takes that back\n",
			app.CountMemories(u.Memories), whereIs(u.From), whereIs(u.To), u.At.Local().Format(time.DateOnly))
		return err
	}
	return nil
}

func nonEmpty(words ...string) (out []string) {
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

func whereIs(p memory.Project) string { return block.Inline(cmp.Or(p.Path, p.Remote, p.Name)) }

func newProjectMove(a *app.App, merge bool) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "move FROM [TO]",
		Short: "Give the memories of a project to a folder that has none",
		Long: `Give the memories of a project to that in the folder TO, by default the current one:
the same project, which lies there now. FROM is its folder, even if that is gone, its
remote, or its name. If TO has memories of its own, merge joins both.
"recollect project undo" takes it back.`,
		Example: `  recollect project move ~/src/notes
  recollect project move notes ~/code/notes`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.Usage(errors.New("needs a project, and at most the folder that it is to have"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			in := api.ProjectMove{Merge: merge}
			var err error
			if in.From, err = projectCalled(args[0]); err != nil {
				return err
			}
			to := app.Place{}
			if len(args) > 1 {
				to.Dir = args[1]
			}
			if in.To, err = to.Folder(); err != nil {
				return err
			}
			return moveProject(cmd, a, in)
		},
	}
	if merge {
		cmd.Use, cmd.Short = "merge FROM [TO]", "Give the memories of a project to one that has some"
		cmd.Long = `Give the memories of a project to that in the folder TO, by default the current one,
which may have memories of its own: two folders are one project from then on. FROM is
a folder, a remote, or a name. "recollect project undo" takes it back: what came from
FROM belongs to it again.`
		cmd.Example = `  recollect project merge ~/src/orders-copy ~/src/orders`
	}
	return app.AddJSONFlag(cmd)
}

// projectCalled returns the project that a user names: the absolute path of a folder, or an
// unchanged remote (example.com/team/app) or name.
func projectCalled(word string) (string, error) {
	host, _, isPath := strings.Cut(filepath.ToSlash(word), "/")
	if isPath && strings.Contains(host, ".") && strings.Trim(host, ".") != "" {
		return word, nil
	}
	return (&app.Place{Project: word}).Named()
}

func newProjectUndo(a *app.App) *cobra.Command {
	return app.AddJSONFlag(&cobra.Command{
		Use:   "undo",
		Short: "Give the memories that were moved last back",
		Long: `Give the memories that were moved last, by a command or because a repository was
moved, back to the project that they belonged to. What was stored since stays. Repeated,
it takes back the move before.`,
		Example: `  recollect project undo`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return moveProject(cmd, a, api.ProjectMove{Undo: true})
		},
	})
}

func moveProject(cmd *cobra.Command, a *app.App, in api.ProjectMove) error {
	return app.Show(cmd, a, api.With((*api.Client).MoveProject, in), func(w io.Writer, done api.ProjectMoved) error {
		text := "moved %s from %s to %s; recollect project undo takes that back\n"
		if in.Undo {
			text = "moved %s back from %s to %s\n"
		}
		_, err := fmt.Fprintf(w, text, app.CountMemories(done.Memories), whereIs(done.From), whereIs(done.To))
		return err
	})
}
