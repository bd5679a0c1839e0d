// Package sharing has the commands that share memories with a team, over a repository or a server, and
// with the user's other machines.
package sharing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/system/git"
)

// A shareCommand is the command line of share.
type shareCommand struct {
	api.Share
	at     app.Place
	list   bool
	dryRun bool
	yes    bool
}

// NewShare returns the command share.
func NewShare(a *app.App) *cobra.Command {
	var s shareCommand
	cmd := &cobra.Command{
		Use:   "share ID … | --session ID | --list",
		Short: "Share memories with your team, as files in the repository",
		Long: `Write memories into .recollect/ of this repository, one Markdown file each, where
everybody who has the repository and recollect gets them. What would leave is shown
first, and you are asked; in a script, use --yes. Nothing is committed: that is yours
to do.

Decisions, patterns, failures and project facts can be shared, and with --preferences
wishes of yours. Turns, thoughts, prompts, handoffs, goals and notes never leave.
Secrets are taken out again, paths become relative to the repository, and folders of
users, hosts, addresses and login names are taken out. Text that gives orders to an
assistant is refused: nobody's recollect would inject it.

To take one back, delete its file; what was pushed stays in git's history.

With --server they go to the team's server instead, which the members who joined the
project get them from: see recollect team join. recollect team withdraw takes one back.`,
		Example: `  recollect share dec-5f0c1a2b3c4d pat-0c1d2e3f4a5b
  recollect share --session 5d1f0c1a --as "Ana B." --dry-run
  git rm .recollect/decision-3f2a9c1b7d40.md`,
		ValidArgsFunction: a.CompleteIDs("", true),
		RunE:              func(cmd *cobra.Command, ids []string) error { return s.runShare(cmd, a, ids) },
	}
	s.at.AddDirFlag(cmd)
	flags := cmd.Flags()
	flags.StringVar(&s.Session, "session", "", "what the session with this id taught")
	cmd.RegisterFlagCompletionFunc("session", a.CompleteSessions)
	flags.StringVar(&s.Author, "as", "", "your `name` for the team (default: git's user.name)")
	flags.BoolVar(&s.Preferences, "preferences", false, "wishes too")
	flags.BoolVar(&s.Server, "server", false, "over the team's server, not as files")
	flags.BoolVar(&s.list, "list", false, "list what is shared here")
	flags.BoolVar(&s.dryRun, "dry-run", false, "only print what would leave")
	flags.BoolVar(&s.yes, "yes", false, "do not ask")
	return app.AddJSONFlag(cmd)
}

// runShare checks the flags, and lists or shares memories.
func (s shareCommand) runShare(cmd *cobra.Command, a *app.App, ids []string) (err error) {
	s.IDs = ids
	if s.Cwd, err = s.at.Folder(); err != nil {
		return err
	}
	switch chosen := len(ids) > 0 || s.Session != ""; {
	case s.list && chosen:
		return cli.Usage(errors.New("--list takes neither ids nor --session"))
	case s.list:
		return listTeam(cmd, a, s.Cwd)
	case !chosen:
		return cli.Usage(errors.New("share needs ids, --session or --list"))
	}
	return shareMemories(cmd, a, s)
}

// findAuthor returns the name by which the team knows the user: that of --as, or git's.
func (s shareCommand) findAuthor(ctx context.Context) (string, error) {
	if s.Author != "" {
		return s.Author, nil
	}
	name, err := git.UserName(ctx, s.Cwd)
	switch {
	case err != nil:
		return "", fmt.Errorf("%w: --as says by which name the team sees you", err)
	case name == "":
		return "", cli.Usage(errors.New("git knows no user.name: --as says by which name the team sees you"))
	}
	return name, nil
}

// shareMemories shows which files would leave the machine, asks, and writes or sends them.
func shareMemories(cmd *cobra.Command, a *app.App, s shareCommand) error {
	ctx := cmd.Context()
	if !s.dryRun && !s.yes && !a.CanAsk() {
		return cli.Usage(errors.New("share asks first, which needs a terminal: --dry-run shows what would leave, --yes writes it"))
	}
	author, err := s.findAuthor(ctx)
	if err != nil {
		return err
	}
	s.Author = author
	would, err := wouldShare(ctx, a, s.Share)
	if err != nil {
		return err
	}
	if s.dryRun && app.WantsJSON(cmd) {
		return cli.PrintJSON(a.Out, would)
	}
	shown := io.Writer(a.Err)
	if s.dryRun {
		shown = a.Out
	}
	fresh := printWouldShare(shown, would)
	if s.dryRun || fresh == 0 {
		return nothingLeaves(would, fresh)
	}
	if err := s.confirmShare(a, fresh); err != nil {
		return err
	}
	if s.Server {
		return sendShared(cmd, a, s, would)
	}
	written, err := writeShared(would)
	if err == nil && app.WantsJSON(cmd) {
		return cli.PrintJSON(a.Out, would)
	}
	for _, path := range written {
		fmt.Fprintln(a.Out, path)
	}
	if err == nil {
		fmt.Fprintln(a.Err, "hint: git add .recollect, and commit it, to share; delete a file to take it back")
	}
	return err
}

// confirmShare asks whether so many files may leave the machine, unless --yes was given.
func (s shareCommand) confirmShare(a *app.App, files int) error {
	question, otherwise := "write %s? Whoever can read the repository can read this, also in its history.", "nothing written"
	if s.Server {
		question, otherwise = "send %s to the team's server? Whoever may read the project there can read this.", "nothing sent"
	}
	if !s.yes && !a.Confirm(fmt.Sprintf(question, cli.Count(files, "file", "files"))) {
		return errors.New(otherwise)
	}
	return nil
}

// nothingLeaves returns an error if all memories are refused.
func nothingLeaves(would api.Shared, fresh int) error {
	if fresh == 0 && len(would.Files) == 0 {
		return errors.New("none of it is shared")
	}
	return nil
}

// shareIn is how long the daemon may search the repository, which may lie on a network.
const shareIn = time.Minute

// wouldShare asks the daemon which files would leave the machine.
func wouldShare(ctx context.Context, a *app.App, in api.Share) (would api.Shared, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, shareIn, fmt.Errorf("the repository was not read within %s", shareIn))
	defer cancel()
	would, err = app.Get(ctx, a.Patient(), func(ctx context.Context, c *api.Client) (would api.Shared, err error) {
		whole := in
		if whole.IDs, err = app.WholeIDs(ctx, c, in.IDs); err != nil {
			return would, err
		}
		if whole.Session, err = app.WholeSessionID(ctx, c, in.Session); err != nil {
			return would, err
		}
		return c.Share(ctx, whole)
	})
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("share: %w", context.Cause(ctx))
	}
	return would, err
}

// printWouldShare prints the whole text of all files that would leave the machine, and what
// is left out. It returns how many files are new.
func printWouldShare(w io.Writer, would api.Shared) (fresh int) {
	for _, f := range would.Files {
		where := filepath.Join(would.Folder, f.Name)
		if would.Server {
			where = f.ID
		}
		if f.There {
			fmt.Fprintf(w, "%s is shared already\n", where)
			continue
		}
		fresh++
		fmt.Fprintf(w, "%s:\n", where)
		for _, line := range strings.Split(strings.TrimRight(f.Text, "\n"), "\n") {
			fmt.Fprintln(w, strings.TrimRight("    "+line, " "))
		}
		for _, name := range f.Replaces {
			fmt.Fprintf(w, "    (replaces %s)\n", name)
		}
	}
	for _, r := range would.Refused {
		fmt.Fprintf(w, "not shared: %s %s: %s\n", r.ID, r.Title, r.Why)
	}
	return fresh
}

// writeShared writes the new files, and removes those that they replace. It never overwrites
// a file. It returns the paths of the files that it wrote.
func writeShared(would api.Shared) (written []string, err error) {
	root, err := os.OpenRoot(filepath.Dir(would.Folder))
	if err != nil {
		return nil, fmt.Errorf("share: %w", err)
	}
	defer root.Close()
	folder := filepath.Base(would.Folder)
	if err := root.Mkdir(folder, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("share: %w", err)
	}
	if fi, err := root.Lstat(folder); err != nil || !fi.IsDir() {
		return nil, fmt.Errorf("share: %s is not a folder", would.Folder)
	}
	for _, f := range would.Files {
		if f.There {
			continue
		}
		if err := writeNew(root, filepath.Join(folder, filepath.Base(f.Name)), f.Text); err != nil {
			return written, fmt.Errorf("share: %w", err)
		}
		written = append(written, filepath.Join(would.Folder, f.Name))
		for _, name := range f.Replaces {
			if err := root.Remove(filepath.Join(folder, filepath.Base(name))); err != nil && !errors.Is(err, os.ErrNotExist) {
				return written, fmt.Errorf("share: %w", err)
			}
		}
	}
	return written, nil
}

// writeNew writes a file that must not exist.
func writeNew(root *os.Root, name, text string) error {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, root.Remove(name))
	}
	return nil
}
