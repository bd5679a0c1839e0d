// Package memories has the commands that find, show, store and delete memories, and that explain which
// would be injected.
package memories

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
)

// A searchCommand is the command line of search.
type searchCommand struct {
	explain, pending bool
	candidates       bool
	view             explanationView
	at               app.Place
	folder, project  string // paths or names, from at
	source           string
	limit            int
}

// NewSearch returns the command search.
func NewSearch(a *app.App) *cobra.Command {
	var in searchCommand
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find memories",
		Long: `Find the memories that are relevant to a query, best first, in all projects and
sources. A result with a relevance below ` + weakBelow + ` that lacks a word of the query is
weak, and shown only with --all. --explain shows the candidates that the results
were chosen from, as recollect explain does.`,
		Example: `  recollect search connection pool timeout
  recollect search --source failures --project orders-api deploy
  recollect search --explain connection pool timeout`,
		Args: cli.AtLeast(1, "search needs a query"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.checkFlags(); err != nil {
				return err
			}
			return searchMemories(cmd, a, strings.Join(args, " "), in)
		},
	}
	cmd.Flags().BoolVar(&in.pending, "pending", false, "find what waits for your review instead, by all of the words")
	cmd.Flags().BoolVar(&in.candidates, "candidates", false, "find candidates instead, by all of the words")
	cmd.Flags().BoolVar(&in.explain, "explain", false, "show how the results were found")
	cmd.Flags().BoolVar(&in.view.all, "all", false, "show weak results, and with --explain every candidate")
	cmd.Flags().BoolVar(&in.view.parts, "parts", false, "with --explain: "+partsUsage)
	in.at.AddDirFlag(cmd)
	in.at.AddProjectFlag(cmd, "only memories of this project (default: of all)")
	cmd.Flags().StringVar(&in.source, "source", "", "only this source (patterns, journal, failures …)")
	app.CompleteSources(cmd)
	cmd.Flags().IntVarP(&in.limit, "limit", "n", 10, "how many results at most")
	return app.AddJSONFlag(cmd)
}

// checkFlags checks the flags, and finds the folder and the project that they name.
func (in *searchCommand) checkFlags() (err error) {
	if in.limit < 1 {
		return cli.Usage(fmt.Errorf("limit %d: must be 1 or more", in.limit))
	}
	if waiting := in.pending || in.candidates; waiting && in.explain {
		return cli.Usage(errors.New("--pending, --candidates and --explain exclude each other"))
	}
	if in.source != "" {
		if _, err := memory.ParseSource(in.source); err != nil {
			return cli.Usage(err)
		}
	}
	in.folder, in.project, err = in.at.Read()
	return err
}

func searchMemories(cmd *cobra.Command, a *app.App, query string, in searchCommand) error {
	if in.pending || in.candidates {
		where := api.Where{Project: in.project, All: in.project == ""}
		return listPending(cmd, a, api.Pending{Query: query, Source: in.source, Where: where, Limit: in.limit, Candidates: in.candidates})
	}
	ask := api.Search{Query: query, Cwd: in.folder, Project: in.project, Source: in.source, Limit: in.limit, Explain: in.explain}
	question := func(ctx context.Context, c *api.Client) (api.SearchReply, error) {
		found, err := c.Search(ctx, ask)
		warnOfSettings(a, found.Settings)
		return found, err
	}
	return app.Show(cmd, a, question, func(w io.Writer, found api.SearchReply) error {
		if found.Explanation != nil {
			return printCandidates(w, *found.Explanation, max(in.limit, fewCandidates), in.view)
		}
		return printStrong(a, found.Results, in.view.all)
	})
}

// weakBelow is api.WeakBelow in words.
var weakBelow = fmt.Sprintf("%.2f", api.WeakBelow)

// printStrong prints results. Without all it leaves out the weak ones, and counts them.
func printStrong(a *app.App, results []api.Found, all bool) error {
	shown := results
	if !all {
		shown = slices.DeleteFunc(slices.Clone(results), func(f api.Found) bool { return f.Weak })
	}
	weak := len(results) - len(shown)
	switch {
	case len(results) == 0:
		_, err := fmt.Fprintln(a.Out, "nothing found")
		return err
	case len(shown) == 0:
		_, err := fmt.Fprintf(a.Out, "nothing above %s; --all shows %d\n", weakBelow, weak)
		return err
	}
	if err := printFound(a.Out, shown); err != nil {
		return err
	}
	if weak > 0 {
		fmt.Fprintf(a.Err, "recollect: %d more below %s; --all shows them\n", weak, weakBelow)
	}
	return nil
}

func printFound(w io.Writer, results []api.Found) error {
	t := cli.Table{Columns: []cli.Column{
		{Title: "id"}, {Title: "rel.", Spare: 4}, {Title: "kind", Spare: 1}, {Title: "date", Spare: 2},
		{Title: "project", Spare: 3, Most: app.MostProject}, {Title: "title", Flex: true},
	}}
	for _, r := range results {
		m := r.Memory
		title := m.Title
		if s := app.SeenText(m); s != "" {
			title += " (seen " + s + ")"
		}
		t.Add(app.IDSpan(m.ID), cli.Text("%.2f", r.Relevance), cli.Text("%s", m.Source.Label()),
			cli.Text("%s", m.OccurredAt.Local().Format(time.DateOnly)), app.NameSpan(m.Project), cli.Text("%s", title))
	}
	return t.Print(w)
}
