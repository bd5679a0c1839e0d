package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"recollect/internal/api"
)

// hint knows what to do about errors that users meet.
func hint(err error, cmd *cobra.Command) string {
	var status *api.StatusError
	var foreign *api.ForeignError
	switch {
	case cmd.Name() == "bench":
		return "recollect-bench help (scripts/build makes it from the sources)"
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

// isTerminal reports whether a person watches w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
