// Bench measures recall and capture, for those who change them: scripts/bench
// builds it, and no release has it.
package main

import (
	"os"

	"recollect/internal/cli"
)

func main() {
	os.Exit(cli.Run(newCollection(), os.Args[1:], nil))
}
