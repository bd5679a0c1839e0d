//go:build !manual

// Recollect is the daemon and the commands that a user types.
package main

import (
	"os"

	"recollect"
)

func main() {
	os.Exit(run(os.Args[1:], terminal{os.Stdin, os.Stdout, os.Stderr}, recollect.Version()))
}
