package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// Scrub removes lines that match and hold no memory. It removes torn lines at once; the next Compact,
// which Garbage then suggests, removes unreadable lines of the logs. Use Delete and Compact to remove
// memories.
func (s *Store) Scrub(match func(line []byte) bool) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.lock.Held(); err != nil {
		return err
	}
	var unreadable []error
	for _, l := range s.logs {
		err := s.scrubFlaws(l, match)
		if errors.Is(err, ErrUnreadable) {
			unreadable = append(unreadable, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("scrub %s: %w", l.name, cause(err))
		}
		if err := scrubTorn(l.path+tornSuffix, match); err != nil {
			return fmt.Errorf("scrub %s%s: %w", l.name, tornSuffix, cause(err))
		}
	}
	return errors.Join(unreadable...)
}

// scrubFlaws drops the flaws of l that match, so that the next Compact removes them.
func (s *Store) scrubFlaws(l *logFile, match func([]byte) bool) error {
	if err := s.prepareCompact(l); err != nil || l.file == nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := make([]flaw, 0, len(l.flaws))
	for _, f := range l.flaws {
		line := make([]byte, f.n)
		if _, err := l.readAt(line, f.off); err != nil {
			return err
		}
		if f.n == 0 || !match(line) {
			kept = append(kept, f)
			continue
		}
		l.kept -= f.n + 1
		l.forgotten++
	}
	l.flaws = kept
	return nil
}

// maxTorn is the largest size in bytes of a file of torn lines.
const maxTorn = 256 << 20

// scrubTorn removes the lines that match from a file of torn lines, and the file if none is left.
func scrubTorn(path string, match func([]byte) bool) error {
	old, err := regular.Read(path, maxTorn)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var kept []byte
	for line := range bytes.Lines(old) {
		if !match(line) {
			kept = append(kept, line...)
		}
	}
	if len(kept) == len(old) {
		return nil
	}
	if len(kept) > 0 {
		return durable.Replace(path, path+tempSuffix, func(f *os.File) error {
			_, err := f.Write(kept)
			return err
		})
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	return durable.SyncFolder(filepath.Dir(path))
}

// Still calls f while nobody writes to the logs.
func (s *Store) Still(f func() error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return f()
}
