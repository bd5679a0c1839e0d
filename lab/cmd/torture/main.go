//go:build linux

// Torture ill-treats an installation of recollect for some minutes, as several
// users at once would and as a machine can, and counts what must never happen.
// scripts/torture builds what it needs.
package main

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
)

func main() {
	os.Exit(cli.Run(newCommand(), os.Args[1:], nil))
}

func newCommand() *cobra.Command {
	minutes, p := 20*time.Minute, plan{seed: 1, hookLimit: 2 * time.Second, settle: time.Minute}
	cmd := &cobra.Command{
		Use:   "torture BIN",
		Short: "Ill-treat the executables in the folder BIN, and count what must never happen",
		Args:  cli.Exactly(1, "a folder with the executables"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.end = time.Now().Add(time.Duration(faultShare * float64(minutes)))
			p.prompts = int(minutes.Minutes() * promptsPerMinute)
			return run(p, args[0], cmd.OutOrStdout())
		},
	}
	cmd.Flags().DurationVar(&minutes, "time", minutes, "how long, with the soak at its end")
	cmd.Flags().Uint64Var(&p.seed, "seed", p.seed, "start of the random numbers")
	return cmd
}

const (
	// faultShare is the part of the time after which faults end and the soak begins. The soak takes as
	// long as its prompts do.
	faultShare = 0.8
	// promptsPerMinute are those of the soak, for each minute of the whole.
	promptsPerMinute = 2500
)

// A plan says how much is done.
type plan struct {
	rounds  int       // of faults, at least
	end     time.Time // until when there are more
	prompts int       // of the soak
	seed    uint64

	hookLimit time.Duration // when Claude Code gives up on a hook (hooks.json)
	settle    time.Duration // how long the daemon may take to be ready after a fault
}

// run does all of it, prints the counts, and fails if one that must be zero is not.
func run(p plan, bin string, out io.Writer) error {
	in, err := install(bin)
	if err != nil {
		return err
	}
	t := newTorture(p, in)
	err = errors.Join(t.rounds(), t.finish())
	if err == nil {
		err = t.soak(p.prompts)
	}
	if err != nil {
		err = errors.Join(err, in.keepLog(out))
	}
	t.stop()
	t.print(out)
	return errors.Join(err, in.remove(), t.verdict())
}
