package main

import (
	"errors"
	"flag"
	"io"

	"recollect/lab/sentence"
)

// sentences fits the model of package text/sentence.
func sentences(args []string, log io.Writer) error {
	flags := flag.NewFlagSet("sentences", flag.ContinueOnError)
	report := flags.Bool("report", false, "leave each writer out once, and print how well their sentences are read")
	if err := flags.Parse(args); err != nil {
		return err
	}
	written, err := sentence.Written()
	switch {
	case err != nil:
		return err
	case *report:
		sentence.Report(log, written)
		return nil
	case flags.NArg() != 1:
		return errors.New("sentences needs a folder")
	}
	return sentence.Write(flags.Arg(0), written)
}
