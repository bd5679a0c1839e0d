package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/share/repo"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
)

// maxRejected bounds what is rejected of one repository.
const maxRejected = 10 * repo.MaxFiles

// teams knows what was read of each repository's team, and, in team.json, what the user
// looked at last and what was rejected.
type teams struct {
	file *durable.State

	mu   sync.Mutex // held while files are read and stored
	read map[string]teamRead

	state sync.Mutex
	kept  map[string]*teamState // by path of the repository, or servedKey of its remote
}

// teamRead is what was read last.
type teamRead struct {
	stamp   string
	why     string // why nothing is read
	problem string // that, or what is wrong with the folder
	files   []repo.File
}

// teamState is what the user did about one repository's team.
type teamState struct {
	Seen     map[string]string `json:"seen,omitempty"`     // digests by file, at the last look
	SeenAt   time.Time         `json:"seen_at,omitzero"`   // when that was, for what came over a server
	Rejected []string          `json:"rejected,omitempty"` // digests, versions of what came over a server, and team.Words
}

// teamFile is the form of team.json.
type teamFile struct {
	V        int                   `json:"v"`
	Projects map[string]*teamState `json:"projects"`
}

func openTeams(home string, log *slog.Logger) *teams {
	t := &teams{file: durable.NewState(filepath.Join(home, "team.json")), read: map[string]teamRead{}}
	var f teamFile
	if err := t.file.Read(&f); err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("read what was rejected of teams", logkey.Error, err)
	} else if err == nil {
		t.kept = f.Projects
	}
	if t.kept == nil {
		t.kept = map[string]*teamState{}
	}
	return t
}

// seen returns what the user saw at the last look.
func (t *teams) seen(path string) map[string]string {
	t.state.Lock()
	defer t.state.Unlock()
	if s := t.kept[path]; s != nil {
		return s.Seen
	}
	return nil
}

// rejected reports whether the user rejected a file with this content.
func (t *teams) rejected(path, digest string) bool {
	t.state.Lock()
	defer t.state.Unlock()
	s := t.kept[path]
	return s != nil && slices.Contains(s.Rejected, digest)
}

// seenAt returns when the user looked last at what came over a server.
func (t *teams) seenAt(key string) time.Time {
	t.state.Lock()
	defer t.state.Unlock()
	if s := t.kept[key]; s != nil {
		return s.SeenAt
	}
	return time.Time{}
}

// lookedAt records when the user looked at that.
func (t *teams) lookedAt(key string, now time.Time) error {
	return t.change(key, func(s *teamState) error {
		s.SeenAt = now.UTC()
		return nil
	})
}

// rejectedOf returns what was rejected of a memory that came over a server, and what it said.
func (t *teams) rejectedOf(key, id string) []string {
	return t.marks(key, func(rejectedID, _ string) bool { return rejectedID == id })
}

// withCopies adds to marks those of the copies that came over a server.
func (t *teams) withCopies(key string, marks []string) []string {
	return append(t.marks(key, func(_, words string) bool { return slices.Contains(marks, words) }), marks...)
}

// marks returns what was rejected by the id of a memory and a version or words, and the words.
func (t *teams) marks(key string, wanted func(id, said string) bool) (out []string) {
	t.state.Lock()
	defer t.state.Unlock()
	s := t.kept[key]
	if s == nil {
		return nil
	}
	for _, mark := range s.Rejected {
		if id, said, ok := strings.Cut(mark, "@"); ok && wanted(id, said) {
			out = append(out, mark, said)
		}
	}
	return out
}

// looked records what the user has seen.
func (t *teams) looked(path string, now map[string]string) error {
	return t.change(path, func(s *teamState) error {
		s.Seen = now
		return nil
	})
}

// reject records that files with these contents are hidden, or no longer, and has the
// repositories read anew.
func (t *teams) reject(path string, digests []string, undo bool) error {
	err := t.change(path, func(s *teamState) error {
		s.Rejected = slices.DeleteFunc(slices.Clone(s.Rejected), func(d string) bool { return slices.Contains(digests, d) })
		if !undo {
			s.Rejected = append(s.Rejected, digests...)
		}
		if len(s.Rejected) > maxRejected {
			return fmt.Errorf("reject: more than %d of one repository", maxRejected)
		}
		return nil
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.read) // what was rejected may be in another clone
	return err
}

// change changes what is kept of a repository.
func (t *teams) change(path string, change func(*teamState) error) error {
	t.state.Lock()
	defer t.state.Unlock()
	if err := t.file.Newer(); err != nil {
		return err
	}
	s := teamState{}
	if old := t.kept[path]; old != nil {
		s = *old
	}
	if err := change(&s); err != nil {
		return err
	}
	if len(t.kept) >= maxSurveyed && t.kept[path] == nil {
		return fmt.Errorf("team.json: has %d repositories already", maxSurveyed)
	}
	t.kept[path] = &s
	return t.file.Write(teamFile{V: 1, Projects: t.kept})
}

// problems names the files that are left out.
func (t *teams) problems() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for path, read := range t.read {
		if read.problem != read.why {
			out = append(out, fmt.Sprintf("%s: %s", path, read.problem))
		}
		for _, f := range read.files {
			if f.Err != nil && !errors.Is(f.Err, repo.ErrSame) {
				out = append(out, fmt.Sprintf("%s: %v", filepath.Join(path, repo.Folder, f.Name), f.Err))
			}
		}
	}
	slices.Sort(out)
	return out
}
