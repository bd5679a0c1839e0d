// Recollect-hook is the executable behind every entry of hooks.json. It reads
// a hook event from stdin, asks the daemon, and prints what is to be injected
// into Claude's context. It always ends with status 0.
package main

import (
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"recollect"
	"recollect/internal/hook"
)

func main() {
	began := time.Now()
	signal.Ignore(syscall.SIGPIPE) // the program that started the hook may not wait for its output
	debug.SetGCPercent(-1)         // the process ends before a garbage collection would be useful
	hook.Main(began, recollect.Version(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, func() { os.Exit(0) })
}
