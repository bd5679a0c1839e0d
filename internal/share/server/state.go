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

// maxLeft is the most messages of a project that are listed as left out.
const maxLeft = 20

// A Left is a message that was left out.
type Left struct {
	Member string `json:"member"`
	ID     string `json:"id"`
	Why    string `json:"why"`
}

// A position is how far a project was read.
type position struct {
	Stream time.Time `json:"stream,omitzero"` // when its stream was made
	Seq    uint64    `json:"seq"`             // of the last message that is stored
	At     time.Time `json:"at,omitzero"`     // when that message was sent
	Left   []Left    `json:"left,omitempty"`
}

// A file is the form of the state on disk.
type file struct {
	V        int                  `json:"v"`
	Name     string               `json:"name"` // of this member, if the server asks for no name
	Projects map[string]*position `json:"projects"`
}

// A state has the joined projects and their positions. It is safe for concurrent use.
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

// streamName returns the random name of this data folder.
func (s *state) streamName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.Name
}

func (s *state) joinedProjects() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.kept.Projects))
}

// positionOf returns the position of a project, and reports whether it is joined.
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

// changeProjects calls change with the positions by project, and stores them.
func (s *state) changeProjects(change func(projects map[string]*position)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s.kept.Projects)
	if err := s.file.Write(s.kept); err != nil {
		return fmt.Errorf("store what was joined: %w", err)
	}
	return nil
}

// beginAt returns the position of a project in the stream that was made at this time. It is 0 if the
// stream is another one, or has fewer messages than were read.
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

// isAhead reports whether more messages of a project were read than the stream has.
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

// advanceTo records that messages were stored or left out.
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

// leftOut lists the messages of a project that were left out, by member and id.
func (s *state) leftOut(project string) []Left {
	p, _ := s.positionOf(project)
	slices.SortFunc(p.Left, func(a, b Left) int { return cmp.Or(cmp.Compare(a.Member, b.Member), cmp.Compare(a.ID, b.ID)) })
	return p.Left
}
