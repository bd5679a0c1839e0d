package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"

	"recollect/lab/classifier"
)

// secrets fits the weights of the classifier for secrets that no rule finds, and prints how well they do.
func secrets(args []string, _ io.Writer) error {
	flags := flag.NewFlagSet("secrets", flag.ContinueOnError)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 3 {
		return errors.New("usage: train secrets CORPUS OUT FOLDER [FOLDER ...]")
	}
	texts, err := classifier.Read(classifier.Written())
	if err != nil {
		return err
	}
	var folders []fs.FS
	for _, dir := range flags.Args()[2:] {
		folders = append(folders, os.DirFS(dir))
	}
	ordinary, err := classifier.Ordinary(flags.Arg(0), folders)
	if err != nil {
		return fmt.Errorf("read ordinary text: %w", err)
	}
	if err := classifier.Report(os.Stdout, texts, ordinary); err != nil {
		return err
	}
	return classifier.Write(flags.Arg(1), append(texts, ordinary...))
}
