package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"recollect/internal/cli/app"
)

func newVersion(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(a.Out, versionLine(a.Version))
			return err
		},
	}
}

// versionLine returns the output of the command version and the flag --version.
func versionLine(version string) string { return "recollect " + version + "\n" }
