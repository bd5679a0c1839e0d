package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// Name makes the store stamp what it writes from now on as the machine of this name.
func (s *Store) Name(writer string) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.name = writer
}

// stamp makes m, which is about to be written, the successor of what the store has under its id.
// What says the same as before remains the version that it was. The caller holds writing.
func (s *Store) stamp(m *memory.Memory) error {
	if s.name == "" {
		return nil
	}
	old, found, err := s.newest(m.ID)
	if err != nil {
		return err
	}
	settled := max(m.Settled, old.Settled)
	m.Stamp = old.Stamp
	m.Settled = settled
	if found && sameRecord(m, &old) {
		return nil
	}
	if m.Base = old.Counted(); old.Writer == s.name {
		m.Base = old.Base // the other machines may not have seen the version in between
	}
	if old.Deleted && !m.Deleted {
		m.Life++
	}
	m.Clock, m.Writer = s.tick(), s.name
	m.Base, m.Settled = min(m.Base, m.Clock), min(m.Settled, m.Clock) // of a clock that was made up
	return nil
}

// tick returns a clock that is larger than all that the store has seen and that count.
func (s *Store) tick() uint64 {
	for _, l := range s.logs {
		s.clock = max(s.clock, l.clock)
	}
	s.clock++
	return s.clock
}

func sameRecord(a, b *memory.Memory) bool {
	x, err := json.Marshal(a)
	if err != nil {
		return false
	}
	y, err := json.Marshal(b)
	return err == nil && bytes.Equal(x, y)
}

// newest returns what the store has under an id: a memory, one that waits for review, or a
// tombstone. The caller holds writing.
func (s *Store) newest(id string) (m memory.Memory, found bool, err error) {
	for _, l := range s.logs {
		if _, ok := l.at.Get(id); !ok {
			continue
		}
		here, err := l.current(id)
		if err != nil {
			if err := s.recheck(l); err != nil {
				return m, false, err
			}
			if here, err = l.current(id); err != nil {
				continue // its line was damaged since
			}
		}
		// A tombstone may say only that the memory has moved to another log.
		later := m.Deleted == here.Deleted && memory.Compare(&m, &here) < 0
		if moved := m.Deleted && !here.Deleted; !found || moved || later {
			m, found = here, true
		}
	}
	return m, found, nil
}

// current reads the last line for an id.
func (l *logFile) current(id string) (memory.Memory, error) {
	p, ok := l.at.Get(id)
	if !ok {
		return memory.Memory{}, ErrNotFound
	}
	line := make([]byte, p.n)
	if _, err := l.file.ReadAt(line, p.off); err != nil {
		return memory.Memory{}, cause(err)
	}
	m, err := decode(line, l.source)
	if err == nil && m.ID != id {
		err = fmt.Errorf("its line is of %s", m.ID)
	}
	return m, err
}

// Newest returns what the store has under an id, even if it waits for review or is only a tombstone.
func (s *Store) Newest(id string) (memory.Memory, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	m, found, err := s.newest(id)
	if err == nil && !found {
		err = ErrNotFound
	}
	return m, err
}

// AllIDs returns every id that the store knows, with those of deleted memories, in order.
func (s *Store) AllIDs() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var ids []string
	for _, l := range s.logs {
		for id := range l.at.All() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Merged is what became of memories that other machines wrote.
type Merged struct {
	Put     int             // new, or in force instead of another version
	Deleted []memory.Memory // forgotten elsewhere, as they were before
}

// Merge joins memories of other machines with those of the store, as memory.Join says. Before it
// changes anything it gives lost the versions that are no longer in force though the one that is
// did not know them.
func (s *Store) Merge(lost func([]memory.Memory) error, ms ...clean.Memory) (Merged, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	for _, l := range s.logs {
		if err := s.refresh(l); err != nil {
			return Merged{}, err // it may know what arrives
		}
	}
	j := joiner{store: s, homes: s.homes(), now: map[string]memory.Memory{}, lines: batch{}}
	for i := range ms {
		if err := j.join(ms[i].Memory()); err != nil {
			return Merged{}, fmt.Errorf("merge %s: %w", ms[i].Memory().ID, err)
		}
	}
	if len(j.lost) > 0 {
		if err := lost(j.lost); err != nil {
			return Merged{}, err
		}
	}
	if err := s.commit(j.lines); err != nil {
		return Merged{}, err
	}
	graves := batch{}
	for id, m := range j.now {
		keep := func(l *logFile) bool { return l.source == m.Source || m.Deleted }
		if err := s.addTombstones(graves, tombstone(id, m.Source, m.RecordedAt), keep); err != nil {
			return Merged{}, err
		}
	}
	s.recent.forget()
	return j.done, s.commit(graves)
}

// A joiner collects what a Merge writes.
type joiner struct {
	store *Store
	homes map[string]string
	now   map[string]memory.Memory // what the store will have
	lines batch
	lost  []memory.Memory
	done  Merged
}

func (j *joiner) join(in memory.Memory) error {
	s := j.store
	s.clock = max(s.clock, in.Counted())
	old, found := j.now[in.ID]
	if !found {
		var err error
		if old, found, err = s.newest(in.ID); err != nil {
			return err
		}
	}
	next := in
	if found {
		if next = memory.Join(old, in); sameRecord(&next, &old) && !memory.Conflict(&old, &in) {
			return nil
		}
		j.conflict(&old, &in)
	}
	if next.ProjectPath == "" {
		next.ProjectPath = j.homes[home(&next)]
	}
	if found && sameRecord(&next, &old) {
		return nil
	}
	j.now[in.ID] = next
	if !next.Deleted {
		j.done.Put++
		return encode(j.lines.to(next.Source), &next)
	}
	if found && !old.Deleted && !next.Done() {
		j.done.Deleted = append(j.done.Deleted, old)
	}
	if err := encode(j.lines.to(next.Source), &next); err != nil {
		return err
	}
	return s.addTombstones(j.lines, &next, func(l *logFile) bool { return l.source == next.Source })
}

func (j *joiner) conflict(old, in *memory.Memory) {
	if !memory.Conflict(old, in) {
		return
	}
	if memory.Compare(old, in) < 0 {
		j.lost = append(j.lost, *old)
	} else {
		j.lost = append(j.lost, *in)
	}
}

// homes returns the folders that projects have on this machine, by what home says of their
// memories. A name without a remote stands for a folder only if one project alone has it.
func (s *Store) homes() map[string]string {
	homes := map[string]string{}
	for _, l := range s.logs {
		for _, p := range l.projects.all {
			if p.Path == "" {
				continue
			}
			key := homeKey(p)
			if before, ok := homes[key]; ok && before != p.Path && p.Remote == "" {
				homes[key] = "" // which of the two is not known
				continue
			}
			homes[key] = p.Path
		}
	}
	return homes
}

func home(m *memory.Memory) string { return homeKey(m.Home()) }

func homeKey(p memory.Project) string {
	if p.Remote != "" {
		return "remote " + p.Remote
	}
	return "name " + p.Name
}
