package main

import (
	"errors"
	"flag"
	"io"
	"os"

	"recollect/lab/embedding"
)

// embedder trains the built-in embedding model.
func embedder(args []string, log io.Writer) error {
	s := embedding.Defaults()
	flags := flag.NewFlagSet("embedder", flag.ContinueOnError)
	flags.IntVar(&s.Words, "words", s.Words, "rows for the most frequent words")
	flags.IntVar(&s.Buckets, "buckets", s.Buckets, "rows for n-grams")
	flags.IntVar(&s.Dims, "dims", s.Dims, "dimensions, a multiple of 16")
	flags.IntVar(&s.Batch, "batch", s.Batch, "pairs a step, a multiple of 16")
	flags.IntVar(&s.Main.Steps, "steps", s.Main.Steps, "steps of the main stage")
	flags.Float64Var(&s.Main.Rate, "rate", s.Main.Rate, "step size at its start")
	flags.Float64Var(&s.Main.Mask, "mask", s.Main.Mask, "share of its queries that lose shared words")
	branch := flags.Int("branch-steps", s.Branches[0].Steps, "steps of each branch, 0 for none")
	flags.StringVar(&s.Save, "save", "", "write a checkpoint after the main stage")
	flags.StringVar(&s.Resume, "resume", "", "begin behind the main stage, from a checkpoint")
	flags.Float64Var(&s.Written, "written", s.Written, "share of the written text to train on, for a learning curve")
	flags.Uint64Var(&s.Seed, "seed", s.Seed, "start of all random numbers")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 2 {
		return errors.New("usage: train embedder [flags] CORPUS OUT")
	}
	for i := range s.Branches {
		s.Branches[i].Steps = *branch
	}
	if *branch == 0 {
		s.Branches = nil
	}
	model, err := embedding.Embedder(flags.Arg(0), embedding.Written(), s, log)
	if err != nil {
		return err
	}
	return os.WriteFile(flags.Arg(1), model, 0o644)
}
