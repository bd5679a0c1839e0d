package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/agents/imports"
	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/cli/backups"
	"recollect/internal/cli/guards"
	"recollect/internal/cli/setup"
	"recollect/internal/daemon/lease"
	"recollect/internal/store/backup"
)

// hintFor returns what the user can do about an error, "" if unknown.
func hintFor(err error, cmd *cobra.Command) string {
	var status *api.StatusError
	var otherUser *api.ForeignError
	var hung *app.HungError
	var full *backups.FullError
	var left *backup.LeftError
	var held *lease.HeldError
	var noGuard *guards.RefusedError
	switch {
	case errors.As(err, &noGuard):
		return guards.Flags
	case errors.As(err, &held), errors.Is(err, lease.ErrNoLocks):
		return app.FolderEach
	case strings.Contains(err.Error(), imports.ErrNoImporter.Error()):
		return getImporter()
	case errors.As(err, &status) && status.Status == 404:
		return "recollect search WORDS finds ids"
	case cmd.Name() == "import" && errors.Is(err, os.ErrNotExist):
		return "recollect import imports the sessions in Claude Code's folder, ~/.claude or $CLAUDE_CONFIG_DIR"
	case api.CauseOf(err) == api.EmptyTarget:
		return "if it is the right folder, and mounted: recollect sync --anew TARGET"
	case api.CauseOf(err) == api.NoKey:
		return app.NeedsKey
	case errors.As(err, &full):
		return "recollect backup FILE keeps what is there; recollect restore --replace FILE replaces it"
	case errors.Is(err, backup.ErrUnfinished):
		return "if none is running, recollect doctor --fix undoes it"
	case errors.As(err, &left):
		return "if recollect doctor finds no problem, delete that folder: " + cli.ShellQuote(filepath.Dir(left.Path))
	case errors.As(err, &hung):
		return app.ForceStop
	case errors.As(err, &otherUser):
		return app.OwnFolder
	case errors.Is(err, os.ErrPermission):
		return "recollect needs a data folder it can write to: set RECOLLECT_HOME, or fix the permissions of ~/.recollect"
	case errors.Is(err, api.ErrUnanswered):
		return "recollect doctor says how it died"
	case errors.Is(err, api.ErrNoDaemon), errors.Is(err, context.DeadlineExceeded):
		return "recollect daemon run shows why the daemon does not answer"
	}
	return ""
}

// getImporter returns the hint for a missing recollect-import. A checkout of the sources builds it only
// on request.
func getImporter() string {
	exe, err := setup.OwnExecutable()
	if err == nil {
		build := filepath.Join(filepath.Dir(filepath.Dir(exe)), "scripts", "build")
		if _, err := os.Stat(build); err == nil {
			return cli.ShellQuote(build) + " recollect-import"
		}
	}
	return "claude plugin install recollect@recollect installs it; scripts/build recollect-import builds it from the sources"
}
