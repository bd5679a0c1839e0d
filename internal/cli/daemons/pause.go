package daemons

import (
	"cmp"
	"context"
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
	at app.Place
}

// thisFolder is the value of --project without one.
const thisFolder = "."

// NewPause returns the command pause.
func NewPause(a *app.App) *cobra.Command {
	var p pauseCommand
	cmd := &cobra.Command{
		Use:   "pause",
		Short: "Inject nothing and learn nothing for a while",
		Long: `Inject nothing and learn nothing until recollect unpause: anywhere, with --project
NAME in one project (a name, or a folder in it; without one, the project of this folder),
or with --session in one session. What is said in a
pause is not learned later either, also not by an import; the turn in which a pause
begins or ends counts as part of it. What you store yourself is stored, and what you
or Claude search for is found.

To leave a single session alone from its start, begin it with RECOLLECT_INCOGNITO=1,
which injects but never learns, or with RECOLLECT_CLEAN=1, which learns but injects
nothing.`,
		Example: `  recollect pause
  recollect pause --project
  recollect pause --project orders-api
  recollect pause --session 5d1f0c1a-2b3c-4d5e-8f90-a1b2c3d4e5f6
  recollect unpause --project
  RECOLLECT_INCOGNITO=1 claude`,
		RunE: func(cmd *cobra.Command, args []string) error { return setPause(a, cmd, p, args) },
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
  recollect unpause --project ~/src/orders-api`,
		RunE: func(cmd *cobra.Command, args []string) error { return setPause(a, cmd, p, args) },
	}
	return p.addFlags(cmd)
}

func (p *pauseCommand) addFlags(cmd *cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs // checked when the flags are known
	p.at.AddProjectFlag(cmd, "only one project")
	cmd.Flags().Lookup("project").NoOptDefVal = thisFolder
	cmd.Flags().StringVar(&p.at.Dir, "dir", "", "only the project of that `folder`")
	cmd.Flags().StringVar(&p.Session, "session", "", "only the session with this id")
	return app.AddJSONFlag(cmd)
}

// setPause begins or ends a pause, and prints the pauses that last.
func setPause(a *app.App, cmd *cobra.Command, p pauseCommand, args []string) error {
	if len(args) == 1 && p.at.Project == thisFolder {
		p.at.Project, args = args[0], nil // a flag whose value may be left out does not take the next word
	}
	switch {
	case len(args) > 0:
		return cli.Usage(fmt.Errorf("%s takes a project, after --project, and nothing else; a pause lasts until recollect unpause", cmd.Name()))
	case p.Session != "" && p.at != (app.Place{}), cmd.Flags().Changed("session") && p.Session == "":
		return cli.Usage(errors.New("--session needs the id of a session, and goes without --project and --dir"))
	}
	folder, project, err := p.at.Read()
	if err != nil {
		return err
	}
	ask := func(ctx context.Context, c *api.Client) (_ api.Paused, err error) {
		if p.Cwd, err = folderOf(ctx, c, p.at, folder, project); err != nil {
			return api.Paused{}, err
		}
		return c.Pause(ctx, p.Pause)
	}
	return app.Show(cmd, a, ask, func(w io.Writer, now api.Paused) error { return printOutcome(a, w, p.Pause, now) })
}

// folderOf returns a folder of the project that flags name, "" if they name none.
func folderOf(ctx context.Context, c *api.Client, at app.Place, folder, project string) (string, error) {
	switch {
	case at.Dir != "":
		return folder, nil
	case project == "" || filepath.IsAbs(project):
		return project, nil
	}
	homes, err := c.ProjectHomes(ctx)
	if err != nil {
		return "", err
	}
	var found []string
	for _, h := range homes.Projects {
		if h.Name == project && h.Path != "" {
			found = append(found, h.Path)
		}
	}
	if len(found) != 1 {
		return "", cli.Usage(fmt.Errorf("%s called %s have memories: name a folder, as in --project ~/src/%s", cli.Count(len(found), "project", "projects"), project, project))
	}
	return found[0], nil
}

// printOutcome prints the pauses that last, and what beginning or ending one came to.
func printOutcome(a *app.App, w io.Writer, asked api.Pause, now api.Paused) error {
	if len(now.Pauses) == 0 {
		return cli.Fold(w, cli.Span{}, outcomeOf(asked, now))
	}
	if err := printPaused(w, now.Pauses); err != nil {
		return err
	}
	cli.Warn(a.Err, outcomeOf(asked, now))
	return nil
}

// outcomeOf returns what beginning or ending a pause came to, and what undoes it.
func outcomeOf(asked api.Pause, now api.Paused) string {
	switch {
	case !asked.End:
		return "nothing is injected or learned there; recollect unpause with the same flags ends it"
	case now.Changed && len(now.Pauses) == 0:
		return "the pause has ended: memories are injected and sessions learned again"
	case now.Changed:
		return "that pause has ended; what is listed is still paused"
	case len(now.Pauses) > 0:
		return "that was not paused by itself; what is listed still is"
	}
	return "nothing was paused"
}

func printPaused(w io.Writer, paused []api.PauseState) error {
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
