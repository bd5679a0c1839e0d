package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"recollect/internal/cli"
)

// listCommands print lists, tables, states and texts.
var listCommands = []string{
	"search checkout hangs", "search --explain --parts checkout hangs", "journal --all", "goals --all", "episodes --all", "inbox --all",
	"stats", "status", "doctor", "graph --all scripts/deploy.sh", "consolidate --dry-run", "forget --source journal --dry-run", "embedder",
	"review", "resume --dir /home/dev/src/orders-api", "explain --dir /home/dev/src/orders-api why did requests hang at lunchtime?",
}

// fits checks that every list fits so many columns: fits COLUMNS. A path is not broken.
func fits(ts *testscript.TestScript, _ bool, args []string) {
	columns, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Setenv("COLUMNS", args[0])
	for _, command := range listCommands {
		ts.Check(ts.Exec("recollect", strings.Fields(command)...))
		for line := range strings.Lines(ts.ReadFile("stdout")) {
			line = strings.TrimSuffix(line, "\n")
			if cli.Columns(line) > columns && !strings.Contains(line, os.TempDir()) {
				ts.Fatalf("recollect %s: %d columns, not %d: %q", command, cli.Columns(line), columns, line)
			}
		}
	}
}
