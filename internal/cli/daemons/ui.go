package daemons

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/cli/ui"
)

// terminalPoll is how often awaitEnd checks that the terminal still exists.
const terminalPoll = time.Second

// NewUI returns the command ui.
func NewUI(a *app.App) *cobra.Command {
	var port int
	var open bool
	cmd := &cobra.Command{
		Use:   "ui",
		Short: "Show the memories on a local web page",
		Long: `Serve a web page over the memories, for this machine and this user alone, until
Ctrl-C, or until the terminal or standard input ends. It shows what would be
injected with a prompt and why, the memories by time, what was injected into past
sessions, decisions, numbers by day, and what other weights of the ranking would
change. Memories can be edited, superseded and forgotten there, and those that wait
for your review approved or rejected.

The address that is printed works once: it gives the browser a key, without which
nobody is let in. On a machine with other users, paste it instead of using --open:
while the browser starts, the others can see its arguments.`,
		Example: `  recollect ui
  recollect ui --open
  recollect ui --port 8790`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if port < 0 || port > 65535 {
				return cli.Usage(fmt.Errorf("port %d: must be between 0 and 65535", port))
			}
			return serveUI(cmd.Context(), a, port, open)
		},
	}
	cmd.Flags().IntVar(&port, "port", 0, "port to listen on (default: any that is free)")
	cmd.Flags().BoolVar(&open, "open", false, "open the page in the browser")
	return cmd
}

func serveUI(ctx context.Context, a *app.App, port int, open bool) error {
	// If the daemon does not answer, the error is reported here, where it gets a hint.
	if err := a.Ask(ctx, func(context.Context, *api.Client) error { return nil }); err != nil {
		return err
	}
	client, err := a.Client()
	if err != nil {
		return err
	}
	page, err := ui.Open(client, app.WorkingDir(), port)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(a.Out, page.URL()); err != nil {
		return err
	}
	cli.Warn(a.Err, "the address opens the page once, for this browser; an interrupt (Ctrl-C) ends it")
	if open {
		if err := openBrowser(ctx, page.URL()); err != nil {
			cli.Warn(a.Err, err.Error())
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // it may last as long as this process, because a read cannot be interrupted
		awaitEnd(ctx, a.In)
		stop()
	}()
	return page.Run(ctx)
}

// awaitEnd waits until the input of the command has ended: until the other end of a pipe is closed,
// or a terminal is gone. It does not read from a terminal, because the shell would stop a command
// in the background that does. A device such as /dev/null never ends.
func awaitEnd(ctx context.Context, in io.Reader) {
	f, ok := in.(*os.File)
	if ok && !term.IsTerminal(int(f.Fd())) {
		if fi, err := f.Stat(); err == nil && fi.Mode()&os.ModeCharDevice != 0 {
			<-ctx.Done()
			return
		}
		ok = false
	}
	if !ok {
		io.Copy(io.Discard, in) // an error ends the input too
		return
	}
	tick := time.NewTicker(terminalPoll)
	defer tick.Stop()
	for term.IsTerminal(int(f.Fd())) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func openBrowser(ctx context.Context, address string) error {
	command := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		command = []string{"open"}
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), command[0], append(command[1:], address)...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open browser: %w", err)
	}
	go cmd.Wait() // only to release the process; its status does not matter
	return nil
}
