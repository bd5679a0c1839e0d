package store

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"recollect/internal/memory"
)

// spanSize is the number of bytes of a log that All reads at once.
const spanSize = 256 << 10

// find returns the log that contains id. If a user copied an id into two logs, the log named by the
// prefix of the id counts, otherwise the first. The caller holds mu or writing.
func (s *Store) find(id string) (*logFile, place, bool) {
	if src, ok := memory.SourceOf(id); ok {
		l := s.logOf(src)
		if p, ok := l.at.Get(id); ok && p.live() {
			return l, p, true
		}
	}
	for _, l := range s.logs {
		if p, ok := l.at.Get(id); ok && p.live() {
			return l, p, true
		}
	}
	return nil, place{}, false
}

// owns reports whether id is in l and in no log that takes precedence.
func (s *Store) owns(l *logFile, id string) bool {
	if !l.foreign[id] {
		p, ok := l.at.Get(id)
		return ok && p.live()
	}
	owner, _, ok := s.find(id)
	return ok && owner == l
}

// Get returns the memory with this id, or ErrNotFound.
func (s *Store) Get(id string) (memory.Memory, error) { return s.get(id, s.find) }

// A finder returns the log and the place of a memory. The caller holds mu or writing.
type finder func(id string) (*logFile, place, bool)

func (s *Store) get(id string, find finder) (memory.Memory, error) {
	m, l, err := s.fetch(id, find)
	switch {
	case err == nil:
		return m, nil
	case l == nil:
		return memory.Memory{}, fmt.Errorf("read memory %s: %w", id, err)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.getLocked(id, find)
}

// getLocked does what get does, for callers that hold writing. If a line differs from what the scan
// found, it reads the whole log again, because another process has changed the log, or the line is
// damaged and an older one counts.
func (s *Store) getLocked(id string, find finder) (memory.Memory, error) {
	m, l, err := s.fetch(id, find)
	if err == nil {
		return m, nil
	}
	if l != nil {
		if err := s.recheck(l); err != nil {
			return memory.Memory{}, err
		}
		m, _, err = s.fetch(id, find)
	}
	if err != nil {
		return memory.Memory{}, fmt.Errorf("read memory %s: %w", id, err)
	}
	return m, nil
}

// recheck parses every line of l, unless that has been done since its last change.
func (s *Store) recheck(l *logFile) error {
	if err := s.refresh(l); err != nil || l.strict {
		return err
	}
	return s.reparse(l)
}

// fetch reads the memory with this id and returns the log that contains it.
func (s *Store) fetch(id string, find finder) (memory.Memory, *logFile, error) {
	s.mu.RLock()
	l, p, ok := find(id)
	if !ok {
		s.mu.RUnlock()
		return memory.Memory{}, nil, ErrNotFound
	}
	if m, ok := s.recent.get(id, l.file, p); ok {
		s.mu.RUnlock()
		return m, l, nil
	}
	line := make([]byte, p.n)
	_, err := l.file.ReadAt(line, p.off)
	s.mu.RUnlock()
	if err != nil {
		return memory.Memory{}, l, cause(err)
	}
	m, err := decodeAs(id, line, l.source)
	if err == nil {
		s.recent.put(id, line, clone(m))
	}
	return m, l, err
}

// decodeAs decodes a line in which a scan found the memory id.
func decodeAs(id string, line []byte, src memory.Source) (memory.Memory, error) {
	m, err := decode(line, src)
	if err == nil && (m.ID != id || m.Deleted) {
		err = errors.New("its line has another id")
	}
	return m, err
}

// Known reports whether there is or was a memory with this id. Imports use it
// so that deleted memories do not return.
func (s *Store) Known(id string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.ContainsFunc(s.logs, func(l *logFile) bool { _, ok := l.at.Get(id); return ok })
}

// Ended returns when the goal with this id was reached or given up. It returns false if it was not, or
// was deleted for another reason.
func (s *Store) Ended(id string) (time.Time, bool) {
	m, ok := s.findTombstone(id, memory.Goals)
	return m.OccurredAt, ok && m.Done()
}

// Withdrawn reports whether the memory with this id was deleted because the user took back the only turn
// that taught it.
func (s *Store) Withdrawn(id string) bool {
	src, ok := memory.SourceOf(id)
	if !ok {
		return false
	}
	m, ok := s.findTombstone(id, src)
	return ok && m.Withdrawn()
}

// findTombstone returns the tombstone of a deleted memory in the log of its source.
func (s *Store) findTombstone(id string, src memory.Source) (memory.Memory, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	l := s.logOf(src)
	p, ok := l.at.Get(id)
	if !ok || !p.dead {
		return memory.Memory{}, false
	}
	line := make([]byte, p.n)
	if _, err := l.file.ReadAt(line, p.off); err != nil {
		return memory.Memory{}, false
	}
	m, err := decode(line, src)
	return m, err == nil && m.Deleted
}

// SupersededBy returns the id of the live memory that replaces this one, or "". If memories replace each
// other in a cycle, because a decision was reversed, nothing replaces the one with the latest claim.
func (s *Store) SupersededBy(id string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var own, best claim
	var by string
	if l, _, ok := s.find(id); ok {
		own = l.claims[id]
	}
	for _, l := range s.logs {
		for _, other := range l.claimants[id] {
			c := l.claims[other]
			earlier := own.olds != nil && !c.later(own)
			if earlier || other == id || !s.owns(l, other) {
				continue
			}
			if by == "" || c.later(best) {
				by, best = other, c
			}
		}
	}
	return by
}

// Len returns the number of live memories.
func (s *Store) Len() int {
	n := 0
	for _, count := range s.Counts() {
		n += count
	}
	return n
}

// Counts returns the number of live memories of each source that has any.
func (s *Store) Counts() map[memory.Source]int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	counts := map[memory.Source]int{}
	for _, l := range s.logs {
		n := l.live
		for id := range l.foreign {
			if p, _ := l.at.Get(id); p.live() && !s.owns(l, id) {
				n--
			}
		}
		if n > 0 {
			counts[l.source] = n
		}
	}
	return counts
}

// IDs returns the live ids, source by source, the newest of each first.
func (s *Store) IDs() []string {
	var all []string
	for _, l := range s.logs {
		ids := s.idsOf(l)
		slices.Reverse(ids)
		all = append(all, ids...)
	}
	return all
}

func (s *Store) idsOf(l *logFile) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.DeleteFunc(l.order(place.live), func(id string) bool { return !s.owns(l, id) })
}

// All yields the live memories, source by source, in log order. It holds no lock while the caller uses a
// memory, so it may leave out memories that are stored meanwhile. It skips damaged lines. An error ends
// it.
func (s *Store) All() iter.Seq2[memory.Memory, error] {
	return func(yield func(memory.Memory, error) bool) {
		for _, l := range s.logs {
			if !s.allOf(l, yield) {
				return
			}
		}
	}
}

// Source yields the live memories of one source in log order, as All does.
func (s *Store) Source(src memory.Source) iter.Seq2[memory.Memory, error] {
	return func(yield func(memory.Memory, error) bool) {
		if l := s.logOf(src); l != nil {
			s.allOf(l, yield)
		}
	}
}

func (s *Store) allOf(l *logFile, yield func(memory.Memory, error) bool) bool {
	buf := make([]byte, spanSize)
	for ids := s.idsOf(l); len(ids) > 0; {
		lines := s.readSpan(l, ids, buf)
		for i, line := range lines {
			m, err := decodeAs(ids[i], line, l.source)
			if err != nil {
				m, err = s.Get(ids[i])
			}
			if errors.Is(err, ErrNotFound) {
				continue
			}
			if !yield(m, err) || err != nil {
				return false
			}
		}
		ids = ids[len(lines):]
	}
	return true
}

// readSpan returns the lines of the first of ids: at least one, and as many as one read covers. A nil
// line must be read by its id.
func (s *Store) readSpan(l *logFile, ids []string, buf []byte) [][]byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	first, _ := l.at.Get(ids[0])
	if first.n == 0 || int(first.n) > len(buf) {
		return [][]byte{nil}
	}
	n, err := l.file.ReadAt(buf, first.off)
	if err != nil && !errors.Is(err, io.EOF) {
		return [][]byte{nil}
	}
	var lines [][]byte
	for _, id := range ids {
		p, _ := l.at.Get(id)
		from := p.off - first.off
		if from < 0 || from+int64(p.n) > int64(n) {
			break
		}
		lines = append(lines, buf[from:from+int64(p.n)])
	}
	if len(lines) == 0 {
		return [][]byte{nil}
	}
	return lines
}
