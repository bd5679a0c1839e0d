package store

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// A batch collects the lines for each log, so that each log is written and synced once.
type batch map[memory.Source]*bytes.Buffer

func (b batch) to(src memory.Source) *bytes.Buffer {
	if b[src] == nil {
		b[src] = new(bytes.Buffer)
	}
	return b[src]
}

// Append stores memories and returns when all are durable. If it fails, no partial line remains, but the
// memories of some sources may be stored; after ErrUnreadable, those of all readable logs are. Appending
// them again does no harm.
func (s *Store) Append(ms ...clean.Memory) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	lines := batch{}
	for i := range ms {
		m := ms[i].Memory()
		err := s.stamp(&m)
		if err == nil {
			err = lines.put(m)
		}
		if err != nil {
			return fmt.Errorf("append memory %d of %d: %w", i+1, len(ms), err)
		}
	}
	if err := s.commit(lines); err != nil {
		return err
	}
	tombstones, err := s.moved(ms)
	if err != nil {
		return err
	}
	return s.commit(tombstones)
}

func (b batch) put(m memory.Memory) error {
	if m.ID == "" {
		return errors.New("it is none")
	}
	return encode(b.to(m.Source), &m)
}

// moved returns tombstones for those of ms that were in another log before.
func (s *Store) moved(ms []clean.Memory) (batch, error) {
	lines := batch{}
	for i := range ms {
		m := ms[i].Memory()
		keep := func(l *logFile) bool { return l.source == m.Source }
		if err := s.addTombstones(lines, tombstone(m.ID, m.Source, m.RecordedAt), keep); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// addTombstones adds a tombstone like marker to lines, for each log that contains its id and for which
// keep returns false.
func (s *Store) addTombstones(lines batch, marker *memory.Memory, keep func(*logFile) bool) error {
	for _, l := range s.logs {
		if p, ok := l.at.Get(marker.ID); !ok || p.dead || keep(l) {
			continue
		}
		own := *marker
		own.Source = l.source
		if err := encode(lines.to(l.source), &own); err != nil {
			return fmt.Errorf("delete %s: %w", marker.ID, err)
		}
	}
	return nil
}

// commit writes lines, log by log. It goes on with the others if a log cannot be read. The caller holds
// writing.
func (s *Store) commit(lines batch) error {
	if err := s.lock.Held(); err != nil {
		return err
	}
	var unreadable []error
	for _, l := range s.logs {
		b := lines[l.source]
		if b == nil {
			continue
		}
		err := s.write(l, b.Bytes())
		if errors.Is(err, ErrUnreadable) {
			unreadable = append(unreadable, err)
		} else if err != nil {
			return err
		}
	}
	return errors.Join(unreadable...)
}

// Delete deletes the memories with these ids and returns them. It ignores unknown and deleted ids. If it
// fails, some may be deleted; deleting them again does no harm. The text stays on disk until the log is
// compacted, see Garbage.
func (s *Store) Delete(at time.Time, ids ...string) ([]memory.Memory, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	lines, seen := batch{}, map[string]bool{}
	var deleted []memory.Memory
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		m, err := s.getLocked(id, s.findEither)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		deleted = append(deleted, m)
		marker := tombstone(id, m.Source, at)
		if err := s.stamp(marker); err != nil {
			return nil, fmt.Errorf("delete %s: %w", id, err)
		}
		if err := s.addTombstones(lines, marker, func(*logFile) bool { return false }); err != nil {
			return nil, err
		}
	}
	if err := s.commit(lines); err != nil {
		return nil, err
	}
	s.recent.forget()
	return deleted, nil
}
