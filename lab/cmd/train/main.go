// Train makes the models that are part of recollect. It is run by hand, through scripts/train. Its
// results are committed.
package main

import (
	"fmt"
	"io"
	"os"
)

const usage = `usage: train COMMAND [flags] ARGUMENTS

  embedder CORPUS OUT          train the built-in embedding model on a folder of text
  evaluate MODEL COLLECTION…   rank test collections by a model alone
  everyday OUT                 fit what tells everyday prompts from those about past work
  secrets FOLDER OUT           fit what finds secrets where no rule does; FOLDER has text without any
  sentences OUT                fit what says what a sentence does; OUT is the folder of the package
  synonyms OUT                 find the terms of the shipped synonyms
  relevance CORPUS BENCH OUT   fit the coefficients by which recall joins words and meaning

train COMMAND -help lists the flags.
`

// commands by name, one file each. A command writes results to stdout and its log to the writer.
var commands = map[string]func(args []string, log io.Writer) error{
	"embedder":  embedder,
	"evaluate":  evaluate,
	"everyday":  everyday,
	"secrets":   secrets,
	"sentences": sentences,
	"synonyms":  synonyms,
	"relevance": relevance,
}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}
