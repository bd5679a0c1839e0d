package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cli.Exactly(0, "version takes none"),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, "recollect", a.version)
			return err
		},
	}
}
