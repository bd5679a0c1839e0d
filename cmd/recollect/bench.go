package main

import (
	"errors"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
)

// newBench names the command that replaced this one.
func newBench(*app) *cobra.Command {
	return &cobra.Command{
		Use:                "bench",
		Short:              "Moved to recollect-bench, a command for developers",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return cli.Usage(errors.New("bench is a command of its own now: recollect-bench"))
		},
	}
}
