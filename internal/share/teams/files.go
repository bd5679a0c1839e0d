package teams

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/share/repo"
)

// readFiles reads the files of a team if they have changed, and updates their memories in
// the store. It returns the files as they were last read.
func (t *Teams) readFiles(ctx context.Context, cwd string, project memory.Project, now time.Time) (reading, error) {
	t.choices.mu.Lock()
	defer t.choices.mu.Unlock()
	why, stamp := t.whyNotRead(cwd, project), ""
	if why == "" {
		stamp = repo.Stamp(project.Path)
	}
	last, known := t.choices.read[project.Path]
	if known && last.stamp == stamp && last.why == why {
		return last, nil
	}
	read := reading{stamp: stamp, why: why, problem: why}
	if why == "" {
		var err error
		if read.files, err = repo.Read(project.Path, now); err != nil {
			read.problem = repo.Folder + " " + err.Error()
		}
	}
	if err := t.storeFiles(ctx, project, read.files); err != nil {
		return read, err
	}
	if len(t.choices.read) >= maxRepositories {
		clear(t.choices.read)
	}
	t.choices.read[project.Path] = read
	return read, nil
}

// storeFiles updates the memories of a repository in the store from its files.
func (t *Teams) storeFiles(ctx context.Context, project memory.Project, files []repo.File) error {
	wanted := t.memoriesOf(project, files)
	var gone []string
	for m, err := range t.parts.Store.Source(memory.Team) {
		if err != nil {
			return fmt.Errorf("read what the team shared: %w", err)
		}
		if _, stays := wanted[m.ID]; !repo.IsReceived(&m) && isGone(&m, project, stays) {
			gone = append(gone, m.ID)
		}
	}
	return t.reconcile(ctx, wanted, gone)
}

// memoriesOf returns the memories of the files that are not left out, by their ids. It sets the ID and
// the Words of each file, and Err if it must be left out.
func (t *Teams) memoriesOf(project memory.Project, files []repo.File) map[string]clean.Memory {
	wanted := map[string]clean.Memory{}
	for i := range files {
		f := &files[i]
		if f.Err != nil && !errors.Is(f.Err, repo.ErrSame) {
			continue
		}
		m, err := clean.Draft(f.Draft(project))
		if err != nil {
			f.Err = errors.New("says nothing that may be stored")
			continue
		}
		said := m.Memory()
		f.ID, f.Words = said.ID, repo.Words(&said)
		if f.Err == nil && !t.rejectedFile(project, f) {
			wanted[f.ID] = m
		}
	}
	return wanted
}

// isGone reports whether a memory has to be deleted: it belongs to the project and does not stay, or its
// whole repository is gone.
func isGone(m *memory.Memory, project memory.Project, stays bool) bool {
	if m.ProjectPath == project.Path {
		return !stays
	}
	_, err := os.Lstat(m.ProjectPath)
	return errors.Is(err, fs.ErrNotExist)
}
