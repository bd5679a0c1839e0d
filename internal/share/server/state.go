package server

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"recollect/internal/system/durable"
)

// maxLeft is how many messages of a project that were left out are named.
const maxLeft = 20

// A Left message was left out.
type Left struct {
	Member string `json:"member"`
	ID     string `json:"id"`
	Why    string `json:"why"`
}

// A position is how far a project was read.
type position struct {
	Stream time.Time `json:"stream,omitzero"` // when the stream was made that it was read from
	Seq    uint64    `json:"seq"`             // of the last message that is stored
	At     time.Time `json:"at,omitzero"`     // when that was sent
	Left   []Left    `json:"left,omitempty"`
}

// A file is the form of the state on disk.
type file struct {
	V        int                  `json:"v"`
	Name     string               `json:"name"` // of this data folder, where the server asks for none
	Projects map[string]*position `json:"projects"`
}

// A state has the projects that were joined. It is safe for concurrent use.
type state struct {
	file *durable.State

	mu   sync.Mutex
	kept file
}

func openState(path string) (*state, error) {
	s := &state{file: durable.NewState(path)}
	err := s.file.Read(&s.kept)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	} else if err != nil {
		s.kept, err = file{}, fmt.Errorf("read what was joined: %w", err)
	}
	if s.kept.V = 1; s.kept.Projects == nil {
		s.kept.Projects = map[string]*position{}
	}
	if s.kept.Name == "" {
		var name [8]byte
		rand.Read(name[:])
		s.kept.Name = hex.EncodeToString(name[:])
	}
	return s, err
}

// streamName returns what names this data folder.
func (s *state) streamName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.Name
}

// joinedProjects lists the projects.
func (s *state) joinedProjects() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.kept.Projects))
}

// positionOf returns how far a project was read, false if it was not joined.
func (s *state) positionOf(project string) (position, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.kept.Projects[project]
	if p == nil {
		return position{}, false
	}
	out := *p
	out.Left = slices.Clone(p.Left)
	return out, true
}

// changeProjects changes what is kept, and stores it.
func (s *state) changeProjects(change func(projects map[string]*position)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s.kept.Projects)
	if err := s.file.Write(s.kept); err != nil {
		return fmt.Errorf("store what was joined: %w", err)
	}
	return nil
}

// beginAt makes the position of a project one of a stream, and returns it. One that was made anew, or
// has less than was read, is read from its start.
func (s *state) beginAt(project string, made time.Time, last uint64) (seq uint64, err error) {
	p, ok := s.positionOf(project)
	if !ok || p.Stream.Equal(made) && p.Seq <= last {
		return p.Seq, nil
	}
	return 0, s.changeProjects(func(all map[string]*position) {
		if p := all[project]; p != nil {
			p.Stream, p.Seq = made, 0
		}
	})
}

// isAhead reports whether more of a project was read than a stream has.
func (s *state) isAhead(last uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.kept.Projects {
		if p.Seq > last {
			return true
		}
	}
	return false
}

// advanceTo records that messages are stored, or were left out.
func (s *state) advanceTo(messages []Message) error {
	return s.changeProjects(func(all map[string]*position) {
		for _, m := range messages {
			p := all[m.Project]
			if p == nil || !p.Stream.Equal(m.made) {
				continue
			}
			p.Seq, p.At = max(p.Seq, m.seq), m.At
			p.Left = slices.DeleteFunc(p.Left, func(l Left) bool { return l.Member == m.Member && l.ID == m.ID })
			if m.Why != "" {
				p.Left = append(p.Left, Left{m.Member, m.ID, m.Why})
				p.Left = p.Left[max(0, len(p.Left)-maxLeft):]
			}
		}
	})
}

// leftOut lists what was left out of a project.
func (s *state) leftOut(project string) []Left {
	p, _ := s.positionOf(project)
	slices.SortFunc(p.Left, func(a, b Left) int { return cmp.Or(cmp.Compare(a.Member, b.Member), cmp.Compare(a.ID, b.ID)) })
	return p.Left
}
