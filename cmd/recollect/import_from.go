package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/agents"
	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/foreign"
	"recollect/internal/transcript"
)

// importFrom imports what another program stored at each of the paths.
func (a *app) importFrom(ctx context.Context, program string, paths []string, asJSON bool) error {
	if slices.Contains(agents.Names(), program) {
		return a.importAgent(ctx, program, paths, asJSON)
	}
	if !slices.Contains(foreign.Names(), program) {
		return cli.Usage(fmt.Errorf("from %q: must be one of %s", program, strings.Join(programs(), ", ")))
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

// programs lists what can be imported from.
func programs() []string { return slices.Concat(agents.Names(), foreign.Names()) }

// importAgent imports the sessions of another coding agent: those at the paths, or all.
func (a *app) importAgent(ctx context.Context, agent string, paths []string, asJSON bool) error {
	if len(paths) == 0 {
		root, err := agents.Root(agent)
		if err != nil {
			return err
		}
		paths = []string{root}
	}
	var files []string
	for _, path := range paths {
		found, done, err := sessionsAt(agent, path)
		defer done()
		if err != nil {
			return err
		}
		files = append(files, found...)
	}
	for _, path := range files {
		if err := writtenBy(agent, path); err != nil {
			return err
		}
	}
	return a.importFiles(ctx, files, asJSON)
}

// sessionsAt lists the transcripts of an agent at path. OpenCode keeps its sessions in a database,
// which becomes files that done removes.
func sessionsAt(agent, path string) (files []string, done func(), err error) {
	done = func() {}
	database := path
	if fi, err := os.Stat(path); err == nil && fi.IsDir() {
		database = filepath.Join(path, "opencode.db")
	}
	if _, err := os.Stat(database); agent != agents.OpenCode || filepath.Ext(database) != ".db" || err != nil {
		files, err = agents.Files(agent, path)
		return files, done, err
	}
	dir, err := os.MkdirTemp("", "recollect-import-")
	if err != nil {
		return nil, done, err
	}
	files, err = foreign.UnpackOpenCode(database, dir)
	return files, func() { os.RemoveAll(dir) }, err
}

// writtenBy returns an error if a file is another agent's transcript. What is none at all, the
// import itself says.
func writtenBy(agent, path string) error {
	f, err := transcript.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if by := f.Agent(); by != "" && by != agent {
		return fmt.Errorf("%s: is a transcript of %s, not of %s", path, by, agent)
	}
	return nil
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
