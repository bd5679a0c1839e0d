package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/config"
)

func newConfig(a *app) *cobra.Command {
	return group("config", "Check or show the settings", `Your settings are config.toml and synonyms.toml in the data folder. Both are
optional, and override the shipped ones. A change applies from the next prompt on.`,
		newConfigCheck(a), newConfigShow(a))
}

func newConfigCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "check",
		Short:   "Look for mistakes in the settings",
		Example: `  recollect config check`,
		Args:    cli.Exactly(0, "config check takes none"),
		RunE: func(*cobra.Command, []string) error {
			home, err := api.Home()
			if err != nil {
				return err
			}
			if _, _, err := config.Load(home, os.Environ()); err != nil {
				return err
			}
			for _, p := range config.Retired(home, os.Environ()) {
				fmt.Fprintf(a.err, "recollect: %v\n", p)
			}
			_, err = fmt.Fprintln(a.out, "the settings have no mistakes")
			return err
		},
	}
}

func newConfigShow(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show",
		Short:   "Print the settings in force",
		Example: `  recollect config show`,
		Args:    cli.Exactly(0, "config show takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.ask(cmd.Context(), func(ctx context.Context, c *api.Client) error {
				r, err := c.Config(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return cli.PrintJSON(a.out, r)
				}
				for _, line := range strings.Split(r.Problem, "\n") {
					if line != "" {
						fmt.Fprintf(a.err, "recollect: not in force: %s\n", line)
					}
				}
				_, err = fmt.Fprint(a.out, r.TOML)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
