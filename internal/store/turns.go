package store

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

// maxTurns is the largest number of memories of a session that are listed. No real session has more, and
// a damaged one must not delay every prompt by seconds.
const maxTurns = 10_000

// sessions numbers the sessions whose memories a log holds, from 1.
type sessions struct {
	numbers  map[string]uint32
	names    []string
	memories [][]uint32 // by session: positions in contents.at, possibly deleted or listed twice
}

// add adds the memory at a position to the session with this number, 0 for none. old is the place that
// the memory had before; if its session is the same, add does nothing.
func (s *sessions) add(number uint32, at int, old place) {
	if number > 0 && number != old.session {
		s.memories[number-1] = append(s.memories[number-1], uint32(at))
	}
}

// number returns the number of a session, 0 for "".
func (s *sessions) number(session string) uint32 {
	if session == "" {
		return 0
	}
	if n := len(s.names); n > 0 && s.names[n-1] == session { // nearly always
		return uint32(n)
	}
	number, known := s.numbers[session]
	if !known {
		s.names, s.memories = append(s.names, session), append(s.memories, nil)
		number = uint32(len(s.names))
		s.numbers[session] = number
	}
	return number
}

// Where describes when and where a memory was made.
type Where struct {
	Session, Agent string
	OccurredAt     time.Time      // truncated to microseconds
	Project        memory.Project // project of the memory; zero for every project
	Line           [2]int64       // offset and length of its line in the log, until it is written again
}

// Where returns when and where the memory with this id was made, without reading from disk. It returns
// false if there is no such memory.
func (s *Store) Where(id string) (Where, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	l, p, ok := s.find(id)
	if !ok {
		return Where{}, false
	}
	w := Where{Agent: l.agents[id], OccurredAt: time.UnixMicro(p.occurred).UTC(), Project: l.projects.of(p.project), Line: [2]int64{p.off, int64(p.n)}}
	if p.session > 0 {
		w.Session = l.sessions.names[p.session-1]
	}
	return w, true
}

// A turnPart is a memory of a session.
type turnPart struct {
	id       string
	occurred int64
	turn     uint32
}

// Turns returns the turns of each session in order of time. A turn is the list of the ids of its
// memories. It lists at most 10,000 memories of a session.
func (s *Store) Turns(sessions []string) map[string][][]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	turns := make(map[string][][]string, len(sessions))
	for _, session := range sessions {
		if _, ok := turns[session]; !ok {
			turns[session] = byTurn(s.partsOf(session))
		}
	}
	return turns
}

// partsOf lists the memories of a session in order of time.
func (s *Store) partsOf(session string) []turnPart {
	n := 0
	for _, l := range s.logs {
		if number, ok := l.sessions.numbers[session]; ok {
			n += len(l.sessions.memories[number-1])
		}
	}
	parts := make([]turnPart, 0, min(n, 2*maxTurns))
	for _, l := range s.logs {
		number, ok := l.sessions.numbers[session]
		if !ok {
			continue
		}
		for _, at := range l.sessions.memories[number-1] {
			if id, p := l.at.At(int(at)); p.session == number && s.owns(l, id) && len(parts) < 2*maxTurns {
				parts = append(parts, turnPart{id, p.occurred, p.turn})
			}
		}
	}
	slices.SortFunc(parts, func(a, b turnPart) int {
		return cmp.Or(cmp.Compare(a.occurred, b.occurred), strings.Compare(a.id, b.id))
	})
	parts = slices.Compact(parts)
	return parts[:min(maxTurns, len(parts))]
}

// byTurn groups memories by turn. A turn takes the position of its first memory.
func byTurn(parts []turnPart) [][]string {
	place := make(map[uint32]int, len(parts)) // index of each turn
	sizes := make([]int, 0, len(parts))
	for _, p := range parts {
		at, ok := place[p.turn]
		if !ok {
			at = len(sizes)
			place[p.turn], sizes = at, append(sizes, 0)
		}
		sizes[at]++
	}
	ids, turns := make([]string, len(parts)), make([][]string, len(sizes)) // all turns share one array of ids
	for at, size := range sizes {
		turns[at], ids = ids[:0:size], ids[size:]
	}
	for _, p := range parts {
		at := place[p.turn]
		turns[at] = append(turns[at], p.id)
	}
	return turns
}
