// Bench measures recall and capture, for people who change them. scripts/bench builds it; it is not part
// of a release.
package main

import (
	"os"

	"recollect/internal/cli"
)

func main() {
	os.Exit(cli.Run(newCollection(), os.Args[1:], nil))
}
