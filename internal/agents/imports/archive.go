package imports

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/imports/record"
	"recollect/internal/agents/transcript"
	"recollect/internal/memory"
	"recollect/internal/system/regular"
)

// episodicMemory reads the database of episodic-memory. In a folder it reads only the summaries in the
// archive, because the database is an index of the transcripts there.
func (r *reader) episodicMemory(ctx context.Context) error {
	fi, err := os.Stat(r.path)
	if err != nil {
		return err
	}
	if fi.IsDir() {
		return r.archive()
	}
	return r.database(ctx)
}

const (
	summaryEnd = "-summary.txt"
	maxSummary = 1 << 20 // bytes of a summary
)

// archive reads the summaries next to the transcripts.
func (r *reader) archive() error {
	return r.walk(func(path string, d fs.DirEntry) error {
		if !strings.HasSuffix(d.Name(), summaryEnd) {
			return nil
		}
		text, err := regular.Read(path, maxSummary)
		if err != nil {
			return r.skip(err)
		}
		fi, err := d.Info()
		if err != nil {
			return r.skip(err)
		}
		session := strings.TrimSuffix(d.Name(), summaryEnd)
		m := memory.Draft{Memory: memory.Memory{Source: memory.Episodes, Origin: memory.OriginAssistant, Session: session, OccurredAt: fi.ModTime().UTC(), Tags: []string{"summary"}}}
		m.Title, m.Text = record.FirstLine(string(text))
		m.SetHome(r.archiveProject(strings.TrimSuffix(path, summaryEnd) + ".jsonl"))
		return r.emit(m, "summaries", session)
	})
}

// archiveProject returns the project of a transcript in the archive, or else a project with the name that
// the archive gives it.
func (r *reader) archiveProject(file string) memory.Project {
	if dir := folderOf(file); filepath.IsAbs(dir) {
		return r.project(dir)
	}
	return memory.Project{Name: filepath.Base(filepath.Dir(file))}
}

var errFound = errors.New("found")

// folderOf returns the folder in which the session of a transcript file began, or "".
func folderOf(file string) string {
	dir := ""
	_, err := transcript.Turns(file, 0, func(t claudecode.Turn) error {
		if dir = t.Cwd; dir != "" {
			return errFound
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return ""
	}
	return dir
}
