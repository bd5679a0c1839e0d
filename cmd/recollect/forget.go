package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
)

// A forgetting is a command line that asks to forget.
type forgetting struct {
	api.Forget
	before string // as it was typed
	yes    bool
	asJSON bool
}

func newForget(a *app) *cobra.Command {
	var f forgetting
	cmd := &cobra.Command{
		Use:   "forget [ID …]",
		Short: "Delete memories",
		Long: `Delete the memories with these ids, or all that fit every condition given as a
flag. What fits is shown first, and you are asked; --yes answers for a script.

Their words are removed from the logs before the command returns, from the
index, the vectors and the state of sessions within seconds. Neither an import
nor a session that goes on brings them back: forgetting a session or a project
means what it had until then. Claude Code's own transcripts are not touched.

--matching takes words as they stand, in any case, anywhere in a memory, or a
regular expression between slashes.`,
		Example: `  recollect forget note-0c1d2e3f4a5b
  recollect forget --project orders-api --before 2026-01-01 --dry-run
  recollect forget --matching "blue whale" --yes`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.IDs = args
			if err := f.complete(); err != nil {
				return err
			}
			return a.forget(cmd.Context(), f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Project, "project", "", "all of this project, a name or a folder")
	flags.StringVar(&f.Session, "session", "", "all from the session with this id")
	flags.StringVar(&f.Source, "source", "", "all of one kind: "+memory.SourceNames())
	flags.StringVar(&f.before, "before", "", "all from before this day, as 2026-01-31, or time, as 2026-01-31T12:00:00Z")
	flags.StringVar(&f.Matching, "matching", "", "all that have these words, or fit this /regular expression/")
	flags.BoolVar(&f.DryRun, "dry-run", false, "only print what would be deleted")
	flags.BoolVar(&f.yes, "yes", false, "do not ask")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

// complete checks what was typed and makes a request of it.
func (f *forgetting) complete() (err error) {
	if f.before != "" {
		if f.Before, err = parseDay(f.before); err != nil {
			return cli.Usage(err)
		}
	}
	if f.Source != "" {
		if _, err := memory.ParseSource(f.Source); err != nil {
			return cli.Usage(err)
		}
	}
	narrowed := f.Project != "" || f.Session != "" || f.Source != "" || f.before != "" || f.Matching != ""
	switch {
	case len(f.IDs) == 0 && !narrowed:
		return cli.Usage(errors.New("forget needs an id, or a flag that says what"))
	case len(f.IDs) > 0 && narrowed:
		return cli.Usage(errors.New("ids name all there is to forget: no flag can narrow them down"))
	}
	f.Cwd = here()
	f.Project, err = projectName(f.Project)
	return err
}

// parseDay reads a day, which begins at midnight here, or a time.
func parseDay(s string) (time.Time, error) {
	if t, err := time.ParseInLocation(time.DateOnly, s, time.Local); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, fmt.Errorf("before %q: must be a day such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z", s)
	}
	return t, nil
}

// forget shows what would go, asks, and lets it go. Ids are forgotten at once:
// whoever types one has seen what it is.
func (a *app) forget(ctx context.Context, f forgetting) error {
	ask := len(f.IDs) == 0 && !f.DryRun && !f.yes
	if ask {
		if may, err := a.mayForget(ctx, f.Forget); err != nil || !may {
			return err
		}
	}
	done, err := a.askForget(ctx, f.Forget)
	if err != nil {
		return err
	}
	if f.asJSON {
		return cli.PrintJSON(a.out, done)
	}
	if ask {
		done.Memories = nil // they were shown
	}
	if err := printForgotten(a.out, done, f.DryRun); err != nil || f.DryRun || done.Count == 0 {
		return err
	}
	a.tellLeft(done)
	return nil
}

// mayForget shows a person what would go and asks whether it may.
func (a *app) mayForget(ctx context.Context, in api.Forget) (bool, error) {
	if !a.canAsk() {
		return false, cli.Usage(errors.New("nobody is there to be asked: --dry-run shows what would be deleted, --yes deletes it"))
	}
	in.DryRun = true
	would, err := a.askForget(ctx, in)
	if err != nil {
		return false, err
	}
	if err := printForgotten(a.err, would, true); err != nil || would.Count == 0 {
		return false, err
	}
	if !a.confirm("delete for good?") {
		return false, errors.New("nothing deleted")
	}
	return true, nil
}

func (a *app) askForget(ctx context.Context, in api.Forget) (done api.Forgotten, err error) {
	err = a.askFor(ctx, func(ctx context.Context, c *api.Client) (err error) {
		done, err = c.ForgetAll(ctx, in)
		return err
	})
	return done, err
}

// canAsk reports whether a person sees the question and can answer it.
func (a *app) canAsk() bool {
	in, ok := a.in.(*os.File)
	return ok && isTerminal(in) && isTerminal(a.err)
}

// confirm asks a question to which only y or yes is a yes.
func (a *app) confirm(question string) bool {
	fmt.Fprintf(a.err, "%s [y/N] ", question)
	answer, err := bufio.NewReader(a.in).ReadString('\n')
	if err != nil {
		fmt.Fprintln(a.err)
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

// printForgotten lists how many memories of each source go, and the newest of
// them by name.
func printForgotten(w io.Writer, done api.Forgotten, would bool) error {
	if done.Count == 0 {
		_, err := fmt.Fprintln(w, "nothing to forget")
		return err
	}
	verb := "deleted"
	if would {
		verb = "would delete"
	}
	for _, m := range done.Memories {
		fmt.Fprintf(w, "%s %s from project '%s': %s\n", verb, m.ID, m.Project, m.Title)
	}
	if more := done.Count - len(done.Memories); more > 0 && len(done.Memories) > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	var counts []string
	for _, src := range memory.Sources {
		if n := done.Sources[src]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, src))
		}
	}
	_, err := fmt.Fprintf(w, "%s %d in all: %s\n", verb, done.Count, strings.Join(counts, ", "))
	return err
}

// tellLeft says where the words still are.
func (a *app) tellLeft(done api.Forgotten) {
	if !done.Gone {
		fmt.Fprintln(a.err, "recollect: the logs have them no more, index and vectors follow within seconds")
	}
	for _, path := range done.Left {
		fmt.Fprintf(a.err, "recollect: still in %s\n", path)
	}
	dir, err := claudeDir()
	if err != nil {
		return
	}
	fmt.Fprintf(a.err, "hint: Claude Code's transcripts may still have the words: %s\n", dir)
}
