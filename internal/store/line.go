package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"recollect/internal/memory"
)

// maxLine is the largest length of a line in bytes, without its newline. In practice the largest memory
// that Normalize accepts takes a fifth of it.
const maxLine = 1 << 20

var errTooLong = fmt.Errorf("longer than %d bytes", maxLine)

// An entry holds what a scan needs to know about one line.
type entry struct {
	id         string
	tombstone  bool
	pending    bool // it waits for review, or is a candidate
	candidate  bool
	holdsText  bool // a tombstone that still contains the deleted text
	reached    bool // a tombstone of a goal that was reached or given up, not forgotten
	supersedes []string
	recorded   time.Time
	stated     memory.Source // the source that the line names, if not that of its log
	session    string
	project    memory.Project // project of the memory; zero for every project
	agent      string
	turn       uint32 // see turnHash; 0 without a session
	occurred   int64  // OccurredAt, in microseconds since 1970
	clock      uint64 // see memory.Stamp
}

// parse reads a line of the log of src, without surrounding white space. Unless strict is set, it reads
// only the necessary fields of a plain line. last is the entry of the previous line.
func parse(line []byte, src memory.Source, strict bool, last entry) (entry, error) {
	if !strict {
		if e, ok := plainEntry(line, src, last); ok {
			return e, nil
		}
	}
	m, err := unmarshal(line)
	if err != nil {
		return entry{}, err
	}
	e := entry{tombstone: m.Deleted, pending: m.Pending && !m.Deleted, candidate: m.IsCandidate() && !m.Deleted, supersedes: m.Supersedes, recorded: m.RecordedAt, reached: m.Deleted && m.Done()}
	if m.Source != src {
		e.stated = m.Source
	}
	e.holdsText = m.Deleted && (m.Title+m.Text+m.Evidence != "" || len(m.Fields) > 0)
	err = restoreImplied(&m, src)
	e.id, e.session, e.agent, e.occurred, e.clock = m.ID, m.Session, m.Agent, m.OccurredAt.UnixMicro(), m.Clock
	if !m.Everywhere() {
		e.project = m.Home()
	}
	if m.Session != "" {
		e.turn = turnHash([]byte(cmp.Or(m.Turn, m.ID)))
	}
	return e, err
}

// decode reads a line of the log of src as a memory, in full.
func decode(line []byte, src memory.Source) (memory.Memory, error) {
	m, err := unmarshal(line)
	if err != nil {
		return m, err
	}
	return m, restoreImplied(&m, src)
}

func unmarshal(line []byte) (memory.Memory, error) {
	var m memory.Memory
	if err := json.Unmarshal(line, &m); err != nil {
		return m, err
	}
	if m.Newer() {
		return m, fmt.Errorf("version %d: written by a newer recollect", m.V)
	}
	return m, nil
}

// restoreImplied sets the fields of m that a line may omit: the source, which is that of the log, and
// those that a user left out when writing the memory by hand.
func restoreImplied(m *memory.Memory, src memory.Source) error {
	m.Source = src
	if m.Deleted && m.ID == "" {
		return errors.New("deleted: id missing")
	}
	if m.Deleted {
		return nil
	}
	if m.ID == "" {
		m.ContentHash = "" // a user who copies a line and removes the id makes a new memory
	}
	return m.Normalize()
}

// encode appends m to b as one line. It does not escape angle brackets, so that grep can search the logs.
func encode(b *bytes.Buffer, m *memory.Memory) error {
	start := b.Len()
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return err
	}
	if b.Len()-start-1 > maxLine {
		return errTooLong
	}
	return nil
}

// tombstone returns the line that marks a memory as deleted.
func tombstone(id string, src memory.Source, at time.Time) *memory.Memory {
	return &memory.Memory{V: memory.Version, ID: id, Deleted: true, Source: src, RecordedAt: at}
}
