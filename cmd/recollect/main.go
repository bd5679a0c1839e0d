//go:build !manual

// Recollect is the daemon and the commands that a user types.
package main

import (
	"os"

	"recollect"
	"recollect/internal/cli/app"
)

func main() {
	os.Exit(runCommand(os.Args[1:], app.Terminal{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, recollect.Version()))
}
