package memories

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

// digitsToForget is how many digits of an id forget requires. Other commands accept fewer, because a
// mistake of theirs deletes nothing.
const digitsToForget = 4

// A forgetCommand is the command line of forget.
type forgetCommand struct {
	api.Forget
	at     app.Place
	before string // argument of --before
	yes    bool
}

// NewForget returns the command forget.
func NewForget(a *app.App) *cobra.Command {
	var f forgetCommand
	cmd := &cobra.Command{
		Use:   "forget [ID …]",
		Short: "Delete memories",
		Long: `Delete the memories with these ids, or those that match all of the flags. The
beginning of an id is enough, if no other id has the same. What would be deleted is
shown first, and you are asked, because nothing brings it back: recollect wrong keeps a
memory, and stops injecting it. Without a terminal, ids need no answer, and flags need
--yes.

The text is removed from the logs before the command returns, and from the index,
the vectors and the state of sessions within seconds. Neither an import nor a
session that continues brings it back; forgetting a session or a project means
forgetting what it has taught so far. Claude Code's transcripts are not touched.

--matching finds the words anywhere in a memory, in upper or lower case, or a
regular expression between slashes.`,
		Example: `  recollect forget note-0c1d2e3f4a5b
  recollect forget --project orders-api --before 2026-01-01 --dry-run
  recollect forget --matching "blue whale" --yes`,
		ValidArgsFunction: a.CompleteIDs("", true),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.IDs = args
			if err := f.completeRequest(); err != nil {
				return err
			}
			return forgetMemories(cmd, a, f)
		},
	}
	flags := cmd.Flags()
	f.at.AddDirFlag(cmd)
	f.at.AddProjectFlag(cmd, "memories of this project")
	flags.StringVar(&f.Session, "session", "", "memories from the session with this id")
	cmd.RegisterFlagCompletionFunc("session", a.CompleteSessions)
	flags.StringVar(&f.Source, "source", "", "memories of this source: "+memory.SourceNames())
	app.CompleteSources(cmd)
	flags.StringVar(&f.before, "before", "", "memories from before this day, such as 2026-01-31, or time, such as 2026-01-31T12:00:00Z")
	flags.StringVar(&f.Matching, "matching", "", "memories that contain these words, or match this /regular expression/")
	flags.BoolVar(&f.DryRun, "dry-run", false, "only print what would be deleted")
	flags.BoolVar(&f.yes, "yes", false, "do not ask")
	return app.AddJSONFlag(cmd)
}

func (f *forgetCommand) completeRequest() (err error) {
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
	selected := f.at.Project+f.Session+f.Source+f.before+f.Matching != ""
	switch {
	case len(f.IDs) == 0 && !selected:
		return cli.Usage(errors.New("forget needs an id, or a flag that selects memories"))
	case len(f.IDs) > 0 && selected:
		return cli.Usage(errors.New("ids and flags that select memories exclude each other"))
	}
	if err := checkForgettable(f.IDs); err != nil {
		return err
	}
	f.Cwd, f.Project, err = f.at.Read()
	return err
}

// parseDay parses a time, or a day, which stands for its local midnight.
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

// forgetMemories shows which memories would be deleted, asks, and deletes them. Without a terminal it deletes
// memories named by id at once, because whoever named them has seen them.
func forgetMemories(cmd *cobra.Command, a *app.App, f forgetCommand) error {
	ctx := cmd.Context()
	ask := !f.DryRun && !f.yes && (len(f.IDs) == 0 || a.CanAsk())
	if ask {
		if confirmed, err := confirmForget(ctx, a, f.Forget); err != nil || !confirmed {
			return err
		}
	}
	done, err := askForget(ctx, a, f.Forget)
	if err != nil {
		return err
	}
	return app.Print(cmd, a, done, func(w io.Writer, done api.Forgotten) error {
		if ask {
			done.Memories = nil // the user has seen them
		}
		if err := printForgotten(w, done, f.DryRun); err != nil || f.DryRun || done.Count == 0 {
			return err
		}
		printLeft(a, done)
		return nil
	})
}

// confirmForget shows the user which memories would be deleted, and asks.
func confirmForget(ctx context.Context, a *app.App, in api.Forget) (bool, error) {
	if !a.CanAsk() {
		return false, cli.Usage(errors.New("forget asks first, which needs a terminal: --dry-run shows what would be deleted, --yes deletes it"))
	}
	in.DryRun = true
	would, err := askForget(ctx, a, in)
	if err != nil {
		return false, err
	}
	if err := printForgotten(a.Err, would, true); err != nil || would.Count == 0 {
		return false, err
	}
	if !a.Confirm("delete for good?") {
		return false, errors.New("nothing deleted")
	}
	return true, nil
}

func askForget(ctx context.Context, a *app.App, in api.Forget) (api.Forgotten, error) {
	return app.Get(ctx, a.Patient(), func(ctx context.Context, c *api.Client) (api.Forgotten, error) {
		whole, err := wholeForget(ctx, c, in)
		if err != nil {
			return api.Forgotten{}, err
		}
		return c.ForgetAll(ctx, whole)
	})
}

// wholeForget returns in with complete ids.
func wholeForget(ctx context.Context, c *api.Client, in api.Forget) (_ api.Forget, err error) {
	if in.IDs, err = app.WholeIDs(ctx, c, in.IDs); err != nil {
		return in, err
	}
	in.Session, err = app.WholeSessionID(ctx, c, in.Session)
	return in, err
}

// printForgotten prints the newest of the deleted memories, and how many there
// are of each source.
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
		if done.Count == 1 {
			return cli.Fold(w, cli.Span{}, namedLine(verb, m))
		}
		fmt.Fprintln(w, cli.Line(w, namedLine(verb, m)))
	}
	if more := done.Count - len(done.Memories); more > 0 && len(done.Memories) > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	var counts []string
	for _, src := range memory.Sources {
		if n := done.Sources[src]; n > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", src, n))
		}
	}
	return cli.Fold(w, cli.Span{}, fmt.Sprintf("%s %s: %s", verb, app.CountMemories(done.Count), strings.Join(counts, ", ")))
}

// namedLine says what is done with a memory.
func namedLine(verb string, m api.Title) string {
	return fmt.Sprintf("%s %s from project '%s': %s", verb, m.ID, block.InQuotes(m.Project), m.Title)
}

// printLeft prints which files still contain the text.
func printLeft(a *app.App, done api.Forgotten) {
	if !done.Gone {
		cli.Warn(a.Err, "deleted from the logs; the index and the vectors follow within seconds")
	}
	for _, path := range done.Left {
		cli.Warn(a.Err, "the text is still in "+path)
	}
	dir, err := app.ClaudeDir()
	if err != nil {
		return
	}
	fmt.Fprintf(a.Err, "hint: Claude Code's transcripts may still contain the text: %s\n", dir)
}

// checkForgettable returns an error if an id is so short that a slip would delete another memory.
func checkForgettable(ids []string) error {
	for _, id := range ids {
		src, ok := memory.SourceOf(id)
		if ok && len(id) < len(src.Prefix())+digitsToForget {
			return cli.Usage(fmt.Errorf("%s: forget needs at least %d digits of an id", id, digitsToForget))
		}
	}
	return nil
}
