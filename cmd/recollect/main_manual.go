//go:build manual

// With the build tag manual, this program writes the manual pages and the completions for a release:
// go run -tags manual ./cmd/recollect DIR
package main

import (
	"fmt"
	"os"

	"recollect"
	"recollect/internal/cli/app"
	"recollect/internal/cli/manual"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run -tags manual ./cmd/recollect DIR")
		os.Exit(2)
	}
	version := recollect.Version()
	root := newRoot(app.Terminal{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, version)
	if err := manual.Write(root, version, os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "recollect: %v\n", err)
		os.Exit(1)
	}
}
