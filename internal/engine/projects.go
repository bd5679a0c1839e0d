package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/lists"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/system/logkey"
	"recollect/internal/text/consolidate"
)

// moveIn is how long the memories of a moved repository may take to follow it.
const moveIn = 5 * time.Second

// adoptProject returns the project that a folder lies in, by the names that
// memories have of it. If that is a repository which was moved there, it moves its
// memories first.
func (e *Engine) adoptProject(cwd string) memory.Project {
	found := memory.FindProject(cwd, e.settings.Current().Project.WorkspaceRoot)
	p := clean.Project(found)
	if old := e.moves.cameFrom(found); old != "" {
		ctx, cancel := context.WithTimeout(context.Background(), moveIn)
		defer cancel()
		from := clean.Project(memory.Project{Name: filepath.Base(old), Path: old})
		n, err := e.moveMemories(ctx, from, p, true)
		if err != nil {
			e.log.Warn("move memories", logkey.From, old, logkey.To, p.Path, logkey.Error, err)
			return p
		}
		e.log.Info("project was moved", logkey.From, old, logkey.To, p.Path, logkey.Memories, n)
		e.moves.record(found)
	}
	return p
}

// meetProject is adoptProject for what is stored: it has the project recognized when it is moved,
// and of a folder that was moved before, which transcripts still name, it finds where it is now.
func (e *Engine) meetProject(cwd string) memory.Project {
	if cwd != "" {
		cwd = e.moves.now(filepath.Clean(cwd))
	}
	p := e.adoptProject(cwd)
	e.moves.record(p)
	return p
}

// moveMemories makes the memories of a project belong to another, and returns how many there
// are. What was read from its files is left out, because the files are read anew. keepRemote
// says that a memory keeps its remote, if it has one: other clones know it by that.
func (e *Engine) moveMemories(ctx context.Context, from, to memory.Project, keepRemote bool) (int, error) {
	var changes []consolidate.Change
	was := map[memory.Project][]string{}
	for m, err := range e.Store.Everything() {
		if err != nil {
			return 0, err
		}
		if !isOf(&m, from) {
			continue
		}
		now := m
		now.SetHome(to)
		if keepRemote {
			now.ProjectRemote = cmp.Or(m.ProjectRemote, to.Remote)
		}
		changes = append(changes, consolidate.Change{Was: m, Now: now})
		was[m.Home()] = append(was[m.Home()], m.ID)
	}
	done := moved{At: time.Now().UTC().Truncate(time.Second), From: from, To: to}
	for home, ids := range was {
		done.Was = append(done.Was, homes{home, ids})
	}
	e.moves.begin(done)
	_, err := e.writer.Amend(ctx, changes)
	return len(changes), err
}

// isOf reports whether a memory that can be moved belongs to a project: by its folder or
// remote, or by its name if the project has neither.
func isOf(m *memory.Memory, p memory.Project) bool {
	if m.Source == memory.Registry || m.Source == memory.Team {
		return false
	}
	if p.Path == "" && p.Remote == "" {
		return m.Home() == memory.Project{Name: p.Name} && p.Name != ""
	}
	return isSame(m.Home(), p)
}

// ProjectHomes lists the projects that have memories.
func (e *Engine) ProjectHomes(context.Context, struct{}) (api.ProjectHomes, error) {
	out := api.ProjectHomes{Projects: lists.Homes(e.Store)}
	for i := range out.Projects {
		p := &out.Projects[i]
		p.Gone = p.Path != "" && filepath.IsAbs(p.Path) && !there(p.Path)
	}
	if last, ok := e.moves.last(); ok {
		undo := last.reply()
		out.Undo = &undo
	}
	return out, nil
}

func (d moved) reply() api.ProjectMoved {
	out := api.ProjectMoved{At: d.At, From: d.From, To: d.To}
	for _, h := range d.Was {
		out.Memories += len(h.IDs)
	}
	return out
}

// MoveProject gives the memories of a project to another, or undoes that.
func (e *Engine) MoveProject(ctx context.Context, in api.ProjectMove) (api.ProjectMoved, error) {
	if in.Undo {
		return e.undoMove(ctx)
	}
	if fi, err := os.Stat(in.To); err != nil || !fi.IsDir() {
		return api.ProjectMoved{}, &api.BadRequest{Err: fmt.Errorf("%s: is no folder", in.To)}
	}
	found := memory.FindProject(in.To, e.settings.Current().Project.WorkspaceRoot)
	to := clean.Project(found)
	from, err := e.oneProject(in.From, to)
	if err != nil {
		return api.ProjectMoved{}, &api.BadRequest{Err: err}
	}
	if isSame(from, to) {
		return api.ProjectMoved{}, &api.BadRequest{Err: fmt.Errorf("both are the project %s at %s", to.Name, to.Path)}
	}
	if e.countOf(to) > 0 && !in.Merge {
		return api.ProjectMoved{}, &api.BadRequest{Err: fmt.Errorf("%s has memories of its own: recollect project merge joins both", to.Path)}
	}
	if _, err := e.moveMemories(ctx, from, to, false); err != nil {
		return api.ProjectMoved{}, err
	}
	e.moves.record(found)
	last, _ := e.moves.last()
	return last.reply(), e.sessions.DropFallbacks()
}

// isSame reports whether two projects have one folder or one remote.
func isSame(a, b memory.Project) bool {
	return a.Path != "" && a.Path == b.Path || a.Remote != "" && a.Remote == b.Remote
}

func (e *Engine) countOf(p memory.Project) int {
	n := 0
	for _, h := range lists.Homes(e.Store) {
		if h.Path == p.Path {
			n += h.Memories
		}
	}
	return n
}

// oneProject returns the project with memories that a user called by its folder, remote or
// name. One with a remote is that, whatever folders its clones have; another one its folder, or
// its name alone. A name is not that of to, unless there is no other.
func (e *Engine) oneProject(called string, to memory.Project) (memory.Project, error) {
	all := lists.Homes(e.Store)
	// First those that say more: others may be the same.
	slices.SortStableFunc(all, func(a, b api.ProjectHome) int { return cmp.Compare(b.Remote, a.Remote) })
	if filepath.IsAbs(called) {
		for _, path := range []string{filepath.Clean(called), memory.FindProject(called, "").Path} {
			if i := slices.IndexFunc(all, func(h api.ProjectHome) bool { return h.Path == path }); i >= 0 {
				return all[i].Project, nil
			}
		}
		return memory.Project{}, fmt.Errorf("no memory belongs to %s: recollect project list names the projects", called)
	}
	var found []memory.Project
	for _, h := range all {
		known := slices.ContainsFunc(found, func(p memory.Project) bool { return isSame(p, h.Project) })
		if !known && (h.Name == called || h.Remote == called) {
			found = append(found, h.Project)
		}
	}
	slices.SortFunc(found, func(a, b memory.Project) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Remote, b.Remote))
	})
	if other := slices.DeleteFunc(slices.Clone(found), func(p memory.Project) bool { return isSame(p, to) }); len(other) > 0 {
		found = other
	}
	switch len(found) {
	case 0:
		return memory.Project{}, fmt.Errorf("no memory belongs to a project called %q: recollect project list names the projects", called)
	case 1:
		return found[0], nil
	}
	var at []string
	for _, p := range found {
		at = append(at, cmp.Or(p.Path, p.Remote, p.Name))
	}
	return memory.Project{}, fmt.Errorf("%q is the name of several projects: %s", called, strings.Join(at, ", "))
}

// undoMove gives the memories that were moved last back to where they were.
func (e *Engine) undoMove(ctx context.Context) (api.ProjectMoved, error) {
	last, ok := e.moves.last()
	if !ok {
		return api.ProjectMoved{}, &api.BadRequest{Err: errors.New("there is no move to undo")}
	}
	changes, n, err := e.undoing(last)
	if err == nil {
		_, err = e.writer.Amend(ctx, changes)
	}
	if err != nil {
		return api.ProjectMoved{}, err
	}
	e.moves.undone()
	out := api.ProjectMoved{At: last.At, From: last.To, To: last.From, Memories: n}
	return out, e.sessions.DropFallbacks()
}

// undoing returns the changes that undo a move, and how many memories go back. What was
// forgotten, or moved on, since stays so; what came to supersede a memory of the other project,
// because both were one, does so no more.
func (e *Engine) undoing(last moved) (changes []consolidate.Change, n int, err error) {
	was := map[string]memory.Project{}
	for _, h := range last.Was {
		for _, id := range h.IDs {
			was[id] = h.Project
		}
	}
	for m, err := range e.Store.Everything() {
		if err != nil {
			return nil, 0, err
		}
		if m.ProjectPath != last.To.Path {
			continue
		}
		now := m
		home, goesBack := was[m.ID]
		if goesBack {
			now.SetHome(home)
			n++
		}
		now.Supersedes = slices.DeleteFunc(slices.Clone(m.Supersedes), func(id string) bool {
			_, other := was[id]
			if other || !goesBack {
				return other && !goesBack
			}
			older, err := e.Store.GetEither(id)
			return err == nil && older.ProjectPath == last.To.Path
		})
		if goesBack || len(now.Supersedes) < len(m.Supersedes) {
			changes = append(changes, consolidate.Change{Was: m, Now: now})
		}
	}
	return changes, n, nil
}

// maxGone is how many folders that are gone the user is asked about.
const maxGone = 3

// askMoved returns what to ask the user of a folder in which the first session begins, if it may
// be one that is gone: a folder without a repository is not recognized when it is moved.
func (e *Engine) askMoved(cwd string) string {
	p := e.adoptProject(cwd)
	if !filepath.IsAbs(cwd) || !e.moves.tell(p.Path) || e.countOf(p) > 0 {
		return ""
	}
	var lines []string
	for _, h := range lists.Homes(e.Store) {
		known := h.Path == "" || h.Remote != "" // by its name or its remote, wherever it lies
		if known || there(h.Path) || !e.moves.alike(p, h.Path) {
			continue
		}
		if lines = append(lines, fmt.Sprintf("%d memories belong to %s, which is gone; if this is it: recollect project move %q", h.Memories, h.Path, h.Path)); len(lines) == maxGone {
			break
		}
	}
	return strings.Join(lines, "\n")
}
