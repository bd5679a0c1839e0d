package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/foreign"
	"recollect/internal/transcript"
)

// importFrom imports what another program stored at each of the paths.
func (a *app) importFrom(ctx context.Context, program string, paths []string, asJSON bool) error {
	if !slices.Contains(foreign.Names(), program) {
		return cli.Usage(fmt.Errorf("from %q: must be one of %s", program, strings.Join(foreign.Names(), ", ")))
	}
	if len(paths) == 0 {
		return cli.Usage(fmt.Errorf("import --from %s needs the path of its data", program))
	}
	var total api.Imported
	for _, path := range paths {
		done, err := a.importProgram(ctx, program, path)
		if done.Left != "" && done.Turns == 0 && err == nil {
			fmt.Fprintf(a.err, "recollect: %s: %s\n", path, done.Left)
		}
		total.Add(done)
		if err != nil {
			return fmt.Errorf("import %s: %w", path, err)
		}
	}
	if asJSON {
		return cli.PrintJSON(a.out, total)
	}
	read := cli.Count(total.Records, "record", "records")
	if total.Turns > 0 {
		read += ", " + turns(total.Turns)
	}
	return cli.Fold(a.out, cli.Text("%s: ", program), fmt.Sprintf("%s: %s added, %d changed, %d unchanged, %d deleted before, %d empty or unreadable",
		read, memories(total.Added), total.Changed, total.Unchanged, total.Forgotten, total.Skipped))
}

// importProgram imports what a program stored at path. The archive of
// episodic-memory also contains transcripts, which are imported like any others.
func (a *app) importProgram(ctx context.Context, program, path string) (done api.Imported, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return done, err
	}
	var archive api.Imported
	if fi, err := os.Stat(path); program == "episodic-memory" && err == nil && fi.IsDir() {
		files, err := transcript.Files(path)
		if err != nil {
			return done, err
		}
		if archive, err = a.importAll(ctx, files); err != nil {
			return archive, err
		}
	}
	err = a.askFor(ctx, func(ctx context.Context, c *api.Client) (err error) {
		done, err = c.Import(ctx, api.Import{Path: path, From: program})
		return err
	})
	done.Add(archive)
	if err == nil && program == "episodic-memory" && done.Turns+done.Records == 0 {
		err = errors.New("it contains neither a transcript nor a summary")
	}
	return done, err
}
