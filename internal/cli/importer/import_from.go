package importer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/agents"
	"recollect/internal/agents/imports"
	"recollect/internal/agents/imports/unpack"
	"recollect/internal/agents/transcript"
	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

func importFrom(ctx context.Context, a *app.App, program string, paths []string, asJSON bool) error {
	switch {
	case slices.Contains(agents.Names(), program):
		return importAgent(ctx, a, program, paths, asJSON)
	case slices.Contains(unpack.Names(), program):
		return importChats(ctx, a, program, paths, asJSON)
	}
	if !slices.Contains(imports.Names(), program) {
		return cli.Usage(fmt.Errorf("from %q: must be one of %s", program, strings.Join(programNames(), ", ")))
	}
	if len(paths) == 0 {
		return cli.Usage(fmt.Errorf("import --from %s needs the path of its data", program))
	}
	var total api.Imported
	var failed error
	for _, path := range paths {
		done, err := importProgram(ctx, a, program, path)
		if done.Left != "" && done.Turns == 0 && err == nil {
			cli.Warn(a.Err, path+": "+done.Left)
		}
		nameUnread(a, done)
		total.Add(done)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("import %s: %w", path, err))
		}
	}
	if failed != nil && total.Records+total.Turns == 0 {
		return failed
	}
	return errors.Join(failed, leftOut(total), showImported(a, program, total, asJSON))
}

func showImported(a *app.App, program string, total api.Imported, asJSON bool) error {
	if asJSON {
		return cli.PrintJSON(a.Out, total)
	}
	read := cli.Count(total.Records, "record", "records")
	if total.Turns > 0 {
		read += ", " + countTurns(total.Turns)
	}
	return cli.Fold(a.Out, cli.Text("%s: ", program), fmt.Sprintf("%s: %s added, %d changed, %d unchanged, %d deleted before, %d empty or unreadable",
		read, app.CountMemories(total.Added), total.Changed, total.Unchanged, total.Forgotten, total.Skipped))
}

// programNames lists the agents and programs whose data can be imported.
func programNames() []string { return slices.Concat(agents.Names(), unpack.Names(), imports.Names()) }

// importChats imports the chats of a program, which are unpacked to transcripts that are removed afterwards.
func importChats(ctx context.Context, a *app.App, program string, paths []string, asJSON bool) error {
	if len(paths) == 0 && (program == unpack.Entire || program == unpack.SpecStory) {
		paths = []string{"."}
	}
	if len(paths) == 0 {
		return cli.Usage(fmt.Errorf("import --from %s needs the path of the unpacked export", program))
	}
	var files []string
	var failed error
	unread := api.Imported{}
	for _, path := range paths {
		dir, err := os.MkdirTemp("", "recollect-import-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		found, err := unpack.Transcripts(ctx, program, path, dir, func(why error) {
			unread.Add(api.Imported{Unreadable: 1, Unread: strings.ReplaceAll(why.Error(), "\n", " ")})
		})
		failed = errors.Join(failed, err)
		files = append(files, found...)
	}
	nameUnread(a, unread)
	failed = errors.Join(failed, leftOut(unread))
	if len(files) == 0 && failed != nil {
		return failed
	}
	return errors.Join(failed, importFiles(ctx, a, files, asJSON))
}

// importAgent imports the sessions of another coding agent: those at the paths, or all without paths.
func importAgent(ctx context.Context, a *app.App, agent string, paths []string, asJSON bool) error {
	if len(paths) == 0 {
		root, err := agents.Root(agent)
		if err != nil {
			return err
		}
		paths = []string{root}
	}
	var files []string
	var failed error
	for _, path := range paths {
		found, done, err := sessionsAt(ctx, a, agent, path)
		defer done()
		failed = errors.Join(failed, err)
		for _, file := range found {
			if err := writtenBy(agent, file); err != nil {
				failed = errors.Join(failed, err)
				continue
			}
			files = append(files, file)
		}
	}
	if len(files) == 0 && failed != nil {
		return failed
	}
	return errors.Join(failed, importFiles(ctx, a, files, asJSON))
}

// sessionsAt lists the transcripts of an agent at path. OpenCode stores sessions in a database, which
// is unpacked to files that done removes.
func sessionsAt(ctx context.Context, a *app.App, agent, path string) (files []string, done func(), err error) {
	done = func() {}
	database := path
	if fi, err := os.Stat(path); err == nil && fi.IsDir() {
		database = filepath.Join(path, "opencode.db")
	}
	if _, err := os.Stat(database); agent != agents.OpenCode || filepath.Ext(database) != ".db" || err != nil {
		files, err = agents.Files(agent, path)
		if len(files) == 0 && err == nil {
			files, err = transcript.FilesOf(agent, path)
		}
		return files, done, err
	}
	dir, err := os.MkdirTemp("", "recollect-import-")
	if err != nil {
		return nil, done, err
	}
	unread := api.Imported{}
	files, err = imports.UnpackOpenCode(ctx, database, dir, func(why error) {
		unread.Add(api.Imported{Unreadable: 1, Unread: strings.ReplaceAll(why.Error(), "\n", " ")})
	})
	nameUnread(a, unread)
	return files, func() { os.RemoveAll(dir) }, errors.Join(err, leftOut(unread))
}

// writtenBy returns an error if a file is a transcript of another agent. Whether it is a transcript at
// all, the import checks.
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

// importProgram imports the data of a program at path. The archive of
// episodic-memory also contains transcripts, which are imported like others.
func importProgram(ctx context.Context, a *app.App, program, path string) (done api.Imported, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return done, err
	}
	var archive api.Imported
	var unread error
	if fi, err := os.Stat(path); program == "episodic-memory" && err == nil && fi.IsDir() {
		files, err := transcript.Files(path)
		unread = errors.Join(unread, err)
		archive, err = importAll(ctx, a, files)
		unread = errors.Join(unread, err)
		if ctx.Err() != nil {
			return archive, unread
		}
	}
	err = a.AskLong(ctx, func(ctx context.Context, c *api.Client) (err error) {
		done, err = c.Import(ctx, api.Import{Path: path, From: program})
		return err
	})
	done.Add(archive)
	if err == nil && program == "episodic-memory" && done.Turns+done.Records == 0 {
		err = errors.New("it contains neither a transcript nor a summary")
	}
	return done, errors.Join(unread, err)
}
