package store

import (
	"errors"
	"fmt"
	"io"

	"recollect/internal/memory"
)

// Marks holds one Mark for each source that has a log.
type Marks map[memory.Source]Mark

// Changes lists what happened in the logs between two Marks.
type Changes struct {
	Put     []memory.Memory // new or replaced, and still live
	Deleted []string        // ids deleted and not stored again since, or pending
	Marks   Marks           // the marks from which to continue
}

// Marks returns the current ends of the logs.
func (s *Store) Marks() Marks {
	s.mu.RLock()
	defer s.mu.RUnlock()
	marks := Marks{}
	for _, l := range s.logs {
		if l.file != nil {
			marks[l.source] = l.end
		}
	}
	return marks
}

// Since returns what happened after from, at most max lines. A caller who is far behind calls it until it
// returns nothing new. It returns ErrRewritten if the logs do not begin with from, because somebody
// edited an earlier part or a log was compacted. A caller who was up to date and compacted a log itself
// continues from Marks instead. For a log that cannot be read it returns no changes and the given mark.
func (s *Store) Since(from Marks, max int) (Changes, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	ch := Changes{Marks: Marks{}}
	for _, l := range s.logs {
		if err := s.refresh(l); errors.Is(err, ErrUnreadable) {
			if m, ok := from[l.source]; ok {
				ch.Marks[l.source] = m
			}
			continue
		} else if err != nil {
			return Changes{}, err
		}
		if err := l.extends(from[l.source]); err != nil {
			return Changes{}, fmt.Errorf("follow %s: %w", l.name, err)
		}
		n, err := s.follow(l, from[l.source], max, &ch)
		if err != nil {
			return Changes{}, fmt.Errorf("follow %s: %w", l.name, cause(err))
		}
		max -= n
	}
	return ch, nil
}

// extends returns ErrRewritten unless l begins with the bytes that m identifies.
func (l *logFile) extends(m Mark) error {
	if m.Bytes < 0 || m.Bytes > l.end.Bytes {
		return ErrRewritten
	}
	if m == l.end {
		return nil
	}
	start := Mark{} // all marks in sums are between two lines
	for _, sum := range l.sums {
		if sum.Bytes <= m.Bytes {
			start = sum
		}
	}
	between := make([]byte, m.Bytes-start.Bytes+1) // including the byte after m
	n, err := l.readAt(between, start.Bytes)
	if err != nil {
		return err
	}
	rest := between[:len(between)-1]
	if n < len(rest) || start.add(rest) != m || !betweenLines(rest, between[len(rest):n]) {
		return ErrRewritten
	}
	return nil
}

// betweenLines reports whether the last line in before is complete. A last line without a newline may
// have been extended since.
func betweenLines(before, behind []byte) bool {
	if len(before) == 0 || len(behind) == 0 || before[len(before)-1] == '\n' {
		return true
	}
	return behind[0] == '\n' || behind[0] == '\r'
}

// readAt fills b, except for bytes beyond the end of the file.
func (l *logFile) readAt(b []byte, off int64) (int, error) {
	if l.file == nil {
		return 0, nil
	}
	n, err := l.file.ReadAt(b, off)
	if errors.Is(err, io.EOF) {
		return n, nil
	}
	return n, cause(err)
}

// follow adds at most max lines of l after from to ch, and returns their number.
func (s *Store) follow(l *logFile, from Mark, max int, ch *Changes) (int, error) {
	if l.file == nil {
		return 0, nil
	}
	size := l.end.Bytes - from.Bytes
	lr := newLineReader(io.NewSectionReader(l.file, from.Bytes, size), from, size)
	ch.Marks[l.source] = from
	for n := 0; ; n++ {
		if n >= max {
			return n, nil
		}
		ln, err := lr.next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if err := s.followLine(l, ln, ch); err != nil {
			return n, err
		}
		ch.Marks[l.source] = ln.after
	}
}

// followLine adds ln to ch if it is the current line for its id.
func (s *Store) followLine(l *logFile, ln rawLine, ch *Changes) error {
	text, off := ln.trim()
	if ln.long || len(text) == 0 {
		return nil
	}
	m, err := decode(text, l.source)
	if err != nil && !l.strict {
		return s.reparse(l)
	}
	if err != nil {
		return nil
	}
	if p, ok := l.at.Get(m.ID); !ok || p.off != off {
		return nil
	}
	if m.Deleted || m.Pending {
		if _, _, ok := s.find(m.ID); !ok {
			ch.Deleted = append(ch.Deleted, m.ID)
		}
	} else if s.owns(l, m.ID) {
		ch.Put = append(ch.Put, m)
	}
	return nil
}
