package settings

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/config"
)

// embedderPoll is how often the daemon is asked for its progress.
const embedderPoll = 200 * time.Millisecond

func newEmbedderUse(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "use builtin | FOLDER | ollama MODEL",
		Short: "Choose what turns texts into vectors",
		Long: `Choose what turns texts into vectors: the built-in model, a BERT model in a
folder, or a model that Ollama has on this machine. Models are never downloaded.

The model is tried first; then the lines of [embedder] in your config.toml are
changed, and all memories are embedded again, while the old vectors are used. At
the end your last prompts show what would be injected with them now and would
have been before. If anything fails, the settings stay as they were.`,
		Example: `  recollect embedder use ~/models/bge-small-en-v1.5
  recollect embedder use ollama nomic-embed-text
  recollect embedder use builtin`,
		RunE: func(cmd *cobra.Command, args []string) error { return useEmbedder(cmd.Context(), a, args) },
	}
}

// An embedderChange is a change of the embedder in the user's config.toml.
type embedderChange struct {
	file     config.File
	edited   string
	is, want config.Embedder
}

// readChange returns the change that the arguments ask for.
func readChange(args []string) (c embedderChange, err error) {
	file, settings, err := readSettings()
	if err != nil {
		return c, err
	}
	c.file, c.is = file, settings.Embedder
	if c.want, err = chooseEmbedder(c.is, args); err != nil {
		return c, err
	}
	c.edited, err = config.EditEmbedder(c.file.Path, c.file.Text, c.want)
	return c, err
}

func useEmbedder(ctx context.Context, a *app.App, args []string) error {
	c, err := readChange(args)
	if err != nil {
		return err
	}
	t, err := tryEmbedder(ctx, c.want)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%s: %s\n", nameOf(c.want), t)
	if c.want == c.is {
		_, err = fmt.Fprintln(a.Out, "the settings name it already")
		return err
	}
	if limit := time.Duration(c.want.Timeout); t.took > limit {
		cli.Warn(a.Err, fmt.Sprintf("a prompt does not wait that long: embedder.timeout is %v", limit))
	}
	prompts, err := lastPrompts(ctx, a)
	if err != nil {
		return err
	}
	if err := injectedWith(ctx, a, prompts, (*pastPrompt).setBefore); err != nil {
		return err
	}
	if err := c.applyChange(ctx, a); err != nil {
		return err
	}
	if err := injectedWith(ctx, a, prompts, (*pastPrompt).setAfter); err != nil {
		return err
	}
	return printComparison(a.Out, prompts)
}

// applyChange writes the settings and waits until all memories are embedded. If
// that fails, it restores the old settings. An interrupt only ends the wait.
func (c embedderChange) applyChange(ctx context.Context, a *app.App) error {
	if err := c.file.Write(c.edited); err != nil {
		return err
	}
	err := checkAdopted(ctx, a, c.want)
	if err == nil {
		err = awaitVectors(ctx, a)
	}
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted: the daemon goes on; recollect embedder shows how far it is")
	case err != nil:
		return errors.Join(fmt.Errorf("the settings are as they were before: %w", err), c.file.Restore())
	}
	return nil
}

// checkAdopted returns an error if the daemon does not use the new settings, because its
// environment overrides them.
func checkAdopted(ctx context.Context, a *app.App, want config.Embedder) error {
	is, err := inForce(ctx, a)
	if err == nil && nameOf(is.Embedder) != nameOf(want) {
		err = fmt.Errorf("the daemon uses %s: a variable of its environment overrides config.toml", nameOf(is.Embedder))
	}
	return err
}

// awaitVectors waits until all memories have a vector in use, and shows the
// progress.
func awaitVectors(ctx context.Context, a *app.App) error {
	show := followEmbedding(a)
	for {
		h, err := a.Health(ctx)
		if err != nil {
			return err
		}
		for _, p := range h.Details {
			if p.Kind == api.EmbedderProblem {
				return errors.New(p.Text)
			}
		}
		if h.EmbedderReady {
			show(h.Memories, h.Memories)
			return nil
		}
		if p := h.Embedding; p != nil {
			show(p.Done, p.All)
		}
		select {
		case <-time.After(embedderPoll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// followEmbedding returns a function that shows how many memories are embedded, with a
// bar on a terminal. Elsewhere it only prints, once, which command shows the progress.
func followEmbedding(a *app.App) func(done, all int) {
	if !app.IsTerminal(a.Err) {
		fmt.Fprintln(a.Err, "recollect: embedding all memories; recollect embedder shows how far it is")
		return func(int, int) {}
	}
	return cli.NewBar(a.Err, "embedding").Show
}
