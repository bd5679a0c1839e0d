package store

import (
	"errors"
	"iter"

	"recollect/internal/memory"
)

// A pending memory waits for the user's review or is a candidate. It is in its log, and Known reports it,
// but Get, All and the methods like them leave it out. The methods in this file find it.

// findPending does what find does, for pending memories.
func (s *Store) findPending(id string) (*logFile, place, bool) {
	for _, l := range s.logs {
		if p, ok := l.at.Get(id); ok && p.waits {
			return l, p, true
		}
	}
	return nil, place{}, false
}

// findEither does what find does, for all memories. It prefers a live memory to a pending one.
func (s *Store) findEither(id string) (*logFile, place, bool) {
	if l, p, ok := s.find(id); ok {
		return l, p, true
	}
	return s.findPending(id)
}

// GetPending returns the pending memory with this id, or ErrNotFound.
func (s *Store) GetPending(id string) (memory.Memory, error) { return s.get(id, s.findPending) }

// GetEither returns the memory with this id, live or pending, or ErrNotFound.
func (s *Store) GetEither(id string) (memory.Memory, error) { return s.get(id, s.findEither) }

// PendingIDs returns the ids of the memories that wait for review, source by source, in log order.
func (s *Store) PendingIDs() []string {
	return s.waitingIDs(func(p place) bool { return p.waits && !p.suggested })
}

// CandidateIDs returns the ids of the candidates, source by source, in log order.
func (s *Store) CandidateIDs() []string {
	return s.waitingIDs(func(p place) bool { return p.suggested })
}

func (s *Store) waitingIDs(wanted func(place) bool) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var all []string
	for _, l := range s.logs {
		if l.waiting > 0 { // usually there are none, and every session start asks
			all = append(all, l.order(wanted)...)
		}
	}
	return all
}

// Pending yields the memories that wait for review, in the order and with the errors of All.
func (s *Store) Pending() iter.Seq2[memory.Memory, error] { return s.waitingOf(s.PendingIDs) }

// Candidates yields the candidates, in the order and with the errors of All.
func (s *Store) Candidates() iter.Seq2[memory.Memory, error] { return s.waitingOf(s.CandidateIDs) }

func (s *Store) waitingOf(ids func() []string) iter.Seq2[memory.Memory, error] {
	return func(yield func(memory.Memory, error) bool) {
		for _, id := range ids() {
			m, err := s.GetPending(id)
			if errors.Is(err, ErrNotFound) {
				continue
			}
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// Everything yields all memories: the live ones, then those that wait for review, then the candidates.
func (s *Store) Everything() iter.Seq2[memory.Memory, error] {
	return func(yield func(memory.Memory, error) bool) {
		for _, all := range []iter.Seq2[memory.Memory, error]{s.All(), s.Pending(), s.Candidates()} {
			for m, err := range all {
				if !yield(m, err) || err != nil {
					return
				}
			}
		}
	}
}
