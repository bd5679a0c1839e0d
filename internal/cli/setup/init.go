// Package setup has the commands that introduce recollect to a user, enter it into the settings of other
// programs, and remove it again.
package setup

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/cli/importer"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

const (
	// samplePrompts is how many of the newest prompts are tried for the sample.
	samplePrompts = 100
	// sampleWords is the least number of words of a prompt for the sample.
	sampleWords = 5
	// sampleMatch is the match of a prompt with what it gets at which the search for a sample ends.
	sampleMatch = 0.8
	// settleIn is how long init waits for the index and the vectors after the import.
	settleIn = 15 * time.Second
	// settleEvery is how often init checks the index and the vectors.
	settleEvery = 100 * time.Millisecond
)

// NewInit returns the command init.
func NewInit(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Begin: learn from past sessions, and show a first recall",
		Long: `Begin with recollect: show where its files are, learn from the sessions that you
already had, show what one of your own prompts would get from another session, and say
how recollect is switched off and removed. It asks nothing, and can be repeated.`,
		Example: `  recollect init`,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runInit(cmd.Context(), a) },
	}
}

// runInit imports past sessions, and shows a new user what recollect has and does.
func runInit(ctx context.Context, a *app.App) error {
	if err := showPlaces(a); err != nil {
		return err
	}
	fmt.Fprint(a.Out, "\nLearning from past sessions\n\n")
	if err := learnPast(ctx, a); err != nil {
		return err
	}
	h, err := awaitSettled(ctx, a)
	if err != nil {
		return err
	}
	showState(a, h)
	if err := showSample(ctx, a); err != nil {
		return err
	}
	return cli.FoldList(a.Out, `
What to know

  recollect watch                 follow what is injected, as it happens
  recollect statusline install    show it in Claude Code's status line
  recollect reader use claude     let Claude pick what is injected, which costs tokens
  recollect doctor                check the installation
  RECOLLECT_DISABLE=1 claude      a session without recollect
  /plugin disable recollect       switch it off, in Claude Code
  /plugin uninstall recollect     remove the plugin; the memories stay
  recollect uninstall --purge     delete the memories
`)
}

// learnPast imports past sessions, unless the daemon has imported them already.
func learnPast(ctx context.Context, a *app.App) error {
	h, err := a.Health(ctx)
	if err != nil {
		return err
	}
	if h.Past != nil && h.Past.State == api.PastDone {
		return cli.Fold(a.Out, cli.Span{}, fmt.Sprintf("done already: %s, %s added", cli.Count(h.Past.Sessions, "past session", "past sessions"), app.CountMemories(h.Past.Added)))
	}
	return importer.ImportOwn(ctx, a, false)
}

func showPlaces(a *app.App) error {
	home, err := api.Home()
	if err != nil {
		return err
	}
	claude, err := app.ClaudeDir()
	if err != nil {
		return err
	}
	settings := filepath.Join(home, "config.toml")
	if _, err := os.Stat(settings); err != nil {
		settings += " (none: the defaults)"
	}
	fmt.Fprintf(a.Out, "recollect %s\n\n", a.Version)
	cli.Fold(a.Out, cli.Text("memories  "), home)
	cli.Fold(a.Out, cli.Text("settings  "), settings)
	return cli.Fold(a.Out, cli.Text("sessions  "), filepath.Join(claude, "projects")+" (only read)")
}

// awaitSettled returns the daemon's health as soon as the index and the vectors have all memories, or as
// it is after settleIn, because an embedder may be slow.
func awaitSettled(ctx context.Context, a *app.App) (h api.Health, err error) {
	for end := time.Now().Add(settleIn); ; app.WaitFor(ctx, settleEvery) {
		h, err = a.Health(ctx)
		if err != nil || ctx.Err() != nil || time.Now().After(end) {
			return h, cmp.Or(err, ctx.Err())
		}
		indexed := h.Index == api.IndexReady && h.Indexed >= h.Memories
		if indexed && h.EmbedderReady || len(h.Problems) > 0 {
			return h, nil
		}
	}
}

// showState shows how many memories there are, and whether they are found by meaning.
func showState(a *app.App, h api.Health) {
	fmt.Fprintf(a.Out, "\nmemories  %d\nindex     %s, %s\n", h.Memories, h.Index, app.CountMemories(h.Indexed))
	cli.Fold(a.Out, cli.Text("embedder  "), h.Embedder+", "+app.CountMemories(h.Embedded))
	for _, p := range h.Problems {
		cli.Fold(a.Out, cli.Text("problem   "), p)
	}
}

// A sample is a prompt of the user, with what it would get from other sessions.
type sample struct {
	prompt  string
	episode api.Shown
	found   api.Explanation
	match   float64
}

// showSample shows what a prompt of the user would get from other sessions than its own.
func showSample(ctx context.Context, a *app.App) error {
	best, err := findSample(ctx, a)
	if err != nil {
		return err
	}
	fmt.Fprint(a.Out, "\nA recall\n\n")
	if best.found.Context == "" {
		return cli.Fold(a.Out, cli.Span{}, `No past prompt gets anything from another session yet. recollect explain "a prompt" shows what one would get.`)
	}
	return cli.FoldLines(a.Out, fmt.Sprintf("On %s, in %s, you typed\n\n  %s\n\nWith that prompt, Claude would now also get this from other sessions:\n\n%s",
		best.episode.When().Local().Format(time.DateOnly), block.Name(best.episode.Project), cli.Clip(block.Inline(best.prompt), 400), best.found.Context))
}

// findSample tries the newest prompts. It returns the first that matches what it gets from other sessions by
// sampleMatch, or else the one that does best.
func findSample(ctx context.Context, a *app.App) (sample, error) {
	return app.Get(ctx, a, func(ctx context.Context, c *api.Client) (best sample, err error) {
		episodes, err := c.List(ctx, api.List{Source: string(memory.Episodes), Where: api.Where{All: true}, Limit: samplePrompts})
		if err != nil {
			return best, err
		}
		for _, m := range episodes.Memories {
			prompt := cmp.Or(m.Evidence, m.Title)
			if m.Agent != "" || len(strings.Fields(prompt)) < sampleWords {
				continue
			}
			e, err := c.Explain(ctx, api.Prompt{Prompt: prompt, Cwd: m.ProjectPath, Own: m.Session})
			if err != nil {
				return best, err
			}
			if match := matchOf(e, m); match > best.match {
				best = sample{prompt, m, e, match}
			}
			if best.match >= sampleMatch {
				return best, nil
			}
		}
		return best, nil
	})
}

// matchOf returns how well a prompt matches what is injected with it: the probability that it needs anything, times
// the relevance of the least relevant memory; 0 if one just repeats the prompt.
func matchOf(e api.Explanation, prompt api.Shown) float64 {
	if e.Worth == nil || e.Worth.Value < e.Worth.Required || e.Context == "" {
		return 0
	}
	match := e.Worth.Value
	for _, c := range e.Candidates {
		switch {
		case !explain.Injected(c):
		case c.Title == prompt.Title:
			return 0
		default:
			match = min(match, e.Worth.Value*c.Relevance)
		}
	}
	return match
}
