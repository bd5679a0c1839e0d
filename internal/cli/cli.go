// Package cli has what all commands share: how they run, print and end.
//
//   - Results go to standard output, everything else to standard error. Neither
//     can control the terminal: see Plain.
//   - A message begins with "recollect:", in lower case, without a period.
//   - At most one hint follows, with a command that works.
//   - The exit status is 0 when all went well, 1 when the command failed, and
//     2 when the command line cannot be understood.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit statuses, which the help text explains.
const (
	exitFine   = 0
	exitFailed = 1
	exitUsage  = 2
)

// A Hint returns what to do about an error of cmd, or "". After a usage error,
// "" stands for reading the help.
type Hint func(err error, cmd *cobra.Command) string

// Run executes root with args and returns the exit status. An interrupt ends
// the command's context. hint may be nil.
func Run(root *cobra.Command, args []string, hint Hint) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return Usage(flagError(cmd, err)) })
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	checkGenerated(root)
	foldHelp(root)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitFine
	}
	printError(cmd, err, hint)
	if isUsage(err) {
		return exitUsage
	}
	return exitFailed
}

// A usageError is a command line that cannot be understood. It does not unwrap,
// so that the only hint is to read the help.
type usageError struct{ error }

// Usage marks err as a mistake in the command line.
func Usage(err error) error { return usageError{err} }

func isUsage(err error) bool {
	var usage usageError
	return errors.As(err, &usage)
}

// Exactly is cobra.ExactArgs with our exit status and message.
func Exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if n == 0 && len(args) > 0 && cmd.HasAvailableSubCommands() {
			return UnknownCommand(cmd, args[0])
		}
		if len(args) != n {
			return Usage(fmt.Errorf("%s given, %s", Count(len(args), "argument", "arguments"), what))
		}
		return nil
	}
}

// AtLeast is cobra.MinimumNArgs with our exit status and message.
func AtLeast(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < n {
			return Usage(errors.New(what))
		}
		return nil
	}
}

// Warn writes a message that does not end the command.
func Warn(w io.Writer, message string) {
	Fold(w, Span{}, "recollect: "+message)
}

// printError writes an error of cmd, each of its lines as a message, and a hint.
func printError(cmd *cobra.Command, err error, hint Hint) {
	w := cmd.ErrOrStderr()
	for line := range strings.SplitSeq(err.Error(), "\n") {
		Warn(w, line)
	}
	advice := ""
	if hint != nil {
		advice = hint(err, cmd)
	}
	if advice == "" && isUsage(err) {
		root := cmd.Root().Name()
		advice = root + " help" + strings.TrimPrefix(cmd.CommandPath(), root)
	}
	if advice != "" {
		fmt.Fprintf(w, "hint: %s\n", Runnable(cmd.Root(), advice))
	}
}
