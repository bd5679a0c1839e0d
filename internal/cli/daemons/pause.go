package daemons

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// A pauseCommand is the command line of pause or unpause.
type pauseCommand struct {
	api.Pause
	project bool
	dir     string
}

// NewPause returns the command pause.
func NewPause(a *app.App) *cobra.Command {
	var p pauseCommand
	cmd := &cobra.Command{
		Use:   "pause",
		Short: "Inject nothing and learn nothing for a while",
		Long: `Inject nothing and learn nothing until recollect unpause: anywhere, with --project
in the project of this folder, or with --session in one session. What is said in a
pause is not learned later either, also not by an import; the turn in which a pause
begins or ends counts as part of it. What you store yourself is stored, and what you
or Claude search for is found.

To leave a single session alone from its start, begin it with RECOLLECT_INCOGNITO=1,
which injects but never learns, or with RECOLLECT_CLEAN=1, which learns but injects
nothing.`,
		Example: `  recollect pause
  recollect pause --project
  recollect pause --session 5d1f0c1a-2b3c-4d5e-8f90-a1b2c3d4e5f6
  recollect unpause --project
  RECOLLECT_INCOGNITO=1 claude`,
		RunE: func(cmd *cobra.Command, _ []string) error { return setPause(a, cmd, p) },
	}
	return p.addFlags(cmd)
}

// NewUnpause returns the command unpause.
func NewUnpause(a *app.App) *cobra.Command {
	p := pauseCommand{Pause: api.Pause{End: true}}
	cmd := &cobra.Command{
		Use:   "unpause",
		Short: "End a pause",
		Long: `End the pause that recollect pause began with the same flags. What was said in it
is never learned.`,
		Example: `  recollect unpause
  recollect unpause --project --dir ~/src/orders-api`,
		RunE: func(cmd *cobra.Command, _ []string) error { return setPause(a, cmd, p) },
	}
	return p.addFlags(cmd)
}

func (p *pauseCommand) addFlags(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&p.project, "project", false, "only the project of this folder")
	cmd.Flags().StringVar(&p.dir, "dir", "", "only the project of that folder")
	cmd.Flags().StringVar(&p.Session, "session", "", "only the session with this id")
	return app.AddJSONFlag(cmd)
}

// setPause begins or ends a pause, and prints the pauses that last.
func setPause(a *app.App, cmd *cobra.Command, p pauseCommand) (err error) {
	switch {
	case p.Session != "" && (p.project || p.dir != ""), cmd.Flags().Changed("session") && p.Session == "":
		return cli.Usage(errors.New("--session needs the id of a session, and goes without --project and --dir"))
	case p.dir != "":
		if p.Cwd, err = filepath.Abs(p.dir); err != nil {
			return fmt.Errorf("find folder %s: %w", p.dir, err)
		}
	case p.project:
		if p.Cwd = app.WorkingDir(); p.Cwd == "" {
			return errors.New("this folder no longer exists, so it is in no project")
		}
	}
	return app.Show(cmd, a, api.With((*api.Client).Pause, p.Pause), func(w io.Writer, now api.Paused) error {
		if err := printPaused(w, now.Pauses); err != nil {
			return err
		}
		cli.Warn(a.Err, outcomeOf(p.Pause, now))
		return nil
	})
}

// outcomeOf returns what beginning or ending a pause came to, and what undoes it.
func outcomeOf(asked api.Pause, now api.Paused) string {
	switch {
	case !asked.End:
		return "nothing is injected or learned there; recollect unpause with the same flags ends it"
	case now.Changed && len(now.Pauses) == 0:
		return "memories are injected and sessions learned again"
	case now.Changed:
		return "that pause has ended; what is listed is still paused"
	case len(now.Pauses) > 0:
		return "that was not paused by itself; what is listed still is"
	}
	return "that was not paused"
}

func printPaused(w io.Writer, paused []api.PauseState) error {
	if len(paused) == 0 {
		_, err := fmt.Fprintln(w, "nothing is paused")
		return err
	}
	for _, p := range paused {
		if _, err := fmt.Fprintf(w, "paused    %s\n", pauseLine(p)); err != nil {
			return err
		}
	}
	return nil
}

func pauseLine(p api.PauseState) string {
	what := "everything"
	if p.Session != "" {
		what = "session " + p.Session
	} else if name := cmp.Or(p.Path, p.Project); name != "" {
		what = "project " + name
	}
	return what + " since " + p.Since.Local().Format(time.DateTime)
}
