// Package projects knows the project that a folder lies in, by the names that memories have of it. A
// repository that was moved is recognized, and its memories follow it; the user may move those of
// other projects, and undo that.
package projects

import (
	"cmp"
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"recollect/internal/config"
	"recollect/internal/engine/sessions"
	"recollect/internal/engine/writer"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
	"recollect/internal/system/logkey"
)

// moveIn is how long the memories of a moved repository may take to follow it.
const moveIn = 5 * time.Second

// Projects are those of a data folder. Open is the only way to make them.
type Projects struct {
	settings *config.Live
	store    *store.Store
	writer   *writer.Writer
	sessions *sessions.Sessions
	moves    *moves
	log      *slog.Logger
}

// Open reads where the projects of home lie.
func Open(home string, settings *config.Live, s *store.Store, w *writer.Writer, ss *sessions.Sessions, log *slog.Logger) *Projects {
	return &Projects{settings: settings, store: s, writer: w, sessions: ss, moves: openMoves(home, log), log: log}
}

// Newer returns an error if a newer version wrote where projects were.
func (q *Projects) Newer() error { return q.moves.file.Newer() }

// NewerMoves returns an error if a newer version wrote what was moved.
func (q *Projects) NewerMoves() error { return q.moves.rest.Newer() }

// Adopt returns the project that a folder lies in. If that is a repository which was moved there, it
// moves its memories first.
func (q *Projects) Adopt(cwd string) memory.Project {
	found := memory.FindProject(cwd, q.settings.Current().Project.WorkspaceRoot)
	p := clean.Project(found)
	if old := q.moves.cameFrom(found); old != "" {
		ctx, cancel := context.WithTimeout(context.Background(), moveIn)
		defer cancel()
		from := clean.Project(memory.Project{Name: filepath.Base(old), Path: old})
		n, err := q.moveMemories(ctx, from, p, true)
		if err != nil {
			q.log.Warn("move memories", logkey.From, old, logkey.To, p.Path, logkey.Error, err)
			return p
		}
		q.log.Info("project was moved", logkey.From, old, logkey.To, p.Path, logkey.Memories, n)
		q.moves.record(found)
	}
	return p
}

// Meet is Adopt for what is stored: it has the project recognized when it is moved, and of a folder
// that was moved before, which transcripts still name, it finds where it is now.
func (q *Projects) Meet(cwd string) memory.Project {
	if cwd != "" {
		cwd = q.moves.placeNow(filepath.Clean(cwd))
	}
	p := q.Adopt(cwd)
	q.moves.record(p)
	return p
}

// Record notes where a project is, so that it is recognized when it is moved.
func (q *Projects) Record(p memory.Project) { q.moves.record(p) }

// Named returns the project that a user called by name or by path: the current one where that fits,
// else the one at the path, else any of that name.
func (q *Projects) Named(name string, current memory.Project) memory.Project {
	switch {
	case name == current.Name || name == current.Path:
		return current
	case filepath.IsAbs(name):
		return q.Adopt(name)
	}
	return clean.Project(memory.Project{Name: name})
}

// Root returns what a user called a project: a name as it is, and for a path the root of the project
// that it lies in.
func (q *Projects) Root(project string) string {
	if !filepath.IsAbs(project) {
		return project
	}
	return cmp.Or(q.Adopt(project).Path, project)
}
