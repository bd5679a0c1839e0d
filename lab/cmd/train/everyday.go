package main

import (
	"errors"
	"flag"
	"io"
	"os"

	"recollect/lab/embedding"
	"recollect/lab/fit"
)

// everyday fits the model that distinguishes everyday prompts from those about past work, and prints how
// well it does.
func everyday(args []string, _ io.Writer) error {
	flags := flag.NewFlagSet("everyday", flag.ContinueOnError)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("usage: train everyday OUT")
	}
	prompts, err := fit.ReadPrompts(embedding.Written(), fit.WrittenPrompts())
	if err != nil {
		return err
	}
	m, err := fit.Everyday(prompts)
	if err != nil {
		return err
	}
	if err := fit.ReportEveryday(os.Stdout, m, prompts); err != nil {
		return err
	}
	return fit.WriteEveryday(flags.Arg(0), m)
}
