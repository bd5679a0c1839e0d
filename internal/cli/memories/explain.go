package memories

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// NewExplain returns the command explain.
func NewExplain(a *app.App) *cobra.Command {
	var view explanationView
	var at app.Place
	var session string
	cmd := &cobra.Command{
		Use:   "explain PROMPT",
		Short: "Show what would be injected with a prompt, and why",
		Long: `Show what would be injected with a prompt in a new session, and the candidates
that it was chosen from. A line shows the relevance of a candidate, the relevance
that it needs, and whether it was injected or why it was held back.

--session ID shows what would be injected in that session instead: what was
injected into it before, and what its last prompt found, is held back. Nothing is
recorded. ID is Claude Code's id of the session, which the name of its transcript
has.

--parts also shows the terms that were searched for, what each retriever found,
and the parts of every relevance and score. A relevance is 1/(1+exp(−z)), where z
is the sum of its parts.`,
		Example: `  recollect explain "the build hangs in CI again"
  recollect explain --dir ~/src/orders-api "why are we out of connections?"
  recollect explain --session 5f0c1a2b-3c4d-4e5f-8a9b-0c1d2e3f4a5b "and error 4019?"`,
		Args: cli.AtLeast(1, "explain needs a prompt"),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder, project, err := at.Read()
			if err != nil {
				return err
			}
			if session != "" && at.Dir == "" {
				folder = "" // the daemon uses that of the session
			}
			in := api.Prompt{Prompt: strings.Join(args, " "), Cwd: folder, Project: project}
			return explainPrompt(cmd, a, in, session, view)
		},
	}
	view.addFlags(cmd)
	at.AddDirFlag(cmd)
	at.AddProjectFlag(cmd, "only memories of this project (default: of all)")
	cmd.Flags().StringVar(&session, "session", "", "`id` of the session in which the prompt is typed (default: a new one)")
	cmd.RegisterFlagCompletionFunc("session", a.CompleteSessions)
	return app.AddJSONFlag(cmd)
}

// explainPrompt shows what would be injected with a prompt, in the session whose id begins with session,
// or in no session for "".
func explainPrompt(cmd *cobra.Command, a *app.App, in api.Prompt, session string, view explanationView) error {
	ask := func(ctx context.Context, c *api.Client) (e api.Explanation, err error) {
		if in.SessionID, err = app.WholeSessionID(ctx, c, session); err != nil {
			return e, err
		}
		e, err = c.Explain(ctx, in)
		warnOfSettings(a, e.Settings)
		return e, err
	}
	return app.Show(cmd, a, ask, func(w io.Writer, e api.Explanation) error {
		if err := printInjected(w, e); err != nil || e.Skipped != "" {
			return err
		}
		fmt.Fprintln(w)
		return printCandidates(w, e, fewCandidates, view)
	})
}

// warnOfSettings says on one line that older settings are in force, for the mistakes in problem, if there are any.
func warnOfSettings(a *app.App, problem string) {
	if text := explain.Settings(problem); text != "" {
		fmt.Fprintln(a.Err, "recollect: "+text)
	}
}
