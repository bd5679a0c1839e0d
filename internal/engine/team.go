package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/share/repo"
	"recollect/internal/system/logkey"
	"recollect/internal/system/trust"
)

// followTeam brings the memories that a team shares in the repository of a folder up to
// date with its files, if they have changed.
func (e *Engine) followTeam(ctx context.Context, cwd string, now time.Time) {
	if !filepath.IsAbs(cwd) {
		return
	}
	project := e.adoptProject(cwd)
	if e.pauses.Now("", project) {
		return
	}
	if _, err := e.readTeam(ctx, cwd, project, now); err != nil {
		e.log.Warn("follow team", logkey.Project, project.Path, logkey.Error, err)
	}
}

// whyNoTeam says why nothing is read from the repository of a folder, "" if it is.
func (e *Engine) whyNoTeam(cwd string, project memory.Project) string {
	user, err := os.UserHomeDir()
	switch {
	case project.Path == "" || filepath.Dir(project.Path) == project.Path || err == nil && liesIn(user, project.Path):
		return "this is no repository, but the home folder or one around it"
	case !isRepository(project.Path):
		return "this is no git repository of yours"
	case sameFolder(filepath.Join(project.Path, repo.Folder), e.home):
		return "this is recollect's own data folder"
	case !e.settings.Current().Sources.Team.Enabled:
		return "sources.team is off in your config.toml"
	case e.repository(cwd).NoTeam:
		return "team = false in .recollect.toml"
	}
	return ""
}

// isRepository reports whether a folder is a git repository in which no other user of this
// machine has made what is read: git does not read those of others either.
func isRepository(path string) bool {
	if trust.Foreign(filepath.Join(path, repo.Folder)) || trust.Foreign(filepath.Join(path, ".git")) {
		return false
	}
	top, _ := memory.WorkTree(path)
	return top == memory.Follow(path)
}

// liesIn reports whether path is folder or lies in it.
func liesIn(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// sameFolder reports whether two paths lead to one folder.
func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// readTeam reads the files of a team if they have changed, and makes the memories in the
// store what they say. It returns the files, as they were last read.
func (e *Engine) readTeam(ctx context.Context, cwd string, project memory.Project, now time.Time) (teamRead, error) {
	e.teams.mu.Lock()
	defer e.teams.mu.Unlock()
	why, stamp := e.whyNoTeam(cwd, project), ""
	if why == "" {
		stamp = repo.Stamp(project.Path)
	}
	last, known := e.teams.read[project.Path]
	if known && last.stamp == stamp && last.why == why {
		return last, nil
	}
	read := teamRead{stamp: stamp, why: why, problem: why}
	if why == "" {
		var err error
		if read.files, err = repo.Read(project.Path, now); err != nil {
			read.problem = repo.Folder + " " + err.Error()
		}
	}
	if err := e.storeTeam(ctx, project, read.files); err != nil {
		return read, err
	}
	if len(e.teams.read) >= maxSurveyed {
		clear(e.teams.read)
	}
	e.teams.read[project.Path] = read
	return read, nil
}

// storeTeam makes the memories that the store has of a team what its files say.
func (e *Engine) storeTeam(ctx context.Context, project memory.Project, files []repo.File) error {
	want := map[string]clean.Memory{}
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
		if f.Err == nil && !e.rejectedFile(project, f) {
			want[f.ID] = m
		}
	}
	var gone []string
	for m, err := range e.Store.Source(memory.Team) {
		if err != nil {
			return fmt.Errorf("read what the team shared: %w", err)
		}
		if repo.IsServed(&m) {
			continue
		}
		if m.ProjectPath != project.Path {
			if _, err := os.Lstat(m.ProjectPath); errors.Is(err, fs.ErrNotExist) {
				gone = append(gone, m.ID) // the whole repository is
			}
			continue
		}
		fresh, ok := want[m.ID]
		switch {
		case !ok:
			gone = append(gone, m.ID)
		case sameTeam(m, fresh.Memory()):
			delete(want, m.ID)
		}
	}
	if len(gone) > 0 {
		if _, err := e.writer.DeleteAll(ctx, gone); err != nil {
			return fmt.Errorf("drop what the team no longer shares: %w", err)
		}
		if err := e.sessions.DropFallbacks(); err != nil { // a hook would inject them without asking
			return err
		}
	}
	var put []clean.Memory
	for _, m := range want {
		put = append(put, m.Recorded(time.Now()))
	}
	if len(put) == 0 {
		return nil
	}
	slices.SortFunc(put, func(a, b clean.Memory) int { return strings.Compare(a.Memory().ID, b.Memory().ID) })
	if err := e.writer.Append(ctx, put); err != nil {
		return fmt.Errorf("store what the team shares: %w", err)
	}
	return nil
}

// sameTeam reports whether two memories with one id are of the same file and in the same
// standing.
func sameTeam(a, b memory.Memory) bool {
	return a.Title == b.Title && a.Body() == b.Body() && a.Evidence == b.Evidence && a.Turn == b.Turn && a.OccurredAt.Equal(b.OccurredAt) && slices.Equal(a.Tags, b.Tags) && slices.Equal(a.Files, b.Files)
}

// Team lists the files that the team of a folder's repository shares, after it has read
// them.
func (e *Engine) Team(ctx context.Context, in api.Team) (api.TeamFiles, error) {
	project := e.adoptProject(in.Cwd)
	read, err := e.readTeam(ctx, in.Cwd, project, time.Now())
	if err != nil {
		return api.TeamFiles{}, err
	}
	if err := e.waitForIndex(ctx); err != nil { // so that the next prompt finds them
		return api.TeamFiles{}, err
	}
	out := api.TeamFiles{Folder: filepath.Join(project.Path, repo.Folder), Files: []api.TeamFile{}, Why: read.problem}
	seen := e.teams.seen(project.Path)
	now := map[string]string{}
	for i := range read.files {
		f := &read.files[i]
		now[f.Name] = f.Digest
		shown := e.teamFile(project, f)
		switch before, ok := seen[f.Name]; {
		case !ok:
			shown.Change = api.TeamNew
		case before != f.Digest:
			shown.Change = api.TeamChanged
		}
		out.Files = append(out.Files, shown)
	}
	for name := range seen {
		if _, ok := now[name]; !ok && read.why == "" {
			out.Files = append(out.Files, api.TeamFile{File: name, Change: api.TeamRemoved})
		}
	}
	slices.SortFunc(out.Files, func(a, b api.TeamFile) int { return strings.Compare(a.File, b.File) })
	if read.why == "" {
		if err := e.addServed(&out, project, in.Look); err != nil {
			return out, err
		}
	}
	if in.Look && read.why == "" {
		err = e.teams.looked(project.Path, now)
	}
	return out, err
}

func (e *Engine) teamFile(project memory.Project, f *repo.File) api.TeamFile {
	s := &f.Shared
	out := api.TeamFile{File: f.Name, ID: f.ID, Kind: s.Kind, Title: s.Title, Author: s.Author, Date: s.Date, Gone: f.Gone}
	switch {
	case f.Err != nil:
		return api.TeamFile{File: f.Name, Out: f.Err.Error(), Bad: !errors.Is(f.Err, repo.ErrSame)}
	case e.rejectedFile(project, f):
		out.Out = "you rejected it"
	case s.ID != "" && e.Store.Known(s.ID):
		out.Out = "it is a copy of your own " + s.ID
	}
	return out
}

// RejectTeam hides memories of a team on this machine, with all copies of them, or shows them
// again.
func (e *Engine) RejectTeam(ctx context.Context, in api.TeamReject) (api.TeamFiles, error) {
	project := e.adoptProject(in.Cwd)
	read, err := e.readTeam(ctx, in.Cwd, project, time.Now())
	if err != nil {
		return api.TeamFiles{}, err
	}
	for _, id := range in.IDs {
		marks := marksOf(read.files, id)
		if len(marks) > 0 {
			err = e.rejectWords(ctx, project, marks, in.Undo)
		} else {
			err = e.rejectServed(ctx, project, id, in.Undo)
		}
		if err != nil {
			return api.TeamFiles{}, err
		}
	}
	return e.Team(ctx, api.Team{Cwd: in.Cwd})
}

// marksOf returns the checksums and the words of the files that have an id or a name.
func marksOf(files []repo.File, id string) (marks []string) {
	for i := range files {
		f := &files[i]
		named := id == f.Name || id == repo.Folder+"/"+f.Name
		if f.Words != "" && (named || id == f.ID || id == f.Shared.ID) {
			marks = append(marks, f.Digest, f.Words)
		}
	}
	return marks
}

// rejectedFile reports whether the user rejected a file, or what it says.
func (e *Engine) rejectedFile(project memory.Project, f *repo.File) bool {
	return e.teams.rejected(project.Path, f.Digest) || e.rejectedWords(project, f.Words)
}

// rejectedWords reports whether the user rejected what a memory says, in this repository or in
// another clone of it, or as it came over the server.
func (e *Engine) rejectedWords(project memory.Project, words string) bool {
	return project.Path != "" && e.teams.rejected(project.Path, words) || project.Remote != "" && e.teams.rejected(servedKey(project.Remote), words)
}

// rejectWords hides what has one of these marks in a repository, and all of it that came over the
// server, or shows it again.
func (e *Engine) rejectWords(ctx context.Context, project memory.Project, marks []string, undo bool) error {
	if project.Path != "" {
		if err := e.teams.reject(project.Path, marks, undo); err != nil {
			return err
		}
	}
	if project.Remote == "" {
		return nil
	}
	key := servedKey(project.Remote)
	if undo {
		if err := e.teams.reject(key, e.teams.withCopies(key, marks), true); err != nil || !e.stream.Joined(project.Remote) {
			return err
		}
		return e.stream.Replay(project.Remote)
	}
	all, err := e.servedHere(project.Remote)
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
	if err := e.teams.reject(key, marks, false); err != nil {
		return err
	}
	return e.dropServed(ctx, ids)
}

// copyMark names a memory that came over the server with what it says, so that its id is enough
// to have it shown again.
func copyMark(m *memory.Memory) string { return m.ID + "@" + repo.Words(m) }

// rejectForgotten hides what a user forgot of what a team shared: its file is still there, and so
// may be copies of it.
func (e *Engine) rejectForgotten(ctx context.Context, deleted []memory.Memory) error {
	for i := range deleted {
		m := &deleted[i]
		if m.Source != memory.Team {
			continue
		}
		marks := []string{repo.Words(m)}
		if repo.IsServed(m) {
			marks = append(marks, copyMark(m))
		} else if digest, err := repo.Digest(m.ProjectPath, repo.FileOf(m)); err == nil {
			marks = append(marks, digest)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("hide %s: %w", m.Evidence, err)
		}
		if err := e.rejectWords(ctx, m.Home(), marks, false); err != nil {
			return fmt.Errorf("hide %s: %w", m.ID, err)
		}
	}
	return nil
}
