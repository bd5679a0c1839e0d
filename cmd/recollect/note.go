package main

import (
	"github.com/spf13/cobra"

	"recollect/internal/memory"
)

func newNote(a *app) *cobra.Command {
	inbox := string(memory.Inbox)
	cmd := a.storing("note TEXT", &inbox)
	cmd.Short = "Store a raw note in the inbox"
	cmd.Long = `Store a note as it comes, and print its id. A note weighs little beside what
belongs to another source; recollect remember --source says to which.`
	cmd.Example = `  recollect note "ask Ada why the nightly job runs twice"`
	return cmd
}
