// Package settings has the commands that check and show the settings, and choose the embedder.
package settings

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli/app"
	"recollect/internal/config"
)

// NewConfig returns the command config.
func NewConfig(a *app.App) *cobra.Command {
	return app.NewGroup("config", "Check or show the settings", `Your settings are config.toml and synonyms.toml in the data folder. Both are
optional, and override the shipped ones. A change applies from the next prompt on.`,
		newConfigCheck(a), newConfigShow(a))
}

func newConfigCheck(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "check",
		Short:   "Look for mistakes in the settings",
		Example: `  recollect config check`,
		RunE: func(*cobra.Command, []string) error {
			home, err := api.Home()
			if err != nil {
				return err
			}
			if _, _, err := config.Load(home, os.Environ()); err != nil {
				return err
			}
			for _, p := range config.Retired(home, os.Environ()) {
				fmt.Fprintf(a.Err, "recollect: %v\n", p)
			}
			_, err = fmt.Fprintln(a.Out, "the settings have no mistakes")
			return err
		},
	}
}

func newConfigShow(a *app.App) *cobra.Command {
	return app.AddJSONFlag(&cobra.Command{
		Use:     "show",
		Short:   "Print the settings in force",
		Example: `  recollect config show`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Show(cmd, a, askConfig, func(w io.Writer, r api.ConfigReply) error {
				for _, line := range strings.Split(r.Problem, "\n") {
					if line != "" {
						fmt.Fprintf(a.Err, "recollect: not in force: %s\n", line)
					}
				}
				_, err := fmt.Fprint(w, r.TOML)
				return err
			})
		},
	})
}

func askConfig(ctx context.Context, c *api.Client) (api.ConfigReply, error) { return c.Config(ctx) }

// readSettings returns the user's config.toml, and the settings that it makes.
func readSettings() (config.File, config.Config, error) {
	home, err := api.Home()
	if err != nil {
		return config.File{}, config.Config{}, err
	}
	file, err := config.ReadFile(home)
	if err != nil {
		return file, config.Config{}, err
	}
	c, err := config.Parse(file.Path, file.Text)
	return file, c, err
}

// inForce returns the settings that the daemon uses.
func inForce(ctx context.Context, a *app.App) (config.Config, error) {
	r, err := app.Get(ctx, a, askConfig)
	if err != nil {
		return config.Config{}, err
	}
	return config.Parse("settings of the daemon", r.TOML)
}
