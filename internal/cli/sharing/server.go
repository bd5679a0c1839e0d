package sharing

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

func newTeamJoin(a *app.App) *cobra.Command {
	return newServerCommand(a, api.ServerJoin, &cobra.Command{
		Use:   "join",
		Short: "Get what is shared of this project over the team's server",
		Long: `Get from now on what the members of your team share of this repository over their
server, which team.url in config.toml names. The project is known by the address of its
remote origin. Nothing of yours leaves by this: recollect share --server does that.`,
		Example: "  recollect team join\n  recollect team server",
	})
}

func newTeamLeave(a *app.App) *cobra.Command {
	return newServerCommand(a, api.ServerLeave, &cobra.Command{
		Use:   "leave",
		Short: "Get no more of this project from the team's server",
		Long: `Get no more of this repository from the team's server, and delete on this machine what
came from there. What you shared stays with your team, until you withdraw it.`,
		Example: "  recollect team leave",
	})
}

func newTeamServer(a *app.App) *cobra.Command {
	return newServerCommand(a, "", &cobra.Command{
		Use:     "server",
		Short:   "Show how the team's server stands, and what was joined",
		Example: "  recollect team server --json",
	})
}

func newTeamWithdraw(a *app.App) *cobra.Command {
	cmd := newServerCommand(a, api.ServerWithdraw, &cobra.Command{
		Use:   "withdraw ID …",
		Short: "Take back what you shared over the team's server",
		Long: `Take back what you shared of this repository over the team's server, by the ids of your
own memories. It leaves all members as soon as their machines reach the server.`,
		Example: "  recollect team withdraw dec-5f0c1a2b3c4d",
	})
	cmd.Args, cmd.ValidArgsFunction = cli.AtLeast(1, "team withdraw needs an id"), a.CompleteIDs("", true)
	return cmd
}

// newServerCommand completes a command that carries out the action do on the team's server.
func newServerCommand(a *app.App, do string, cmd *cobra.Command) *cobra.Command {
	var at app.Place
	cmd.RunE = func(cmd *cobra.Command, ids []string) error {
		dir, err := at.Folder()
		if err != nil {
			return err
		}
		return app.Show(cmd, a.Patient(), askServer(api.TeamServer{Cwd: dir, Do: do, IDs: ids}), printServer)
	}
	return addTeamFlags(cmd, &at)
}

// askServer returns the question that carries out an action on the team's server.
func askServer(in api.TeamServer) api.Question[api.TeamServerState] {
	return func(ctx context.Context, c *api.Client) (state api.TeamServerState, err error) {
		whole := in
		if whole.IDs, err = app.WholeIDs(ctx, c, in.IDs); err != nil {
			return state, err
		}
		return c.TeamServer(ctx, whole)
	}
}

func printServer(w io.Writer, s api.TeamServerState) error {
	switch {
	case s.URL == "":
		fmt.Fprintln(w, "no server is set: team.url in config.toml names it")
	case s.Connected:
		fmt.Fprintf(w, "%s: connected as %s\n", s.URL, s.Member)
	case s.Problem != "":
		fmt.Fprintf(w, "%s: not connected as %s: %s\n", s.URL, s.Member, s.Problem)
	default:
		fmt.Fprintf(w, "%s: not connected yet as %s\n", s.URL, s.Member)
	}
	if s.Waiting > 0 {
		fmt.Fprintf(w, "%s to be sent\n", cli.Count(s.Waiting, "memory waits", "memories wait"))
	}
	for _, p := range s.Projects {
		fmt.Fprintf(w, "%s: %s", p.Project, cli.Count(p.Memories, "memory", "memories"))
		if !p.Last.IsZero() {
			fmt.Fprintf(w, ", the last sent %s", p.Last.Local().Format(time.DateTime))
		}
		if p.Refused != "" {
			fmt.Fprintf(w, "; the server does not let you %s it", p.Refused)
		}
		fmt.Fprintf(w, "\n    subject %s\n", p.Subject)
	}
	if s.URL != "" && len(s.Projects) == 0 {
		fmt.Fprintln(w, "no project was joined: recollect team join")
	}
	return nil
}

// sendShared sends the files that the user was shown over the team's server.
func sendShared(cmd *cobra.Command, a *app.App, s shareCommand, would api.Shared) error {
	var files []api.SharedFile
	for _, f := range would.Files {
		if !f.There {
			files = append(files, f)
		}
	}
	state, err := app.Get(cmd.Context(), a.Patient(), askServer(api.TeamServer{Cwd: s.Cwd, Do: api.ServerShare, Files: files}))
	if err != nil {
		return err
	}
	return app.Print(cmd, a, would, func(w io.Writer, _ api.Shared) error {
		for _, f := range files {
			fmt.Fprintln(w, f.ID)
		}
		if !state.Connected {
			fmt.Fprintln(a.Err, "hint: the server is not connected; recollect team server shows when it was sent")
		}
		return nil
	})
}
