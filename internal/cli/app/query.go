package app

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
)

// Get returns the daemon's answer to a question.
func Get[A any](ctx context.Context, a *App, question api.Question[A]) (answer A, err error) {
	err = a.Ask(ctx, func(ctx context.Context, c *api.Client) error {
		answer, err = question(ctx, c)
		return err
	})
	return answer, err
}

// Show asks the daemon a question, and prints the answer with Print.
func Show[A any](cmd *cobra.Command, a *App, question api.Question[A], text func(io.Writer, A) error) error {
	answer, err := Get(cmd.Context(), a, question)
	if err != nil {
		return err
	}
	return Print(cmd, a, answer, text)
}

// Print prints an answer: as JSON with the flag --json, else as text.
func Print[A any](cmd *cobra.Command, a *App, answer A, text func(io.Writer, A) error) error {
	if WantsJSON(cmd) {
		return cli.PrintJSON(a.Out, answer)
	}
	return text(a.Out, answer)
}

// AddJSONFlag adds --json, and returns cmd.
func AddJSONFlag(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().Bool("json", false, "print JSON")
	return cmd
}

// WantsJSON reports whether --json was given.
func WantsJSON(cmd *cobra.Command) bool {
	asJSON, err := cmd.Flags().GetBool("json")
	return asJSON && err == nil
}
