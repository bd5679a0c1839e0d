package memories

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
)

// NewRemember returns the command remember.
func NewRemember(a *app.App) *cobra.Command {
	source := ""
	cmd := newStoring(a, "remember TEXT", &source)
	cmd.Short = "Store a memory"
	cmd.Long = `Store a memory, and print its id once it is safely on disk. If TEXT is "-", it is
read from standard input. Storing the same text again in the same project does not
make another memory. Without --source, a sentence that states a standing wish becomes a
preference, one that states a decision a decision, and all else a note. Passwords and
keys are not stored: a line on standard error says what was redacted.`
	cmd.Example = `  recollect remember "staging shares its database with the demo system"
  recollect remember "always use pnpm, never npm"
  recollect remember --source patterns --title "Safe arithmetic in bash" - < note.txt`
	cmd.Flags().StringVar(&source, "source", source, "source of the memory: "+memory.SourceNames()+" (default: by what TEXT states)")
	app.CompleteSources(cmd)
	return cmd
}

// newStoring returns a command that stores its arguments as one memory of a source, "" for the one that they state.
func newStoring(a *app.App, use string, source *string) *cobra.Command {
	var title string
	var at app.Place
	name, _, _ := strings.Cut(use, " ")
	cmd := &cobra.Command{
		Use:  use,
		Args: cli.AtLeast(1, name+" needs a text, or - to read it from standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := memory.ParseSource(cmp.Or(*source, string(memory.Inbox)))
			if err != nil {
				return cli.Usage(err)
			}
			text, err := readText(a, args)
			if err != nil {
				return err
			}
			folder, project, err := at.Read()
			if err != nil {
				return err
			}
			m := memory.Memory{Source: src, Title: title, Text: text, Project: project}
			return storeMemory(cmd, a, api.Remember{Memories: memory.Drafts(m), Cwd: folder, Read: *source == ""})
		},
	}
	cmd.Flags().StringVar(&title, "title", "", "title, one line (default: the first line of TEXT)")
	at.AddDirFlag(cmd)
	at.AddProjectFlag(cmd, "project that it belongs to (default: that of the folder)")
	return app.AddJSONFlag(cmd)
}

func storeMemory(cmd *cobra.Command, a *app.App, in api.Remember) error {
	return app.Show(cmd, a, api.With((*api.Client).Remember, in), func(w io.Writer, done api.Remembered) error {
		id, err := app.OnlyID(done)
		if err != nil {
			return err
		}
		if len(done.Redacted) > 0 {
			fmt.Fprintf(a.Err, "recollect: redacted before it was stored: %s\n", app.CountKinds(done.Redacted))
		}
		if _, err := fmt.Fprintln(w, id); err != nil {
			return err
		}
		as := ""
		if src, _ := memory.SourceOf(id); in.Read {
			as = " as a " + src.Label() + " (--source stores another kind)"
		}
		cli.Warn(a.Err, "remembered"+as+"; recollect forget "+id+" undoes it")
		return nil
	})
}

// readText returns the arguments joined, or standard input for "-".
func readText(a *app.App, args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	b, err := io.ReadAll(io.LimitReader(a.In, api.MaxBody))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	return string(b), nil
}
