package daemons

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/recall/block"
)

// watchAgain is how often watch tries to reach a daemon while none runs.
const watchAgain = time.Second

// NewWatch returns the command watch.
func NewWatch(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Follow what is injected, as it happens",
		Long: `Follow what is injected, as it happens, until it is interrupted: a line for each
prompt, tool call, session and sub-agent, with the project, the first words of the
prompt, what the first injected memory says, how many more there are, their tokens and
the time that it took, or why nothing was injected, or which guard asked or denied.

On a terminal the memories have numbered lines of their own, and one key says of the
selected one, which is the newest until you type the last digit of another number, what
you think of it: u that it was useful, which counts as a use; w that it is wrong, so that it is not injected again;
f forgets it. The same key again takes u or w back, and z undoes the last of all, also
f, until watch ends.

To watch does not start the daemon, nor keep it from ending when it is idle: the next
prompt starts another one, which is watched as well.`,
		Example: `  recollect watch
  recollect watch --json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return watchRecalls(cmd.Context(), a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each")
	return cmd
}

// watchRecalls prints the outcomes of requests until ctx ends.
func watchRecalls(ctx context.Context, a *app.App, asJSON bool) error {
	client, err := a.Client()
	if err != nil {
		return err
	}
	client.Version = "" // a watch should not replace an older daemon
	if keys, ok := keyboardOf(a); ok && !asJSON {
		return watchWithKeys(ctx, a, client, keys)
	}
	fmt.Fprintln(a.Err, "recollect: watching; an interrupt (Ctrl-C) ends it")
	return follow(ctx, client, func(r api.Recalled) error {
		if asJSON {
			return cli.PrintLine(a.Out, r)
		}
		_, err := fmt.Fprintln(a.Out, clipToTerminal(a, lineOf(r, app.NameInjected(r, maxWatched), cli.Width(a.Out))))
		return err
	})
}

// follow calls each with the outcomes of requests until ctx ends.
func follow(ctx context.Context, client *api.Client, each func(api.Recalled) error) error {
	for next := int64(-1); ; {
		asked, first := time.Now(), next < 0
		seen, err := askRecalls(ctx, client, next)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, api.ErrNoDaemon):
			next = max(next, 0) // print everything that the next daemon does
			app.WaitFor(ctx, watchAgain)
			continue
		case err != nil:
			return err
		}
		next = seen.Next
		if !first && len(seen.Recalls) == 0 && time.Since(asked) < watchAgain {
			app.WaitFor(ctx, watchAgain) // a daemon that is ending answers without waiting
		}
		for _, r := range seen.Recalls {
			if err := each(r); err != nil {
				return err
			}
		}
	}
}

// askRecalls asks for the outcomes after a number. The daemon waits for one, at most for
// api.MaxRecallsWait; if it does not answer then, it hangs.
func askRecalls(ctx context.Context, c *api.Client, after int64) (api.Recalls, error) {
	limited, cancel := context.WithTimeout(ctx, api.MaxRecallsWait+app.AliveIn)
	defer cancel()
	ask := api.AskRecalls{After: after, Wait: api.MaxRecallsWait}
	if after < 0 {
		ask.Wait = 0 // ask only for the number of the last one
	}
	seen, err := c.Recalls(limited, ask)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return seen, app.HungDaemon(c.Home)
	}
	return seen, err
}

// lineOf returns the outcome of one request on a line for a terminal of a width, where injected says what was injected.
func lineOf(r api.Recalled, injected string, width int) string {
	outcome := explain.Held(r)
	if r.Injected > 0 {
		outcome = fmt.Sprintf("%s, %d tokens", injected, r.Tokens)
		if r.Chosen > 0 {
			outcome += fmt.Sprintf(", %d chosen by the reader", r.Chosen)
		}
	}
	most := maxWatched
	if width > 0 {
		most = min(maxWatched, max(leastWatched, width/3))
	}
	return fmt.Sprintf("%s  %s  %s  %s  %.1f ms", r.At.Local().Format(time.TimeOnly), block.Name(r.Project), explain.Occasion(r, cli.Clip(r.Prompt, most)), outcome, r.Took)
}

func clipToTerminal(a *app.App, line string) string {
	if app.IsTerminal(a.Out) {
		return cli.Clip(line, cli.Width(a.Out))
	}
	return line
}

// The greatest width of a prompt, and of what a memory says, on a line, in columns; on a narrow terminal a prompt has a
// third of it, but so many.
const (
	maxWatched   = 60
	leastWatched = 16
)
