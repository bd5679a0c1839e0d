package engine

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/internal/clean"
	"recollect/internal/consolidate"
	"recollect/internal/durable"
	"recollect/internal/logkey"
	"recollect/internal/memory"
)

const (
	// maxSteps bounds the repositories whose last step is stored.
	maxSteps = 1000
	// moveIn is how long the memories of a moved repository may take to follow it.
	moveIn = 5 * time.Second
)

// moves recognises repositories without a remote after they were moved or renamed: a
// new repository is a moved one when its history contains the last step that was seen
// of one that no longer lies where it did. It is stored in projects.json.
type moves struct {
	file *durable.State
	log  *slog.Logger

	mu    sync.Mutex
	steps map[string]string // by path of the repository
	asked map[string]bool   // paths that this daemon has asked about
}

func openMoves(home string, log *slog.Logger) *moves {
	m := &moves{file: durable.NewState(filepath.Join(home, "projects.json")), log: log, asked: map[string]bool{}}
	err := m.file.Read(&m.steps)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("read projects; moved repositories will not be recognised", logkey.Error, err)
	}
	if err != nil || m.steps == nil {
		m.steps = map[string]string{}
	}
	return m
}

// record stores the last step of a repository.
func (m *moves) record(p memory.Project) {
	if p.Remote != "" {
		return
	}
	step := p.LastStep()
	m.mu.Lock()
	defer m.mu.Unlock()
	if step == "" || m.steps[p.Path] == step {
		return
	}
	if len(m.steps) >= maxSteps {
		clear(m.steps)
	}
	m.steps[p.Path] = step
	m.save()
}

// cameFrom returns where the repository of p lay before, "" if it was not moved. It
// checks each path once.
func (m *moves) cameFrom(p memory.Project) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.Remote != "" || p.Path == "" || m.asked[p.Path] {
		return ""
	}
	if len(m.asked) >= maxSteps {
		clear(m.asked)
	}
	m.asked[p.Path] = true
	if m.steps[p.Path] != "" {
		return ""
	}
	steps := p.Steps()
	for _, old := range slices.Sorted(maps.Keys(m.steps)) {
		if step := m.steps[old]; steps[step] && !(memory.Project{Path: old}).Steps()[step] {
			return old
		}
	}
	return ""
}

// done records that the memories of the old path have been moved.
func (m *moves) done(old string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.steps, old)
	m.save()
}

func (m *moves) save() {
	if err := m.file.Write(m.steps); err != nil {
		m.log.Warn("save projects", logkey.Error, err)
	}
}

// adoptProject returns the project that a folder lies in, by the names that
// memories have of it. If that is a repository which was moved there, it moves its
// memories first.
func (e *Engine) adoptProject(cwd string) memory.Project {
	found := memory.FindProject(cwd, e.settings.Current().Project.WorkspaceRoot)
	p := clean.Project(found)
	if old := e.moves.cameFrom(found); old != "" {
		ctx, cancel := context.WithTimeout(context.Background(), moveIn)
		defer cancel()
		n, err := e.moveMemories(ctx, clean.Project(memory.Project{Path: old}).Path, p)
		if err != nil {
			e.log.Warn("move memories", logkey.From, old, logkey.To, p.Path, logkey.Error, err)
			return p
		}
		e.log.Info("project was moved", logkey.From, old, logkey.To, p.Path, logkey.Memories, n)
		e.moves.done(old)
		e.moves.record(found)
	}
	return p
}

// moveMemories makes the memories of the repository at the path old belong to p. What
// was read from its files is left out, because the files are read anew.
func (e *Engine) moveMemories(ctx context.Context, old string, p memory.Project) (int, error) {
	var changes []consolidate.Change
	for m, err := range e.Store.Everything() {
		if err != nil {
			return 0, err
		}
		if m.ProjectPath == old && m.ProjectRemote == "" && m.Source != memory.Registry && m.Source != memory.Team {
			now := m
			now.SetHome(p)
			changes = append(changes, consolidate.Change{Was: m, Now: now})
		}
	}
	_, err := e.writer.Amend(ctx, changes)
	return len(changes), err
}
