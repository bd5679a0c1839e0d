package teams

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/share/repo"
)

// Reject hides memories of a team and all copies of them on this machine, or shows them
// again. It returns all files of the team.
func (t *Teams) Reject(ctx context.Context, in api.TeamReject) (api.TeamFiles, error) {
	project := t.parts.Project(in.Cwd)
	read, err := t.readFiles(ctx, in.Cwd, project, time.Now())
	if err != nil {
		return api.TeamFiles{}, err
	}
	for _, id := range in.IDs {
		marks := marksOf(read.files, id)
		if len(marks) > 0 {
			err = t.rejectWords(ctx, project, marks, in.Undo)
		} else {
			err = t.rejectReceived(ctx, project, id, in.Undo)
		}
		if err != nil {
			return api.TeamFiles{}, err
		}
	}
	return t.List(ctx, api.Team{Cwd: in.Cwd})
}

// marksOf returns the checksums and the words of the files with this id or name.
func marksOf(files []repo.File, id string) (marks []string) {
	for i := range files {
		f := &files[i]
		names := []string{f.Name, repo.Folder + "/" + f.Name, f.ID, f.Shared.ID}
		if f.Words != "" && slices.Contains(names, id) {
			marks = append(marks, f.Digest, f.Words)
		}
	}
	return marks
}

func (t *Teams) rejectedFile(project memory.Project, f *repo.File) bool {
	return t.choices.isRejected(project.Path, f.Digest) || t.rejectedWords(project, f.Words)
}

// rejectedWords reports whether the user has rejected these words, in this repository or as a received
// memory.
func (t *Teams) rejectedWords(project memory.Project, words string) bool {
	return t.choices.isRejected(project.Path, words) || t.choices.isRejected(serverKey(project.Remote), words)
}

// rejectWords hides the files and the received memories that have one of these marks, or shows them
// again.
func (t *Teams) rejectWords(ctx context.Context, project memory.Project, marks []string, undo bool) error {
	if project.Path != "" {
		if err := t.choices.recordReject(project.Path, marks, undo); err != nil {
			return err
		}
	}
	if project.Remote == "" {
		return nil
	}
	key := serverKey(project.Remote)
	if undo {
		if err := t.choices.recordReject(key, t.choices.withCopies(key, marks), true); err != nil || !t.Stream.Joined(project.Remote) {
			return err
		}
		return t.Stream.Replay(project.Remote)
	}
	all, err := t.receivedFor(project.Remote)
	if err != nil {
		return err
	}
	var ids []string
	for i := range all {
		if m := &all[i]; slices.Contains(marks, repo.Words(m)) {
			ids = append(ids, m.ID)
			marks = append(marks, copyMark(m))
		}
	}
	if err := t.choices.recordReject(key, marks, false); err != nil {
		return err
	}
	return t.dropMemories(ctx, ids)
}

// copyMark is the mark of a received memory: its words with its id, by which the user can have it shown
// again.
func copyMark(m *memory.Memory) string { return m.ID + "@" + repo.Words(m) }

// RejectForgotten hides memories of a team that the user has forgotten, because their files, or copies
// of them, may still exist.
func (t *Teams) RejectForgotten(ctx context.Context, deleted []memory.Memory) error {
	for i := range deleted {
		m := &deleted[i]
		if m.Source != memory.Team {
			continue
		}
		marks := []string{repo.Words(m)}
		if repo.IsReceived(m) {
			marks = append(marks, copyMark(m))
		} else if digest, err := repo.Digest(m.ProjectPath, repo.FileOf(m)); err == nil {
			marks = append(marks, digest)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("hide %s: %w", m.Evidence, err)
		}
		if err := t.rejectWords(ctx, m.Home(), marks, false); err != nil {
			return fmt.Errorf("hide %s: %w", m.ID, err)
		}
	}
	return nil
}

// rejectReceived hides a received memory and all copies of it, or has it received again.
func (t *Teams) rejectReceived(ctx context.Context, project memory.Project, id string, undo bool) error {
	unknown := &api.BadRequest{Err: fmt.Errorf("%s is nothing that this repository shares", id)}
	if project.Remote == "" {
		return unknown
	}
	if undo {
		marks := t.choices.rejectedOf(serverKey(project.Remote), id)
		if len(marks) == 0 {
			return unknown
		}
		return t.rejectWords(ctx, project, marks, true)
	}
	m, err := t.parts.Store.Get(id)
	if err != nil || !repo.IsReceived(&m) || m.ProjectRemote != project.Remote {
		return unknown
	}
	return t.rejectWords(ctx, project, []string{repo.Words(&m)}, false)
}
