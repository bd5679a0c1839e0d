package teams

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

const (
	// maxRejected bounds what is rejected of one repository.
	maxRejected = 10 * repo.MaxFiles
	// maxRepositories bounds the repositories of which something is known.
	maxRepositories = 1000
)

// choices know what was read of each repository's team, and, in team.json, what the user
// looked at last and what was rejected.
type choices struct {
	file *durable.State

	mu   sync.Mutex // held while files are read and stored
	read map[string]reading

	state sync.Mutex
	kept  map[string]*choice // by path of the repository, or serverKey of its remote
}

// reading is what was read last.
type reading struct {
	stamp   string
	why     string // why nothing is read
	problem string // that, or what is wrong with the folder
	files   []repo.File
}

// choice is what the user did about one repository's team.
type choice struct {
	Seen     map[string]string `json:"seen,omitempty"`     // digests by file, at the last look
	SeenAt   time.Time         `json:"seen_at,omitzero"`   // when that was, for what came over a server
	Rejected []string          `json:"rejected,omitempty"` // digests, versions of what came over a server, and repo.Words
}

// choicesFile is the form of team.json.
type choicesFile struct {
	V        int                `json:"v"`
	Projects map[string]*choice `json:"projects"`
}

func openChoices(home string, log *slog.Logger) *choices {
	c := &choices{file: durable.NewState(filepath.Join(home, "team.json")), read: map[string]reading{}}
	var f choicesFile
	if err := c.file.Read(&f); err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("read what was rejected of teams", logkey.Error, err)
	} else if err == nil {
		c.kept = f.Projects
	}
	if c.kept == nil {
		c.kept = map[string]*choice{}
	}
	return c
}

// seen returns what the user saw at the last look.
func (c *choices) seen(path string) map[string]string {
	c.state.Lock()
	defer c.state.Unlock()
	if s := c.kept[path]; s != nil {
		return s.Seen
	}
	return nil
}

// isRejected reports whether the user rejected a file with this content.
func (c *choices) isRejected(path, digest string) bool {
	c.state.Lock()
	defer c.state.Unlock()
	s := c.kept[path]
	return s != nil && slices.Contains(s.Rejected, digest)
}

// seenAt returns when the user looked last at what came over a server.
func (c *choices) seenAt(key string) time.Time {
	c.state.Lock()
	defer c.state.Unlock()
	if s := c.kept[key]; s != nil {
		return s.SeenAt
	}
	return time.Time{}
}

// recordLookAt records when the user looked at that.
func (c *choices) recordLookAt(key string, now time.Time) error {
	return c.changeChoice(key, func(s *choice) error {
		s.SeenAt = now.UTC()
		return nil
	})
}

// rejectedOf returns what was rejected of a memory that came over a server, and what it said.
func (c *choices) rejectedOf(key, id string) []string {
	return c.findMarks(key, func(rejectedID, _ string) bool { return rejectedID == id })
}

// withCopies adds to marks those of the copies that came over a server.
func (c *choices) withCopies(key string, marks []string) []string {
	return append(c.findMarks(key, func(_, words string) bool { return slices.Contains(marks, words) }), marks...)
}

// findMarks returns what was rejected by the id of a memory and a version or words, and the words.
func (c *choices) findMarks(key string, wanted func(id, said string) bool) (out []string) {
	c.state.Lock()
	defer c.state.Unlock()
	s := c.kept[key]
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

// recordLook records what the user has seen.
func (c *choices) recordLook(path string, now map[string]string) error {
	return c.changeChoice(path, func(s *choice) error {
		s.Seen = now
		return nil
	})
}

// recordReject records that files with these contents are hidden, or no longer, and has the
// repositories read anew.
func (c *choices) recordReject(path string, digests []string, undo bool) error {
	err := c.changeChoice(path, func(s *choice) error {
		s.Rejected = slices.DeleteFunc(slices.Clone(s.Rejected), func(d string) bool { return slices.Contains(digests, d) })
		if !undo {
			s.Rejected = append(s.Rejected, digests...)
		}
		if len(s.Rejected) > maxRejected {
			return fmt.Errorf("reject: more than %d of one repository", maxRejected)
		}
		return nil
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.read) // what was rejected may be in another clone
	return err
}

// changeChoice changes what is kept of a repository.
func (c *choices) changeChoice(path string, change func(*choice) error) error {
	c.state.Lock()
	defer c.state.Unlock()
	if err := c.file.Newer(); err != nil {
		return err
	}
	s := choice{}
	if old := c.kept[path]; old != nil {
		s = *old
	}
	if err := change(&s); err != nil {
		return err
	}
	if len(c.kept) >= maxRepositories && c.kept[path] == nil {
		return fmt.Errorf("team.json: has %d repositories already", maxRepositories)
	}
	c.kept[path] = &s
	return c.file.Write(choicesFile{V: 1, Projects: c.kept})
}

// listProblems names the files that are left out.
func (c *choices) listProblems() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for path, read := range c.read {
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
