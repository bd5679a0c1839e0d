package store

import (
	"errors"
	"iter"

	"recollect/internal/memory"
)

// A memory that waits for the user's review, or is a candidate, is in its log, and Known, but in nothing
// else that the store says of its memories: it is found by what stands here alone.

// findPending is find for memories that wait for review, and for candidates.
func (s *Store) findPending(id string) (*logFile, place, bool) {
	for _, l := range s.logs {
		if p, ok := l.at.Get(id); ok && p.waits {
			return l, p, true
		}
	}
	return nil, place{}, false
}

// findEither is find for all memories. A live one counts more than one that waits.
func (s *Store) findEither(id string) (*logFile, place, bool) {
	if l, p, ok := s.find(id); ok {
		return l, p, true
	}
	return s.findPending(id)
}

// GetPending returns the memory with this id that waits for review or is a candidate, or ErrNotFound.
func (s *Store) GetPending(id string) (memory.Memory, error) { return s.get(id, s.findPending) }

// GetEither returns the memory with this id, whether it waits for review or not, or
// ErrNotFound.
func (s *Store) GetEither(id string) (memory.Memory, error) { return s.get(id, s.findEither) }

// PendingIDs returns the ids of the memories that wait for review, source by source, in
// the order of the logs.
func (s *Store) PendingIDs() []string {
	return s.waitingIDs(func(p place) bool { return p.waits && !p.suggested })
}

// CandidateIDs does for candidates what PendingIDs does for what waits for review.
func (s *Store) CandidateIDs() []string {
	return s.waitingIDs(func(p place) bool { return p.suggested })
}

func (s *Store) waitingIDs(wanted func(place) bool) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var all []string
	for _, l := range s.logs {
		if l.waiting > 0 { // which is asked at every start of a session
			all = append(all, l.order(wanted)...)
		}
	}
	return all
}

// Pending yields the memories that wait for review, as All does the others.
func (s *Store) Pending() iter.Seq2[memory.Memory, error] { return s.waitingOf(s.PendingIDs) }

// Candidates yields the candidates, as All does memories.
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

// Everything yields all memories, those that wait for review and the candidates last.
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
