package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"

	"recollect/internal/recall"
	"recollect/lab/fit"
)

// relevance fits the coefficients of recall's relevance and prints how well they rank.
func relevance(args []string, log io.Writer) error {
	flags := flag.NewFlagSet("relevance", flag.ContinueOnError)
	cases := flags.String("cases", "", "folder that keeps the sets' candidates, so that fitting again takes seconds; empty it when a feature is computed anew")
	curves := flags.String("curves", "", "SVG `file` for how often what seems relevant is right, by size of store")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 3 {
		return errors.New("usage: train relevance [flags] CORPUS BENCH OUT")
	}
	names, builtin, words, other := recall.FeatureNames(), fit.Builtin(), fit.Words(), fit.Other()
	if err := fit.Check(names, builtin, words, other); err != nil {
		return err
	}
	g := fit.Gatherer{Corpus: flags.Arg(0), Bench: flags.Arg(1), Cases: *cases, Log: log}
	sets, err := g.Sets(context.Background())
	if err != nil {
		return err
	}
	fused, err := fit.Train(sets, names, builtin)
	if err != nil {
		return err
	}
	alone, err := fit.Train(sets, names, words)
	if err != nil {
		return err
	}
	scaleFree, err := fit.Train(sets, names, other)
	if err != nil {
		return err
	}
	if err := errors.Join(fit.Coefficients(os.Stdout, names, fused, alone), fit.Report(os.Stdout, sets, names, fused, alone)); err != nil {
		return err
	}
	if *curves != "" {
		all, err := fit.Calibration(sets, names, builtin)
		if err != nil {
			return err
		}
		if err := fit.WriteCurves(*curves, all); err != nil {
			return err
		}
	}
	return fit.Write(flags.Arg(2), names, []fit.Kind{builtin, words, other}, []*fit.Model{fused, alone, scaleFree})
}
