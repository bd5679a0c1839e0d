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
	// maxRejected is the most marks that may be rejected in one repository.
	maxRejected = 10 * repo.MaxFiles
	// maxRepositories is the most repositories that have choices.
	maxRepositories = 1000
)

// choices records, in team.json, what the user has looked at and rejected in each
// repository. It also keeps the files of each repository as they were last read.
type choices struct {
	file *durable.State

	mu   sync.Mutex // held while files are read and stored
	read map[string]reading

	state sync.Mutex
	kept  map[string]*choice // by path of the repository, or serverKey of its remote
}

// A reading is the result of reading the files of a team.
type reading struct {
	stamp   string
	why     string // why nothing is read
	problem string // why, or what is wrong with the folder
	files   []repo.File
}

// A choice is what the user has looked at and rejected in one repository.
type choice struct {
	Seen     map[string]string `json:"seen,omitempty"`     // digests by file, at the last look
	SeenAt   time.Time         `json:"seen_at,omitzero"`   // when the user last looked at received memories
	Rejected []string          `json:"rejected,omitempty"` // marks: digests, versions, repo.Words and copyMark
}

// choicesFile is the format of team.json.
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

// seenFiles returns the digests by file at the last look.
func (c *choices) seenFiles(path string) map[string]string {
	c.state.Lock()
	defer c.state.Unlock()
	if s := c.kept[path]; s != nil {
		return s.Seen
	}
	return nil
}

func (c *choices) isRejected(path, digest string) bool {
	c.state.Lock()
	defer c.state.Unlock()
	s := c.kept[path]
	return s != nil && slices.Contains(s.Rejected, digest)
}

// seenAt returns when the user last looked at received memories.
func (c *choices) seenAt(key string) time.Time {
	c.state.Lock()
	defer c.state.Unlock()
	if s := c.kept[key]; s != nil {
		return s.SeenAt
	}
	return time.Time{}
}

// recordLookAt records that the user looks at received memories now.
func (c *choices) recordLookAt(key string, now time.Time) error {
	return c.changeChoice(key, func(s *choice) error {
		s.SeenAt = now.UTC()
		return nil
	})
}

// rejectedOf returns the rejected marks of a received memory, and its words.
func (c *choices) rejectedOf(key, id string) []string {
	return c.findMarks(key, func(rejectedID, _ string) bool { return rejectedID == id })
}

// withCopies adds the marks of received copies to marks.
func (c *choices) withCopies(key string, marks []string) []string {
	return append(c.findMarks(key, func(_, words string) bool { return slices.Contains(marks, words) }), marks...)
}

// findMarks returns the wanted rejected marks of the form id@rest, each with its rest.
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

// recordLook records the digests by file that the user has looked at.
func (c *choices) recordLook(path string, now map[string]string) error {
	return c.changeChoice(path, func(s *choice) error {
		s.Seen = now
		return nil
	})
}

// recordReject records that these marks are rejected, or no longer are. All repositories
// are then read again.
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
	clear(c.read) // other clones may have the same files
	return err
}

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

// listProblems lists the files that are left out, and why.
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
