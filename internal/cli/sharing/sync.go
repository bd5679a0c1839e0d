package sharing

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// A syncCommand is the command line of sync.
type syncCommand struct {
	api.Sync
	newKey, enterKey bool
}

// NewSync returns the command sync.
func NewSync(a *app.App) *cobra.Command {
	var in syncCommand
	cmd := &cobra.Command{
		Use:   "sync [TARGET]",
		Short: "Bring your memories together with those of your other machines",
		Long: `Bring the memories of this machine together with those of your other machines, through
a target that all of them reach: a folder that is mounted, or that another program keeps
the same everywhere. Without TARGET it is sync.target of config.toml, which also
synchronizes in the background, when sessions start and end.

What was forgotten on one machine is forgotten on all. Of two edits the later one is in
force, whatever the clocks of the machines say; edits that did not know each other are
listed by recollect conflicts. Memories of one project meet by its git remote, or else by
its name.

Whoever can read the target can read your memories, and whoever can write to it can plant
memories, unless there is a key. --new-key makes one on the first machine and shows it
once; --key reads it from standard input on the others. With a key, what this machine
writes is encrypted with age, and what is not encrypted with it is not read. Without one,
deletions of many memories wait for your consent: --accept-deletions carries them out,
--undo-deletions keeps the memories on all machines, and brings back those that you had
accepted to delete, for a week.
docs/sync.md in recollect's folder has the details.`,
		Example: `  recollect sync ~/Dropbox/memories
  recollect sync
  recollect sync --new-key
  recollect sync --key
  recollect sync --accept-deletions
  recollect sync --leave ~/Dropbox/memories`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usage(fmt.Errorf("%d arguments given, sync takes one target", len(args)))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return in.runSync(cmd, a, args) },
	}
	cmd.Flags().BoolVar(&in.Anew, "anew", false, "read all of the target again, and write all that this machine has there anew")
	cmd.Flags().BoolVar(&in.newKey, "new-key", false, "make the key that encrypts targets, and show it once")
	cmd.Flags().BoolVar(&in.enterKey, "key", false, "read the key that encrypts targets from standard input")
	cmd.Flags().BoolVar(&in.Accept, "accept-deletions", false, "delete here what other machines deleted, however much it is")
	cmd.Flags().BoolVar(&in.Undo, "undo-deletions", false, "keep what other machines deleted, and bring back what you accepted to delete")
	cmd.Flags().BoolVar(&in.Leave, "leave", false, "remove from the target what this machine has written there")
	return app.AddJSONFlag(cmd)
}

// runSync checks the flags, and synchronizes or sets the key.
func (s syncCommand) runSync(cmd *cobra.Command, a *app.App, args []string) (err error) {
	if moreThanOne(s.Anew, s.Leave) {
		return cli.Usage(errors.New("--anew and --leave exclude each other"))
	}
	if moreThanOne(s.Accept, s.Undo, s.Leave) {
		return cli.Usage(errors.New("--accept-deletions, --undo-deletions and --leave exclude each other"))
	}
	if s.newKey || s.enterKey {
		if moreThanOne(s.newKey, s.enterKey, app.WantsJSON(cmd), s.Sync != (api.Sync{})) || len(args) > 0 {
			return cli.Usage(errors.New("--new-key and --key stand alone"))
		}
		if s.newKey {
			return makeKey(a)
		}
		return readKey(a)
	}
	if len(args) > 0 {
		if s.Target, err = locateTarget(args[0]); err != nil {
			return err
		}
	}
	return syncMemories(cmd, a, s.Sync)
}

func moreThanOne(flags ...bool) bool {
	set := 0
	for _, flag := range flags {
		if flag {
			set++
		}
	}
	return set > 1
}

// locateTarget returns the absolute path of a folder, or an unchanged address.
func locateTarget(target string) (string, error) {
	if strings.Contains(target, "://") {
		return target, nil
	}
	return filepath.Abs(target)
}

func syncMemories(cmd *cobra.Command, a *app.App, in api.Sync) error {
	return app.Show(cmd, a.Patient(), api.With((*api.Client).Sync, in), func(w io.Writer, done api.Synced) error {
		if in.Leave {
			_, err := fmt.Fprintf(w, "%s no longer has what this machine wrote\n", done.Target)
			return err
		}
		return printSynced(a, done)
	})
}

func printSynced(a *app.App, done api.Synced) error {
	if done.CopyOf != "" {
		cli.Warn(a.Err, fmt.Sprintf("this data folder is a copy of %s, and writes by another writer's name than that", done.CopyOf))
	}
	for _, ignored := range done.Ignored {
		cli.Warn(a.Err, "ignored "+ignored)
	}
	_, err := fmt.Fprintf(a.Out, "%s: %d received, %d forgotten, %d sent\n", done.Target, done.Received, done.Deleted, done.Sent)
	if err == nil && done.Restored > 0 {
		_, err = fmt.Fprintf(a.Out, "%s brought back\n", cli.Count(done.Restored, "memory was", "memories were"))
	}
	if err == nil && done.Held > 0 {
		cli.Warn(a.Err, cli.Count(done.Held, "memory", "memories")+" would be deleted, which waits for your consent")
		fmt.Fprintln(a.Err, "hint: recollect sync --accept-deletions", done.Target, "carries it out, --undo-deletions keeps them")
	}
	if err == nil && done.Conflicts > 0 {
		_, err = fmt.Fprintf(a.Out, "%s (recollect conflicts)\n", cli.Count(done.Conflicts, "memory has several versions", "memories have several versions"))
	}
	return err
}
