// Recollect-hook is the executable behind every entry of hooks.json. It reads
// a hook event from stdin, asks the daemon, and prints what should be injected
// into Claude's context, if anything. It always ends with status 0.
package main

import (
	"os"
	"runtime/debug"
	"time"

	"recollect"
	"recollect/internal/hook"
)

func main() {
	began := time.Now()
	debug.SetGCPercent(-1) // the process ends before a garbage collection would be useful
	hook.Main(began, recollect.Version(), os.Stdin, os.Stdout, os.Stderr)
}
