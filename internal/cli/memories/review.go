package memories

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/recall/block"
)

// mostReviewed is the most memories that are approved or rejected at once.
const mostReviewed = 1000

// NewReview returns the command review.
func NewReview(a *app.App) *cobra.Command {
	var list api.Pending
	var at app.Place
	cmd := &cobra.Command{
		Use:   "review",
		Short: "List, approve or reject what sessions taught and waits for you",
		Long: `List the memories that wait for your review, newest first. With
capture.review = "preferences" in config.toml, the wishes and rules that recollect
finds in your sessions wait until you approve them; with "all", all that it finds
does. What waits is not injected, and is found only by this command, search --pending
and show. What you store yourself never waits.

A candidate is what one sentence suggests and nothing else yet. It becomes a memory when
it is said again in another session, or when you approve it.

An approved memory is injected from the next prompt on. A rejected one is deleted, and
is not learned again.`,
		Example: `  recollect review
  recollect show pref-5f0c1a2b3c4d
  recollect review approve pref-5f0c1a2b3c4d pat-0c1d2e3f4a5b
  recollect review reject --all`,
		Args: cli.Exactly(0, "review takes none but approve and reject"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if list.Limit < 1 {
				return cli.Usage(fmt.Errorf("limit %d: must be 1 or more", list.Limit))
			}
			if list.Where.Cwd, list.Where.Project, err = at.Read(); err != nil {
				return err
			}
			list.Where.All = list.Where.Project == ""
			return listPending(cmd, a, list)
		},
	}
	at.AddProjectFlag(cmd, "only memories of this project")
	cmd.Flags().StringVar(&list.Source, "source", "", "only this source (preferences, patterns …)")
	cmd.Flags().IntVarP(&list.Limit, "limit", "n", 50, "how many at most")
	cmd.Flags().BoolVar(&list.Candidates, "candidates", false, "list the candidates instead")
	cmd.AddCommand(
		newVerdict(a, "approve", "Let memories be injected that wait for review", false),
		newVerdict(a, "reject", "Delete memories that wait for review, and do not learn them again", true),
	)
	return app.AddJSONFlag(cmd)
}

func newVerdict(a *app.App, name, short string, reject bool) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:     name + " ID … | --all",
		Short:   short,
		Example: "  recollect review " + name + " pref-5f0c1a2b3c4d\n  recollect review " + name + " --all",
		RunE: func(cmd *cobra.Command, ids []string) error {
			if all != (len(ids) == 0) {
				return cli.Usage(fmt.Errorf("review %s needs ids, or --all", name))
			}
			return reviewMemories(cmd.Context(), a, api.Review{IDs: ids, Reject: reject})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all that waits now")
	return cmd
}

func listPending(cmd *cobra.Command, a *app.App, list api.Pending) error {
	nothing := "nothing waits for review"
	if list.Candidates {
		nothing = "no candidates"
	}
	return app.Show(cmd, a, api.With((*api.Client).Pending, list), func(w io.Writer, found api.Listing) error {
		if found.Total == 0 {
			_, err := fmt.Fprintln(w, nothing)
			return err
		}
		return printPending(w, found)
	})
}

func printPending(w io.Writer, found api.Listing) error {
	t := cli.Table{Columns: []cli.Column{
		{Title: "id"}, {Title: "kind", Spare: 3}, {Title: "date", Spare: 1}, {Title: "project", Spare: 2, Most: app.MostProject}, {Title: "title", Flex: true},
	}}
	for _, m := range found.Memories {
		t.Add(app.IDSpan(m.ID), cli.Text("%s", m.Source.Label()), cli.Text("%s", m.OccurredAt.Local().Format(time.DateOnly)), app.NameSpan(m.Project), cli.Text("%s", m.Title))
	}
	err := t.Print(w)
	if more := found.Total - len(found.Memories); more > 0 && err == nil {
		_, err = fmt.Fprintf(w, "and %d more\n", more)
	}
	return err
}

// reviewMemories approves or rejects memories: those named, or all that wait if none is.
func reviewMemories(ctx context.Context, a *app.App, in api.Review) error {
	return a.Patient().Ask(ctx, func(ctx context.Context, c *api.Client) error {
		ids := in.IDs
		if len(ids) == 0 {
			waiting, err := c.Pending(ctx, api.Pending{Where: api.Where{All: true}, Limit: mostReviewed})
			if err != nil {
				return err
			}
			for _, m := range waiting.Memories {
				ids = append(ids, m.ID)
			}
		}
		if len(ids) == 0 {
			return errors.New("nothing waits for review")
		}
		done, err := c.Review(ctx, api.Review{IDs: ids, Reject: in.Reject})
		if err != nil {
			return err
		}
		return printReviewed(a, done, in.Reject)
	})
}

func printReviewed(a *app.App, done api.Reviewed, rejected bool) error {
	verb := "approved"
	if rejected {
		verb = "rejected"
	}
	for _, m := range done.Memories {
		fmt.Fprintln(a.Out, cli.Line(a.Out, fmt.Sprintf("%s %s from project '%s': %s", verb, m.ID, block.InQuotes(m.Project), m.Title)))
	}
	_, err := fmt.Fprintf(a.Out, "%d still wait\n", done.Left)
	return err
}
