package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

const (
	// samplePrompts is how many of the newest prompts are tried for the sample.
	samplePrompts = 100
	// sampleWords is how many words a prompt has at least that is shown as the sample.
	sampleWords = 5
	// sampleRelevance is from where a memory is relevant enough to look no further.
	sampleRelevance = 0.85
	// settleIn is how long init waits for the index and the vectors after the import.
	settleIn = 15 * time.Second
	// settleEvery is how often it looks.
	settleEvery = 100 * time.Millisecond
)

func newInit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Begin: learn from past sessions, and show a first recall",
		Long: `Begin with recollect: show where its files are, learn from the sessions that you
already had, show what one of your own prompts would get from another session, and say
how recollect is switched off and removed. It asks nothing, and can be repeated.`,
		Example: `  recollect init`,
		Args:    cli.Exactly(0, "init takes none"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.begin(cmd.Context()) },
	}
}

// begin shows and does what a new user needs, step by step.
func (a *app) begin(ctx context.Context) error {
	if err := a.showPlaces(); err != nil {
		return err
	}
	fmt.Fprint(a.out, "\nLearning from past sessions\n\n")
	if err := a.learn(ctx); err != nil {
		return err
	}
	h, err := a.settled(ctx)
	if err != nil {
		return err
	}
	a.showState(h)
	if err := a.showSample(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprint(a.out, `
What to know

  recollect watch                 follow what is injected, as it happens
  recollect statusline install    show it in Claude Code's status line
  recollect doctor                check the installation
  RECOLLECT_DISABLE=1 claude      a session without recollect
  /plugin disable recollect       switch it off, in Claude Code
  /plugin uninstall recollect     remove the plugin; the memories stay
  recollect uninstall --purge     delete the memories
`)
	return err
}

// learn imports past sessions, unless the daemon has done so by itself.
func (a *app) learn(ctx context.Context) error {
	var h api.Health
	err := a.ask(ctx, func(ctx context.Context, c *api.Client) (err error) {
		h, err = c.Health(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if h.Past != nil && h.Past.State == "done" {
		_, err = fmt.Fprintf(a.out, "done already: %d past sessions, %d memories added\n", h.Past.Sessions, h.Past.Added)
		return err
	}
	return a.importOwn(ctx, false)
}

// showPlaces shows where everything is.
func (a *app) showPlaces() error {
	home, err := api.Home()
	if err != nil {
		return err
	}
	claude, err := claudeDir()
	if err != nil {
		return err
	}
	settings := filepath.Join(home, "config.toml")
	if _, err := os.Stat(settings); err != nil {
		settings += " (none: the defaults)"
	}
	_, err = fmt.Fprintf(a.out, "recollect %s\n\nmemories  %s\nsettings  %s\nsessions  %s (only read)\n",
		a.version, home, settings, filepath.Join(claude, "projects"))
	return err
}

// settled returns the state of the daemon once the index and the vectors have all memories, or
// after a while, because an embedder may be slow.
func (a *app) settled(ctx context.Context) (h api.Health, err error) {
	for end := time.Now().Add(settleIn); ; wait(ctx, settleEvery) {
		err = a.ask(ctx, func(ctx context.Context, c *api.Client) (err error) {
			h, err = c.Health(ctx)
			return err
		})
		if err != nil || ctx.Err() != nil || time.Now().After(end) {
			return h, cmp.Or(err, ctx.Err())
		}
		if h.Index == api.IndexReady && strings.HasSuffix(h.Embedder, api.IndexReady) || len(h.Problems) > 0 {
			return h, nil
		}
	}
}

// showState shows how many memories there are, and whether they are found by meaning.
func (a *app) showState(h api.Health) {
	fmt.Fprintf(a.out, "\nmemories  %d\nindex     %s, %d memories\nembedder  %s, %d memories\n", h.Memories, h.Index, h.Indexed, h.Embedder, h.Embedded)
	for _, p := range h.Problems {
		fmt.Fprintf(a.out, "problem   %s\n", p)
	}
}

// A sample is a prompt of the user's own, and what it would get from other sessions.
type sample struct {
	prompt    string
	episode   api.Shown
	found     api.Explanation
	relevance float64
}

// showSample shows what a prompt of the user's would get from other sessions than its own.
func (a *app) showSample(ctx context.Context) error {
	best, err := a.findSample(ctx)
	if err != nil {
		return err
	}
	fmt.Fprint(a.out, "\nA recall\n\n")
	if best.found.Context == "" {
		_, err := fmt.Fprintln(a.out, `No past prompt gets anything from another session yet. recollect explain "a prompt" shows what one would get.`)
		return err
	}
	_, err = fmt.Fprintf(a.out, "On %s, in %s, you typed\n\n  %s\n\nWith that prompt, Claude would now also get this from other sessions:\n\n%s\n",
		best.episode.When().Local().Format(time.DateOnly), block.Name(best.episode.Project), memory.Clip(block.Inline(best.prompt), 400), best.found.Context)
	return err
}

// findSample tries the newest prompts, and returns the one that gets the most relevant memory of
// another session, or the first that gets one that is relevant without doubt.
func (a *app) findSample(ctx context.Context) (best sample, err error) {
	err = a.ask(ctx, func(ctx context.Context, c *api.Client) error {
		episodes, err := c.List(ctx, api.List{Source: string(memory.Episodes), Where: api.Where{All: true}, Limit: samplePrompts})
		if err != nil {
			return err
		}
		for _, m := range episodes.Memories {
			prompt := cmp.Or(m.Evidence, m.Title)
			if m.Agent != "" || len(strings.Fields(prompt)) < sampleWords {
				continue
			}
			e, err := c.Explain(ctx, api.Prompt{Prompt: prompt, Cwd: m.ProjectPath, Own: m.Session})
			if err != nil {
				return err
			}
			if r := firmest(e, m); r > best.relevance {
				best = sample{prompt, m, e, r}
			}
			if best.relevance >= sampleRelevance {
				return nil
			}
		}
		return nil
	})
	return best, err
}

// firmest returns the relevance of the most relevant memory that is injected, 0 if there is none:
// but of those that repeat the prompt, which shows nothing.
func firmest(e api.Explanation, prompt api.Shown) float64 {
	relevance := 0.0
	shown := []string{api.OutcomeInjected, api.OutcomeHeading, api.OutcomeBrief}
	for _, c := range e.Candidates {
		if slices.Contains(shown, c.Outcome) && c.Title != prompt.Title {
			relevance = max(relevance, c.Relevance)
		}
	}
	return relevance
}
