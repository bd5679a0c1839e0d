package main

import (
	"errors"
	"flag"
	"io"
	"os"

	"recollect"
	"recollect/internal/recall/terms"
)

// synonyms writes the table of the shipped synonyms, from synonyms.toml and the folder synonyms.
func synonyms(args []string, _ io.Writer) error {
	flags := flag.NewFlagSet("synonyms", flag.ContinueOnError)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("usage: train synonyms OUT")
	}
	table, err := terms.SynonymTable(recollect.Synonyms)
	if err != nil {
		return err
	}
	return os.WriteFile(flags.Arg(0), []byte(table), 0o644)
}
