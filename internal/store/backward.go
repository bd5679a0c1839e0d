package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"time"

	"recollect/internal/memory"
)

// backwardLines is the number of lines that Backward reads at once.
const backwardLines = 64

// A Head holds the fields of a memory that can be read without parsing its whole line.
type Head struct {
	Home string // the JSON fields of its project
	When time.Time
}

// Project returns the project that h names.
func (h Head) Project() (memory.Project, error) {
	var m memory.Memory
	err := json.Unmarshal([]byte("{"+h.Home+"}"), &m)
	return m.Home(), err
}

// Backward yields the live memories of one source from the end of its log to its beginning, except those
// whose head makes skip return true. It yields a memory whose head cannot be read.
func (s *Store) Backward(src memory.Source, skip func(Head) bool) iter.Seq2[memory.Memory, error] {
	return func(yield func(memory.Memory, error) bool) {
		l := s.logOf(src)
		if l == nil {
			return
		}
		buf := make([]byte, spanSize)
		for ids := s.idsOf(l); len(ids) > 0; {
			first := max(0, len(ids)-backwardLines)
			read, err := s.unskipped(l, ids[first:], buf, skip)
			for _, m := range slices.Backward(read) {
				if !yield(m, nil) {
					return
				}
			}
			if err != nil {
				yield(memory.Memory{}, err)
				return
			}
			ids = ids[:first]
		}
	}
}

// unskipped reads the memories with these ids, except those that skip excludes.
func (s *Store) unskipped(l *logFile, ids []string, buf []byte, skip func(Head) bool) ([]memory.Memory, error) {
	var out []memory.Memory
	for len(ids) > 0 {
		lines := s.readSpan(l, ids, buf)
		for i, line := range lines {
			if h, ok := headOf(ids[i], line, l.source); ok && skip(h) {
				continue
			}
			m, err := decodeAs(ids[i], line, l.source)
			if err != nil {
				m, err = s.Get(ids[i])
			}
			if errors.Is(err, ErrNotFound) {
				continue
			}
			if err != nil {
				return out, err
			}
			out = append(out, m)
		}
		ids = ids[len(lines):]
	}
	return out, nil
}

// headOf reads the head of a line that the store wrote, if the memory has one time and one project.
func headOf(id string, line []byte, src memory.Source) (Head, bool) {
	found, rest, ok := plainID(line, src)
	if !ok || string(found) != id {
		return Head{}, false
	}
	if _, ok := plainFields(rest); !ok {
		return Head{}, false
	}
	home, rest, ok := bytes.Cut(rest, []byte(`,"title":"`))
	if !ok || bytes.IndexByte(home, '\\') >= 0 || bytes.Contains(rest, []byte(`,"applies_to":`)) {
		return Head{}, false
	}
	const key = `,"occurred_at":"`
	at := bytes.LastIndex(rest, []byte(key))
	if at < 0 {
		return Head{}, false
	}
	when, rest, ok := bytes.Cut(rest[at+len(key):], []byte(`"`))
	seenAgain := bytes.HasPrefix(rest, []byte(`,"last_seen":`))
	within := bytes.IndexByte(rest, '}') != len(rest)-1 // the key may be inside the fields
	if !ok || seenAgain || within {
		return Head{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, string(when))
	return Head{Home: string(bytes.TrimPrefix(home, []byte(","))), When: t}, err == nil
}
