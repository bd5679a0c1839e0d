package memories

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// NewGraph returns the command graph.
func NewGraph(a *app.App) *cobra.Command {
	var asDot bool
	var at app.Place
	var limit int
	cmd := &cobra.Command{
		Use:   "graph ENTITY",
		Short: "Show the memories that name a file, command, symbol or error",
		Long: `Show the memories that name an entity (a file, a command, a symbol or an error),
and what several of them have in common: other files, commands, errors, symbols,
words, and sessions.`,
		Example: `  recollect graph internal/store/store.go
  recollect graph "go test ./..." --all
  recollect graph --dot NewServer | dot -Tsvg > graph.svg`,
		Args: cli.AtLeast(1, "graph needs a file, a command, a symbol or an error"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asDot && app.WantsJSON(cmd) {
				return cli.Usage(errors.New("--json and --dot exclude each other"))
			}
			where, err := at.Where(limit)
			if err != nil {
				return err
			}
			text := printGraph
			if asDot {
				text = printDot
			}
			return app.Show(cmd, a, api.With((*api.Client).Graph, api.Around{Entity: strings.Join(args, " "), Where: where, Limit: limit}), text)
		},
	}
	cmd.Flags().BoolVar(&asDot, "dot", false, "print a graph for Graphviz")
	at.AddListFlags(cmd)
	cmd.Flags().IntVarP(&limit, "limit", "n", defaultListed, "maximum number of memories")
	return app.AddJSONFlag(cmd)
}

func printGraph(w io.Writer, g api.Graph) error {
	if g.Total == 0 {
		_, err := fmt.Fprintf(w, "no memory names %s\n", g.Entity)
		return err
	}
	fmt.Fprintln(w, cli.Line(w, fmt.Sprintf("%s: %s", g.Entity, app.CountMemories(g.Total))))
	t := cli.Table{Columns: []cli.Column{
		{Title: "   date", Spare: 2}, {Title: "id"}, {Title: "title", Flex: true}, {Title: "project", Spare: 1, Most: app.MostProject},
	}}
	for i, m := range g.Memories {
		t.Add(cli.Text("%s %s", branchTo(i, len(g.Memories)), app.FormatDay(m.When)), app.IDSpan(m.ID), cli.Text("[%s] %s", m.Source.Label(), m.Title), app.NameSpan(m.Project))
	}
	if err := t.Print(w); err != nil || len(g.Shared) == 0 {
		return err
	}
	return printShared(w, g.Shared)
}

// printShared lists the links that several memories share.
func printShared(w io.Writer, shared []api.Link) error {
	fmt.Fprintln(w, "shared by several of them:")
	t := cli.Table{Columns: []cli.Column{
		{Title: "   kind", Spare: 3}, {Title: "memories", Right: true, Spare: 2}, {Title: "name", Flex: true}, {Title: "ids", Spare: 1},
	}}
	for i, l := range shared {
		t.Add(cli.Text("%s %s", branchTo(i, len(shared)), l.Kind), cli.Text("%d", len(l.IDs)), cli.Text("%s", l.Name), cli.Text("%s", someIDs(l.IDs)))
	}
	return t.Print(w)
}

// branchTo returns the branch to leaf i of n in a tree.
func branchTo(i, n int) string {
	if i == n-1 {
		return "└─"
	}
	return "├─"
}

// someIDs lists a few ids, and counts the others.
func someIDs(ids []string) string {
	const most = 3
	if len(ids) <= most {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
}

// printDot prints a graph in the DOT language of Graphviz.
func printDot(w io.Writer, g api.Graph) error {
	fmt.Fprintf(w, "graph {\n  %s [shape=box];\n", dotQuote(g.Entity))
	shown := map[string]bool{}
	for _, m := range g.Memories {
		shown[m.ID] = true
		fmt.Fprintf(w, "  %s [label=%s];\n  %s -- %s;\n", dotQuote(m.ID), dotQuote(m.Source.Label()+": "+m.Title), dotQuote(g.Entity), dotQuote(m.ID))
	}
	for _, l := range g.Shared {
		for _, id := range l.IDs {
			if shown[id] {
				fmt.Fprintf(w, "  %s -- %s;\n", dotQuote(id), dotQuote(l.Kind+" "+l.Name))
			}
		}
	}
	_, err := fmt.Fprintln(w, "}")
	return err
}

func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(s) + `"`
}
