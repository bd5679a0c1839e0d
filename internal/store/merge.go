package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// Name sets the name of this machine, with which the store stamps everything it writes from now on.
func (s *Store) Name(writer string) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.name = writer
}

// stamp makes m, which is about to be written, the successor of the stored version. If m says the same as
// that version, it keeps its stamp. The caller holds writing.
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
	m.Base, m.Settled = min(m.Base, m.Clock), min(m.Settled, m.Clock) // the previous ones may be invalid
	return nil
}

// tick returns a clock that is larger than every valid one that the store has seen.
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

// newest returns the record of an id: a memory, live or pending, or a tombstone. The caller holds
// writing.
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
				continue // its line has been damaged meanwhile
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

// Newest returns the record of an id, even if the memory is pending or deleted.
func (s *Store) Newest(id string) (memory.Memory, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	m, found, err := s.newest(id)
	if err == nil && !found {
		err = ErrNotFound
	}
	return m, err
}

// AllIDs returns every id that the store knows, including those of deleted memories, in order.
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

// Merged counts what became of the memories of other machines.
type Merged struct {
	Put     int             // new, or replacing another version
	Deleted []memory.Memory // deleted by another machine; their last versions here
}

// Merge joins memories of other machines with those of the store, see memory.Join. If two machines
// changed a memory independently, one version loses. Merge passes all losing versions to lost before it
// changes anything.
func (s *Store) Merge(lost func([]memory.Memory) error, ms ...clean.Memory) (Merged, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	for _, l := range s.logs {
		if err := s.refresh(l); err != nil {
			return Merged{}, err // the changes may include memories that arrive now
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
	tombstones := batch{}
	for id, m := range j.now {
		keep := func(l *logFile) bool { return l.source == m.Source || m.Deleted }
		if err := s.addTombstones(tombstones, tombstone(id, m.Source, m.RecordedAt), keep); err != nil {
			return Merged{}, err
		}
	}
	s.recent.forget()
	return j.done, s.commit(tombstones)
}

// A joiner collects the changes that Merge makes.
type joiner struct {
	store *Store
	homes map[string]string
	now   map[string]memory.Memory // memories as they will be stored
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

// homes returns the folders of the projects on this machine, by homeKey. The name of a project without a
// remote has a folder only if no other project shares it.
func (s *Store) homes() map[string]string {
	homes := map[string]string{}
	for _, l := range s.logs {
		for _, p := range l.projects.all {
			if p.Path == "" {
				continue
			}
			key := homeKey(p)
			if before, ok := homes[key]; ok && before != p.Path && p.Remote == "" {
				homes[key] = "" // ambiguous
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
