package memories

import (
	"github.com/spf13/cobra"

	"recollect/internal/cli/app"
	"recollect/internal/memory"
)

// NewNote returns the command note.
func NewNote(a *app.App) *cobra.Command {
	inbox := string(memory.Inbox)
	cmd := newStoring(a, "note TEXT", &inbox)
	cmd.Short = "Store a raw note in the inbox"
	cmd.Long = `Store a raw note and print its id. A note counts less than memories of other
sources; to choose one of those, use recollect remember --source.`
	cmd.Example = `  recollect note "ask Ada why the nightly job runs twice"`
	return cmd
}
