// Bench measures recall and capture, for those who change them: scripts/build
// makes it bin/recollect-bench, and no release has it.
package main

import (
	"os"

	"recollect/internal/cli"
)

func main() {
	os.Exit(cli.Run(newCollection(), os.Args[1:], nil))
}
