package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/lab/bench"
)

// newCapture returns the command that measures extraction from transcripts.
func newCapture() *cobra.Command {
	var misses, asJSON bool
	cmd := &cobra.Command{
		Use:   "capture LABELS PLACE=DIR...",
		Short: "Measure what is extracted from transcripts against labelled turns",
		Long: `Extract memories from the transcripts of the folders, and compare those of the
turns in LABELS with what a person who read them wants to be remembered. A
label names the place of its transcript; those of other places are left out.

Precision is the share of the memories that are wanted, recall the share of the
wanted ones that are found. The speed is that of reading and extracting alone.`,
		Example: `  recollect-bench capture internal/capture/testdata/labelled.jsonl \
      made=internal/capture/testdata/labelled sample=testdata/transcripts/projects --misses`,
		Args: cli.AtLeast(2, "bench capture needs a file of labels and at least one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			places, err := placesOf(args[1:])
			if err != nil {
				return cli.Usage(err)
			}
			labels, err := bench.ReadLabels(args[0])
			if err != nil {
				return err
			}
			e, err := bench.RunCapture(cmd.Context(), labels, places)
			if err != nil {
				return err
			}
			if asJSON {
				return cli.PrintJSON(cmd.OutOrStdout(), e)
			}
			return e.Write(cmd.OutOrStdout(), misses)
		},
	}
	cmd.Flags().BoolVar(&misses, "misses", false, "list what was missed and what was wrong")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// placesOf parses named folders, each "name=folder".
func placesOf(args []string) (map[string]string, error) {
	places := map[string]string{}
	for _, arg := range args {
		name, dir, ok := strings.Cut(arg, "=")
		if !ok || name == "" || dir == "" {
			return nil, fmt.Errorf("place %q: must be a name and a folder, name=folder", arg)
		}
		if places[name] != "" {
			return nil, fmt.Errorf("place %q: is given twice", name)
		}
		places[name] = dir
	}
	return places, nil
}
