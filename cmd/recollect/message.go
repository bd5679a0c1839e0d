package main

// What a command says:
//   - results go to stdout, everything else to stderr;
//   - a message begins with "recollect:", in lower case, without a period;
//   - at most one hint follows, with a command that works.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"recollect/internal/api"
)

// printError writes what went wrong with the command cmd, a line for each
// part of it.
func printError(w io.Writer, err error, cmd *cobra.Command) {
	for _, line := range strings.Split(err.Error(), "\n") {
		fmt.Fprintf(w, "recollect: %s\n", line)
	}
	if hint := hintFor(err, cmd); hint != "" {
		fmt.Fprintf(w, "hint: %s\n", hint)
	}
}

// hintFor knows what to do about errors that users meet.
func hintFor(err error, cmd *cobra.Command) string {
	var usage usageError
	var status *api.StatusError
	var foreign *api.ForeignError
	switch {
	case errors.As(err, &usage):
		return "recollect help" + strings.TrimPrefix(cmd.CommandPath(), "recollect")
	case errors.As(err, &status) && status.Status == 404:
		return "recollect search WORDS finds ids"
	case cmd.Name() == "import" && errors.Is(err, os.ErrNotExist):
		return "recollect import PATH names transcripts; CLAUDE_CONFIG_DIR says where Claude Code keeps them"
	case errors.As(err, &foreign):
		return ownFolder
	case errors.Is(err, os.ErrPermission):
		return "recollect needs a data folder it can write to: set RECOLLECT_HOME, or mend the permissions of ~/.recollect"
	case errors.Is(err, api.ErrNoDaemon), errors.Is(err, context.DeadlineExceeded):
		return "recollect daemon run shows why the daemon does not answer"
	}
	return ""
}

// ownFolder is what to do where another user's folder or socket is in the way.
const ownFolder = "set RECOLLECT_HOME to a folder of your own with a short path"

// printJSON writes v as indented JSON.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// isTerminal reports whether a person watches w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
