package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
)

func newRemember(a *app) *cobra.Command {
	source := string(memory.Inbox)
	cmd := a.storing("remember TEXT", &source)
	cmd.Short = "Store a memory"
	cmd.Long = `Store a memory, and print its id once it is safely on disk. If TEXT is "-", it is
read from standard input. Storing the same text again in the same project does not
make another memory. Passwords and keys are not stored: a line on standard error says
what was redacted.`
	cmd.Example = `  recollect remember "staging shares its database with the demo system"
  recollect remember --source patterns --title "Safe arithmetic in bash" - < note.txt`
	cmd.Flags().StringVar(&source, "source", source, "source of the memory: "+memory.SourceNames())
	completeSources(cmd)
	return cmd
}

// storing returns a command that stores its arguments as a memory of a source.
func (a *app) storing(use string, source *string) *cobra.Command {
	var asJSON bool
	var title string
	var at place
	name, _, _ := strings.Cut(use, " ")
	cmd := &cobra.Command{
		Use:  use,
		Args: cli.AtLeast(1, name+" needs a text, or - to read it from standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := memory.ParseSource(*source)
			if err != nil {
				return cli.Usage(err)
			}
			text, err := a.text(args)
			if err != nil {
				return err
			}
			folder, project, err := at.read()
			if err != nil {
				return err
			}
			return a.store(cmd.Context(), memory.Memory{Source: src, Title: title, Text: text, Project: project}, folder, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&title, "title", "", "title, one line (default: the first line of TEXT)")
	at.dirFlag(cmd)
	at.projectFlag(cmd, "project that it belongs to (default: that of the folder)")
	return cmd
}

// store stores a memory and prints its id.
func (a *app) store(ctx context.Context, m memory.Memory, folder string, asJSON bool) error {
	return a.ask(ctx, func(ctx context.Context, c *api.Client) error {
		done, err := c.Remember(ctx, api.Remember{Memories: memory.Drafts(m), Cwd: folder})
		if err != nil {
			return err
		}
		if asJSON {
			return cli.PrintJSON(a.out, done)
		}
		id, err := onlyID(done)
		if err != nil {
			return err
		}
		if len(done.Redacted) > 0 {
			fmt.Fprintf(a.err, "recollect: redacted before it was stored: %s\n", kindsOf(done.Redacted))
		}
		_, err = fmt.Fprintln(a.out, id)
		return err
	})
}

// kindsOf lists kinds of secrets with how many there are, in order.
func kindsOf(kinds map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, fmt.Sprintf("%d %s", kinds[kind], kind))
	}
	return strings.Join(parts, ", ")
}

// onlyID returns the id of the one memory that was to be stored.
func onlyID(done api.Remembered) (string, error) {
	if len(done.IDs) != 1 {
		return "", fmt.Errorf("remember: the daemon returned %d ids, not 1", len(done.IDs))
	}
	return done.IDs[0], nil
}

// text returns the arguments joined, or standard input for "-".
func (a *app) text(args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	b, err := io.ReadAll(io.LimitReader(a.in, api.MaxBody))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	return string(b), nil
}
