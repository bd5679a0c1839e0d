package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"recollect/lab/embedding"
)

// evaluate prints how well a model alone ranks test collections.
func evaluate(args []string, log io.Writer) error {
	flags := flag.NewFlagSet("evaluate", flag.ContinueOnError)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 2 {
		return fmt.Errorf("usage: train evaluate MODEL COLLECTION…")
	}
	data, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	for _, dir := range flags.Args()[1:] {
		result, err := embedding.Evaluate(data, dir)
		if err != nil {
			return err
		}
		fmt.Printf("%-20s %s\n", filepath.Base(dir), result)
	}
	return nil
}
