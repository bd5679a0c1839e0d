//go:build linux

// Torture maltreats an installation of recollect for some minutes, as several users and a faulty machine
// would, and counts what must never happen. scripts/torture builds the executables that it needs.
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
	// faultShare is the share of the time after which faults end and the soak begins. The soak lasts
	// until its prompts are answered.
	faultShare = 0.8
	// promptsPerMinute is the number of the soak's prompts for each minute of the whole run.
	promptsPerMinute = 2500
)

// A plan says how much to do.
type plan struct {
	rounds  int       // least number of faults
	end     time.Time // faults go on until then
	prompts int       // prompts of the soak
	seed    uint64

	hookLimit time.Duration // time after which Claude Code gives up on a hook (hooks.json)
	settle    time.Duration // time in which the daemon must be ready after a fault
}

// run carries out the plan, prints the counts, and fails if one that must be zero is not.
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
