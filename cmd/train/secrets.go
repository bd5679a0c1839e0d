package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"recollect/internal/secret/judge/train"
)

// secrets fits the weights by which secrets are found that no rule finds, and prints how well they
// do.
func secrets(args []string, _ io.Writer) error {
	flags := flag.NewFlagSet("secrets", flag.ContinueOnError)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 3 {
		return errors.New("usage: train secrets CORPUS FOLDER OUT")
	}
	texts, err := train.Read(train.Written())
	if err != nil {
		return err
	}
	ordinary, err := train.Ordinary(flags.Arg(0), os.DirFS(flags.Arg(1)))
	if err != nil {
		return fmt.Errorf("read ordinary text: %w", err)
	}
	if err := train.Report(os.Stdout, texts, ordinary); err != nil {
		return err
	}
	return train.Write(flags.Arg(2), append(texts, ordinary...))
}
