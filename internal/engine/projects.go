package engine

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/internal/consolidate"
	"recollect/internal/durable"
	"recollect/internal/logkey"
	"recollect/internal/memory"
)

const (
	// maxSteps bounds the repositories whose last step is kept.
	maxSteps = 1000
	// moveIn is how long the memories of a repository may take to follow it.
	moveIn = 5 * time.Second
)

// moves knows repositories that have no remote again when they were moved or
// renamed: one that is new here, and went through the last step that was seen
// of one that is no longer where it was, is that one. It lies in projects.json.
type moves struct {
	path string
	log  *slog.Logger

	mu    sync.Mutex
	steps map[string]string // by path of the repository
	asked map[string]bool   // paths that this daemon has asked about
}

func openMoves(home string, log *slog.Logger) *moves {
	m := &moves{path: filepath.Join(home, "projects.json"), log: log, steps: map[string]string{}, asked: map[string]bool{}}
	if b, err := os.ReadFile(m.path); err == nil && json.Unmarshal(b, &m.steps) != nil {
		log.Warn("read projects.json: not as it was written; moved repositories are not known again")
	}
	if m.steps == nil {
		m.steps = map[string]string{}
	}
	return m
}

// record keeps the last step of a repository.
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

// cameFrom returns where the repository of p lay before, "" if it was not
// moved. Each is asked about once.
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

// done notes that what belonged to the old path has followed.
func (m *moves) done(old string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.steps, old)
	m.save()
}

func (m *moves) save() {
	b, err := json.Marshal(m.steps)
	if err == nil {
		err = durable.WriteFile(m.path, b, 0o600)
	}
	if err != nil {
		m.log.Warn("keep projects", logkey.Error, err)
	}
}

// adoptProject returns the project that a folder lies in, and makes the memories
// of a repository that was moved there its own.
func (e *Engine) adoptProject(cwd string) memory.Project {
	p := memory.FindProject(cwd, e.settings.Current().Project.WorkspaceRoot)
	if old := e.moves.cameFrom(p); old != "" {
		ctx, cancel := context.WithTimeout(context.Background(), moveIn)
		defer cancel()
		n, err := e.moveMemories(ctx, old, p)
		if err != nil {
			e.log.Warn("move memories", logkey.From, old, logkey.To, p.Path, logkey.Error, err)
			return p
		}
		e.log.Info("project was moved", logkey.From, old, logkey.To, p.Path, logkey.Memories, n)
		e.moves.done(old)
		e.moves.record(p)
	}
	return p
}

// moveMemories makes the memories of the repository at a path belong to p, but for
// what was read off its files: p has these, and they are read anew.
func (e *Engine) moveMemories(ctx context.Context, old string, p memory.Project) (int, error) {
	var changes []consolidate.Change
	for m, err := range e.Store.All() {
		if err != nil {
			return 0, err
		}
		if m.ProjectPath == old && m.ProjectRemote == "" && m.Source != memory.Registry {
			now := m
			now.SetHome(p)
			changes = append(changes, consolidate.Change{Was: m, Now: now})
		}
	}
	_, err := e.writer.Amend(ctx, changes)
	return len(changes), err
}
