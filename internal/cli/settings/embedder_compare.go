package settings

import (
	"context"
	"fmt"
	"io"
	"slices"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

const (
	comparedPrompts = 10 // prompts that are tried with both embedders
	comparedColumns = 80 // bytes of a prompt or title that are shown
)

// A pastPrompt is a prompt of the user, with what would be injected with it before and after the change.
type pastPrompt struct {
	explain.Prompt
	before, after []api.Candidate
}

func (p *pastPrompt) setBefore(list []api.Candidate) { p.before = list }
func (p *pastPrompt) setAfter(list []api.Candidate)  { p.after = list }

// lastPrompts returns the newest prompts that were stored, the newest first,
// without repetitions.
func lastPrompts(ctx context.Context, a *app.App) ([]*pastPrompt, error) {
	newest := api.List{Source: string(memory.Episodes), Where: api.Where{All: true}, Limit: 5 * comparedPrompts}
	list, err := app.Get(ctx, a, api.With((*api.Client).List, newest))
	var out []*pastPrompt
	for _, p := range explain.Prompts(list.Memories, comparedPrompts) {
		out = append(out, &pastPrompt{Prompt: p})
	}
	return out, err
}

// injectedWith asks what would be injected with each prompt in a new session. It
// leaves out memories of the prompt's own session.
func injectedWith(ctx context.Context, a *app.App, prompts []*pastPrompt, set func(*pastPrompt, []api.Candidate)) error {
	for _, p := range prompts {
		err := a.Ask(ctx, func(ctx context.Context, c *api.Client) error {
			e, err := c.Explain(ctx, api.Prompt{Prompt: p.Text, Cwd: p.Dir})
			if err != nil {
				return err
			}
			found := slices.DeleteFunc(e.Candidates, func(c api.Candidate) bool { return !explain.Injected(c) })
			own, err := ownMemories(ctx, c, found, p.Session)
			set(p, slices.DeleteFunc(found, func(c api.Candidate) bool { return own[c.ID] }))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ownMemories reports by id which of the candidates are memories of a session.
func ownMemories(ctx context.Context, c *api.Client, found []api.Candidate, session string) (map[string]bool, error) {
	own := map[string]bool{}
	if len(found) == 0 || session == "" {
		return own, nil
	}
	var ids []string
	for _, f := range found {
		ids = append(ids, f.ID)
	}
	e, err := c.Expand(ctx, api.Expand{IDs: ids})
	for _, m := range e.Memories {
		own[m.ID] = m.Session == session
	}
	return own, err
}

// printComparison shows for each prompt how many memories would be injected with
// both embedders, and which with only one of them.
func printComparison(w io.Writer, prompts []*pastPrompt) error {
	if len(prompts) == 0 {
		_, err := fmt.Fprintln(w, "no past prompts to compare with")
		return err
	}
	changed := 0
	fmt.Fprint(w, "\nwith your last prompts would be injected (- no longer, + new):\n\n")
	for _, p := range prompts {
		gone, came := explain.Lacking(p.before, p.after), explain.Lacking(p.after, p.before)
		if len(gone)+len(came) > 0 {
			changed++
		}
		fmt.Fprintf(w, "%q: %s\n", memory.Clip(block.Inline(p.Text), comparedColumns), asBefore(len(p.after)-len(came)))
		for _, c := range gone {
			fmt.Fprintln(w, cli.Line(w, fmt.Sprintf("  - [%s] %s", c.Source, memory.Clip(block.Inline(c.Title), comparedColumns))))
		}
		for _, c := range came {
			fmt.Fprintln(w, cli.Line(w, fmt.Sprintf("  + [%s] %s", c.Source, memory.Clip(block.Inline(c.Title), comparedColumns))))
		}
	}
	_, err := fmt.Fprintf(w, "\n%d of %s would get other memories\n", changed, cli.Count(len(prompts), "prompt", "prompts"))
	return err
}

func asBefore(n int) string {
	if n == 0 {
		return "nothing as before"
	}
	return fmt.Sprintf("%d as before", n)
}
