package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// With -race each process would sleep for a second before it ends.
const noRaceSleep = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", noRaceSleep)
	testscript.Main(m, map[string]func(){"recollect-bench": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("RECOLLECT_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("GORACE", noRaceSleep)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// status runs a command that must end with a given status:
//
//	status N COMMAND [ARG ...]
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND [ARG ...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("%v ended with %v, want status %s", args[1:], err, args[0])
	}
}
