package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

const (
	// segmentIn is how long the status line waits for the daemon. It is soon drawn again.
	segmentIn = 100 * time.Millisecond
	// maxStatusInput is the most that is read of Claude Code's input to a status line, in bytes.
	maxStatusInput = 1 << 20
	// segmentWidth is how much of what a memory says is in the status line, in columns.
	segmentWidth = 40
	// segmentMark begins our segment of a status line.
	segmentMark = "⟲"
)

// NewStatusline returns the command statusline.
func NewStatusline(a *app.App) *cobra.Command {
	var after string
	cmd := &cobra.Command{
		Use:   "statusline",
		Short: "Print what was injected with the last prompt, for Claude Code's status line",
		Long: `Print what was injected with the last prompt of a session, for Claude Code's status
line: what the first memory says, how many more there are, their tokens, and the time that
it took; or "` + segmentMark + ` –" if nothing was, and "` + segmentMark + ` paused" in a pause. Until a prompt brings
something it is what the session began with. Claude Code passes the session on standard input. It prints nothing if
no daemon answers, starts none, and always ends with status 0.

With --after, it runs another status line command, with the same input, and prints
its own part behind what that prints. "recollect statusline install" sets that up.`,
		Example: `  recollect statusline install
  recollect statusline --after '~/.claude/statusline.sh'
  recollect statusline uninstall`,
		Args: cli.Exactly(0, "statusline takes none, or install or uninstall"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			printStatusline(cmd.Context(), a, after)
			return nil
		},
	}
	cmd.Flags().StringVar(&after, "after", "", "status line command to run first")
	cmd.AddCommand(newStatuslineInstall(a), newStatuslineUninstall(a))
	return cmd
}

// printStatusline prints the status line. It leaves out a part that fails.
func printStatusline(ctx context.Context, a *app.App, after string) {
	var in []byte
	if !app.IsTerminal(a.In) {
		in, _ = io.ReadAll(io.LimitReader(a.In, maxStatusInput))
	}
	ours := make(chan string, 1)
	go func() { ours <- makeSegment(ctx, a, in) }()
	theirs := ""
	if after != "" {
		theirs = runBefore(ctx, a, after, in)
	}
	if line := joinSegments(theirs, <-ours); line != "" {
		fmt.Fprintln(app.Unfiltered(a.Out), line) // keeps the colors of the other command
	}
}

// joinSegments appends our segment to the last line of another status line.
func joinSegments(theirs, ours string) string {
	theirs = strings.TrimRight(theirs, "\r\n")
	if theirs == "" || ours == "" {
		return theirs + ours
	}
	if strings.Contains(theirs, "\x1b[") {
		theirs += "\x1b[0m"
	}
	return theirs + "  " + ours
}

// makeSegment returns our segment of the status line, "" if the daemon does not answer.
func makeSegment(ctx context.Context, a *app.App, in []byte) string {
	client, err := a.Client()
	session := sessionOf(in)
	if err != nil || session == "" || os.Getenv("RECOLLECT_DISABLE") != "" {
		return ""
	}
	client.Version = "" // a status line should not replace an older daemon
	ctx, cancel := context.WithTimeout(ctx, segmentIn)
	defer cancel()
	last, err := client.Recalls(ctx, api.AskRecalls{Session: session})
	if err != nil {
		return ""
	}
	switch {
	case last.Paused:
		return segmentMark + " paused"
	case len(last.Recalls) == 0 || last.Recalls[0].Injected == 0:
		return segmentMark + " –"
	}
	r := last.Recalls[0]
	return fmt.Sprintf("%s %s · %d tok · %.0f ms", segmentMark, app.NameInjected(r, segmentWidth), r.Tokens, math.Ceil(r.Took))
}

// sessionOf returns the id of the session in Claude Code's input to a status line, "" if there is none.
func sessionOf(in []byte) string {
	var session struct {
		ID string `json:"session_id"`
	}
	if json.Unmarshal(in, &session) != nil {
		return ""
	}
	return session.ID
}

// runBefore runs the user's own status line command.
func runBefore(ctx context.Context, a *app.App, command string, in []byte) string {
	name, args := shellFor(command)
	cmd := exec.CommandContext(ctx, name, args...)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, a.Err
	cmd.Run() // only its output counts
	return out.String()
}
