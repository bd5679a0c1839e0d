package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// speak says the lines of a file to `recollect mcp`, each after the answer to
// the one before, and writes the answers to another file: speak FILE REPLIES.
func speak(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: speak FILE REPLIES")
	}
	exe, err := exec.LookPath("recollect")
	ts.Check(err)
	cmd := exec.Command(exe, "mcp")
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "RECOLLECT_HOME", "RECOLLECT_CLEAN", "RECOLLECT_INCOGNITO", "PATH", "GORACE"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	var errs strings.Builder
	cmd.Stderr = &errs
	ts.Check(cmd.Start())
	replies, r := "", bufio.NewReader(out)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		_, err := io.WriteString(in, line)
		ts.Check(err)
		if !strings.Contains(line, `"id":`) {
			continue // a notification
		}
		reply, err := r.ReadString('\n')
		replies += reply
		ts.Check(err)
	}
	ts.Check(in.Close())
	ts.Check(cmd.Wait())
	if errs.Len() > 0 {
		ts.Fatalf("stderr: %s", errs.String())
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(replies), 0o600))
}
