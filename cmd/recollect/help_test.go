package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// The help of every command fits a narrow terminal: no line is longer, so that no word is broken.
func TestHelpFitsTheTerminal(t *testing.T) {
	const width = 60
	t.Setenv("COLUMNS", "60")
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		var out bytes.Buffer
		if status := runCommand(args, app.Terminal{Out: &out, Err: &out}, "1.2.3"); status != 0 {
			t.Errorf("%v: status %d: %s", args, status, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); cli.Columns(line) > width && len(strings.Fields(line)) > 1 {
				t.Errorf("%v: %d columns: %s", args, cli.Columns(line), line)
			}
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(app.Terminal{}, "1.2.3"))
}
