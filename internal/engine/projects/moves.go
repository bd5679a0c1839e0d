package projects

import (
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/memory"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
)

const (
	// maxSteps bounds the repositories whose last step is stored, and the other lists.
	maxSteps = 1000
	// maxMoves is how many moves can be undone.
	maxMoves = 10
)

// moves recognises repositories after they were moved or renamed: a new repository is
// a moved one when its history contains the last step that was seen of one that no
// longer lies where it did; or, if git has kept no history of steps, the last commit.
// Steps are stored in projects.json, the rest in moves.json.
type moves struct {
	file, rest *durable.State
	log        *slog.Logger

	saving sync.Mutex // held while the files are written, when others may read

	mu      sync.Mutex
	steps   map[string]string // by path of the repository
	checked map[string]bool   // paths of which this daemon has looked where they came from
	moveState
}

// A moveState is what moves.json has.
type moveState struct {
	V        int               `json:"v"`
	Commits  map[string]string `json:"commits,omitempty"` // the last one of a repository, by its path
	Numbers  map[string]string `json:"numbers,omitempty"` // what the file system calls a folder, by its path
	Now      map[string]string `json:"now,omitempty"`     // where what lay at a path lies
	Asked    map[string]bool   `json:"asked,omitempty"`   // paths of which the user was asked whether they are another that is gone
	OldAsked map[string]bool   `json:"told,omitempty"`    // what earlier versions called Asked
	Done     []moved           `json:"done,omitempty"`    // the last one last
}

// A moved says which memories were given to another project, and how to undo that.
type moved struct {
	At   time.Time      `json:"at"`
	From memory.Project `json:"from"`
	To   memory.Project `json:"to"`
	Was  []homes        `json:"was"`
}

// homes are memories that belonged to one project.
type homes struct {
	Project memory.Project `json:"project"`
	IDs     []string       `json:"ids"`
}

func openMoves(home string, log *slog.Logger) *moves {
	m := &moves{
		file: durable.NewState(filepath.Join(home, "projects.json")), rest: durable.NewState(filepath.Join(home, "moves.json")),
		log: log, checked: map[string]bool{},
	}
	err := m.file.Read(&m.steps)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("read projects; moved repositories will not be recognised", logkey.Error, err)
	}
	if err != nil || m.steps == nil {
		m.steps = map[string]string{}
	}
	if err := m.rest.Read(&m.moveState); err != nil {
		m.moveState = moveState{}
		if !errors.Is(err, fs.ErrNotExist) {
			log.Warn("read moves; what was moved cannot be undone", logkey.Error, err)
		}
	}
	if m.Asked == nil {
		m.Asked = m.OldAsked
	}
	m.OldAsked = nil
	return m
}

// record stores the last step and commit of a repository, or of a folder its number.
func (m *moves) record(p memory.Project) {
	if p.Path == "" {
		return
	}
	step, commit, number := p.LastStep(), p.LastCommit(), ""
	if step == "" && commit == "" {
		number = folderNumber(p.Path)
	}
	m.mu.Lock()
	a, b, c := setKey(&m.steps, p.Path, step), setKey(&m.Commits, p.Path, commit), setKey(&m.Numbers, p.Path, number)
	m.mu.Unlock()
	if a {
		m.save()
	}
	if b || c {
		m.saveRest()
	}
}

// setKey sets a key, and reports whether that changes anything. A full map loses any other.
func setKey(all *map[string]string, key, value string) bool {
	if value == "" || (*all)[key] == value {
		return false
	}
	if *all == nil {
		*all = map[string]string{}
	}
	for other := range *all {
		if len(*all) < maxSteps {
			break
		}
		delete(*all, other)
	}
	(*all)[key] = value
	return true
}

// cameFrom returns where the repository of p lay before, "" if it was not moved. It
// checks each path once.
func (m *moves) cameFrom(p memory.Project) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.Path == "" || m.checked[p.Path] {
		return ""
	}
	if len(m.checked) >= maxSteps {
		clear(m.checked)
	}
	m.checked[p.Path] = true
	if m.steps[p.Path] != "" || m.Commits[p.Path] != "" {
		return ""
	}
	steps, whole := p.Steps(), p.Whole()
	same := func(old string) bool {
		if step := m.steps[old]; step != "" && steps[step] {
			return true
		}
		return !whole && m.Commits[old] != "" && p.HasCommit(m.Commits[old])
	}
	found := ""
	for _, old := range m.paths() {
		if !same(old) {
			continue
		}
		// Where a repository is still there, or two are gone, which have the same history, nobody
		// knows of which it is a copy.
		if found != "" || m.isStillAt(old) {
			return ""
		}
		found = old
	}
	return found
}

// paths lists the repositories that are known, sorted.
func (m *moves) paths() []string {
	all := maps.Clone(m.steps)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, m.Commits)
	return slices.Sorted(maps.Keys(all))
}

// isStillAt reports whether a repository lies where it did.
func (m *moves) isStillAt(path string) bool {
	p := memory.Project{Path: path}
	if step := m.steps[path]; step != "" && p.Steps()[step] {
		return true
	}
	return m.Commits[path] != "" && p.HasCommit(m.Commits[path])
}

// placeNow returns the folder to which what lay at a path was moved, if it is gone, else the path.
func (m *moves) placeNow(path string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for range 5 {
		next := ""
		for old, to := range m.Now {
			if path == old || strings.HasPrefix(path, old+string(filepath.Separator)) {
				next = to
			}
		}
		if next == "" || exists(path) {
			break
		}
		path = next
	}
	return path
}

// exists reports whether there is something at a path, or may be.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// recordMove records a move before it is made, so that it can be undone if it is interrupted.
func (m *moves) recordMove(done moved) {
	defer m.saveRest()
	defer m.save()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Done = append(m.Done, done)
	m.Done = m.Done[max(0, len(m.Done)-maxMoves):]
	if from, to := done.From.Path, done.To.Path; from != "" && to != "" {
		delete(m.Now, to)
		setKey(&m.Now, from, to)
		delete(m.steps, from)
		delete(m.Commits, from)
		delete(m.Numbers, from)
		delete(m.checked, from) // what lies there later may be what was moved, back again
	}
}

// last returns the last move, false if there is none.
func (m *moves) last() (moved, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.Done) == 0 {
		return moved{}, false
	}
	return m.Done[len(m.Done)-1], true
}

// recordUndone records that the last move was undone.
func (m *moves) recordUndone() {
	defer m.saveRest()
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.Done); n > 0 {
		delete(m.Now, m.Done[n-1].From.Path)
		m.Done = m.Done[:n-1]
	}
}

// mayAsk reports whether the user was not yet asked of a path, and records that they were.
func (m *moves) mayAsk(path string) bool {
	m.mu.Lock()
	asked := m.Asked[path]
	if m.Asked == nil || len(m.Asked) >= maxSteps {
		m.Asked = map[string]bool{}
	}
	m.Asked[path] = true
	m.mu.Unlock()
	if path == "" || asked {
		return false
	}
	m.saveRest()
	return true
}

// mayBe reports whether a folder may be another that is gone: it has its name, its number, or
// its history.
func (m *moves) mayBe(p memory.Project, gone string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if filepath.Base(gone) == filepath.Base(p.Path) || p.HasCommit(m.Commits[gone]) {
		return true
	}
	number, step := m.Numbers[gone], m.steps[gone]
	if number != "" && number == folderNumber(p.Path) {
		return true
	}
	return step != "" && p.Steps()[step]
}

func (m *moves) save() {
	m.saving.Lock()
	defer m.saving.Unlock()
	m.mu.Lock()
	steps := maps.Clone(m.steps)
	m.mu.Unlock()
	if err := m.file.Write(steps); err != nil {
		m.log.Warn("save projects", logkey.Error, err)
	}
}

func (m *moves) saveRest() {
	m.saving.Lock()
	defer m.saving.Unlock()
	m.mu.Lock()
	rest := moveState{V: 1, Commits: maps.Clone(m.Commits), Numbers: maps.Clone(m.Numbers), Now: maps.Clone(m.Now), Asked: maps.Clone(m.Asked), Done: slices.Clone(m.Done)}
	m.mu.Unlock()
	if err := m.rest.Write(rest); err != nil {
		m.log.Warn("save moves", logkey.Error, err)
	}
}
