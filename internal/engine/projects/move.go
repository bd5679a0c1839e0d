package projects

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
	"recollect/internal/text/consolidate"
)

// moveMemories makes the memories of a project belong to another, and returns how many there
// are. What was read from its files is left out, because the files are read anew. keepRemote
// says that a memory keeps its remote, if it has one: other clones know it by that.
func (q *Projects) moveMemories(ctx context.Context, from, to memory.Project, keepRemote bool) (int, error) {
	var changes []consolidate.Change
	was := map[memory.Project][]string{}
	for m, err := range q.store.Everything() {
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
	q.moves.recordMove(done)
	_, err := q.writer.Amend(ctx, changes)
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

// Count returns how many memories each project has.
func (q *Projects) Count(context.Context, struct{}) (api.Projects, error) {
	return lists.Projects(q.store), nil
}

// Homes lists the projects that have memories.
func (q *Projects) Homes(context.Context, struct{}) (api.ProjectHomes, error) {
	out := api.ProjectHomes{Projects: lists.Homes(q.store)}
	for i := range out.Projects {
		p := &out.Projects[i]
		p.Gone = p.Path != "" && filepath.IsAbs(p.Path) && !exists(p.Path)
	}
	if last, ok := q.moves.last(); ok {
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

// Move gives the memories of a project to another, or undoes that.
func (q *Projects) Move(ctx context.Context, in api.ProjectMove) (api.ProjectMoved, error) {
	if in.Undo {
		return q.undoMove(ctx)
	}
	if fi, err := os.Stat(in.To); err != nil || !fi.IsDir() {
		return api.ProjectMoved{}, &api.BadRequest{Err: fmt.Errorf("%s: is no folder", in.To)}
	}
	found := memory.FindProject(in.To, q.settings.Current().Project.WorkspaceRoot)
	to := clean.Project(found)
	from, err := q.findOne(in.From, to)
	if err != nil {
		return api.ProjectMoved{}, &api.BadRequest{Err: err}
	}
	if isSame(from, to) {
		return api.ProjectMoved{}, &api.BadRequest{Err: fmt.Errorf("both are the project %s at %s", to.Name, to.Path)}
	}
	if q.countOf(to) > 0 && !in.Merge {
		return api.ProjectMoved{}, &api.BadRequest{Err: fmt.Errorf("%s has memories of its own: recollect project merge joins both", to.Path)}
	}
	if _, err := q.moveMemories(ctx, from, to, false); err != nil {
		return api.ProjectMoved{}, err
	}
	q.moves.record(found)
	last, _ := q.moves.last()
	return last.reply(), q.sessions.DropFallbacks()
}

// isSame reports whether two projects have one folder or one remote.
func isSame(a, b memory.Project) bool {
	if a.Path != "" && a.Path == b.Path {
		return true
	}
	return a.Remote != "" && a.Remote == b.Remote
}

func (q *Projects) countOf(p memory.Project) int {
	n := 0
	for _, h := range lists.Homes(q.store) {
		if h.Path == p.Path {
			n += h.Memories
		}
	}
	return n
}

// findOne returns the project with memories that a user called by its folder, remote or
// name. One with a remote is that, whatever folders its clones have; another one its folder, or
// its name alone. A name is not that of to, unless there is no other.
func (q *Projects) findOne(called string, to memory.Project) (memory.Project, error) {
	all := lists.Homes(q.store)
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
func (q *Projects) undoMove(ctx context.Context) (api.ProjectMoved, error) {
	last, ok := q.moves.last()
	if !ok {
		return api.ProjectMoved{}, &api.BadRequest{Err: errors.New("there is no move to undo")}
	}
	changes, n, err := q.changesUndoing(last)
	if err == nil {
		_, err = q.writer.Amend(ctx, changes)
	}
	if err != nil {
		return api.ProjectMoved{}, err
	}
	q.moves.recordUndone()
	out := api.ProjectMoved{At: last.At, From: last.To, To: last.From, Memories: n}
	return out, q.sessions.DropFallbacks()
}

// changesUndoing returns the changes that undo a move, and how many memories go back. What was
// forgotten, or moved on, since stays so; what came to supersede a memory of the other project,
// because both were one, does so no more.
func (q *Projects) changesUndoing(last moved) (changes []consolidate.Change, n int, err error) {
	was := map[string]memory.Project{}
	for _, h := range last.Was {
		for _, id := range h.IDs {
			was[id] = h.Project
		}
	}
	for m, err := range q.store.Everything() {
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
			older, err := q.store.GetEither(id)
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

// AskMoved returns what to ask the user of a folder in which the first session begins, if it may
// be one that is gone: a folder without a repository is not recognized when it is moved.
func (q *Projects) AskMoved(cwd string) string {
	p := q.Adopt(cwd)
	if !filepath.IsAbs(cwd) || !q.moves.mayAsk(p.Path) || q.countOf(p) > 0 {
		return ""
	}
	var lines []string
	for _, h := range lists.Homes(q.store) {
		known := h.Path == "" || h.Remote != "" // by its name or its remote, wherever it lies
		if known || exists(h.Path) || !q.moves.mayBe(p, h.Path) {
			continue
		}
		if lines = append(lines, fmt.Sprintf("%d memories belong to %s, which is gone; if this is it: ! recollect project move %q", h.Memories, h.Path, h.Path)); len(lines) == maxGone {
			break
		}
	}
	return strings.Join(lines, "\n")
}
