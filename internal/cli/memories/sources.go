package memories

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
)

// defaultListed is how many memories a list shows by default.
const defaultListed = 20

// AddSources gives each source a command of its name.
func AddSources(a *app.App, root *cobra.Command) {
	root.AddGroup(&cobra.Group{ID: "sources", Title: "Sources (each with list, show and add):"})
	for _, src := range memory.Sources {
		if src == memory.Team { // users cannot add to it: see sharing.NewTeam
			continue
		}
		cmd := newSource(a, src)
		cmd.GroupID = "sources"
		root.AddCommand(cmd)
	}
}

// newSource returns the command of a source, which lists, shows and adds memories.
func newSource(a *app.App, src memory.Source) *cobra.Command {
	name := string(src)
	cmd := newList(a, src, name)
	cmd.Short = app.SourceCommands[src]
	cmd.Long = fmt.Sprintf("%s. Without a subcommand, lists them.", cmd.Short)
	cmd.Example = fmt.Sprintf("  recollect %s --all --limit 50\n  recollect %s show %s5f0c1a2b3c4d\n  recollect %s add \"…\"", name, name, src.Prefix(), name)
	list := newList(a, src, "list")
	list.Short = "List memories, newest first"
	add := newStoring(a, "add TEXT", &name)
	add.Short = "Store a memory"
	cmd.AddCommand(list, NewShow(a, src), add)
	return cmd
}

func newList(a *app.App, src memory.Source, use string) *cobra.Command {
	var at app.Place
	var limit int
	cmd := &cobra.Command{
		Use:  use,
		Args: cli.Exactly(0, use+" takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			where, err := at.Where(limit)
			if err != nil {
				return err
			}
			ask := api.With((*api.Client).List, api.List{Source: string(src), Where: where, Limit: limit})
			return app.Show(cmd, a, ask, func(_ io.Writer, l api.Listing) error { return printList(a, l, at.All) })
		},
	}
	at.AddListFlags(cmd)
	cmd.Flags().IntVarP(&limit, "limit", "n", defaultListed, "maximum number of memories")
	return app.AddJSONFlag(cmd)
}

func printList(a *app.App, l api.Listing, all bool) error {
	if len(l.Memories) == 0 {
		none := "none in this project; --all lists those of all projects"
		if all {
			none = "none"
		}
		_, err := fmt.Fprintln(a.Out, none)
		return err
	}
	if err := printShown(a.Out, l.Memories); err != nil {
		return err
	}
	if n := len(l.Memories); n < l.Total {
		fmt.Fprintf(a.Err, "recollect: the newest %d of %d; --limit shows more\n", n, l.Total)
	}
	return nil
}

func printShown(w io.Writer, memories []api.Shown) error {
	t := cli.Table{Columns: []cli.Column{
		{Title: "date", Spare: 2}, {Title: "id"}, {Title: "title", Flex: true}, {Title: "project", Spare: 1, Most: app.MostProject},
	}}
	for _, m := range memories {
		title := m.Title
		switch {
		case m.SupersededBy != "":
			title += " (superseded by " + m.SupersededBy + ")"
		case m.Done():
			title += " (done)"
		}
		t.Add(cli.Text("%s", app.FormatDay(m.When())), app.IDSpan(m.ID), cli.Text("%s", title), app.NameSpan(m.Project))
	}
	return t.Print(w)
}
