package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"recollect/internal/memory"
	"recollect/internal/system/durable"
	"recollect/internal/system/regular"
)

// Garbage describes what a compaction of one log would remove.
type Garbage struct {
	Bytes     int64 // size of the log
	Dead      int64 // bytes of replaced and deleted lines
	Forgotten int   // deleted memories whose text is still in the log
}

// Garbage returns what a compaction would remove, for each log with anything to remove. A log with
// forgotten memories should be compacted soon, whatever its size, because the user wants their text gone.
func (s *Store) Garbage() map[memory.Source]Garbage {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := map[memory.Source]Garbage{}
	for _, l := range s.logs {
		g := Garbage{Bytes: l.end.Bytes, Dead: max(0, l.end.Bytes-l.kept), Forgotten: l.forgotten}
		if g.Dead > 0 || g.Forgotten > 0 {
			all[l.source] = g
		}
	}
	return all
}

// Compact rewrites the log of src with live memories, unreadable lines
// unchanged, and the ids of deleted memories. This changes the marks of the
// log: a caller who follows the logs must catch up before and take Marks
// afterwards. Readers can continue meanwhile; writers wait.
func (s *Store) Compact(src memory.Source) error {
	if !src.Valid() {
		return fmt.Errorf("compact %q: source must be one of %s", src, memory.SourceNames())
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.lock.Held(); err != nil {
		return err
	}
	l := s.logOf(src)
	if err := s.prepareCompact(l); err != nil || l.file == nil {
		return err
	}
	path, err := filepath.EvalSymlinks(l.path) // users may keep logs elsewhere and link to them
	if err != nil {
		return fmt.Errorf("compact %s: %w", l.name, cause(err))
	}
	temp := path + tempSuffix
	if err := l.writeTo(temp); err != nil {
		return errors.Join(fmt.Errorf("compact %s: %w", l.name, cause(err)), removeIf(temp))
	}
	if err := s.swapFile(l, temp, path); err != nil {
		return errors.Join(fmt.Errorf("compact %s: %w", l.name, cause(err)), removeIf(temp))
	}
	return durable.SyncFolder(filepath.Dir(path))
}

// prepareCompact makes l ready for a compaction: it parses every line, so that no line is dropped in
// favour of a damaged one, and moves the torn tail away.
func (s *Store) prepareCompact(l *logFile) error {
	if err := s.recheck(l); err != nil {
		return err
	}
	return s.repair(l)
}

// writeTo durably writes the parts of l that a compaction retains to a new file.
func (l *logFile) writeTo(path string) error {
	f, err := regular.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, spanSize)
	err = l.copyKept(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// A piece is a part of a log that a compaction retains.
type piece struct {
	off, n int64
	dead   bool
}

// pieces lists the parts of l that a compaction retains, in log order.
func (l *logFile) pieces() []piece {
	var all []piece
	for p := range l.at.Values() {
		all = append(all, piece{p.off, int64(p.n), p.dead})
	}
	for _, f := range l.flaws {
		if f.n > 0 {
			all = append(all, piece{f.off, f.n, false})
		}
	}
	slices.SortFunc(all, func(a, b piece) int { return int(a.off - b.off) })
	return all
}

func (l *logFile) copyKept(w *bufio.Writer) error {
	r := bufio.NewReaderSize(io.NewSectionReader(l.file, 0, l.end.Bytes), spanSize)
	at := int64(0)
	for _, p := range l.pieces() {
		if _, err := io.CopyN(io.Discard, r, p.off-at); err != nil {
			return err
		}
		if err := copyPiece(w, r, p, l.source); err != nil {
			return err
		}
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
		at = p.off + p.n
	}
	return nil
}

// copyPiece copies one line. It reduces a tombstone to the necessary fields.
func copyPiece(w io.Writer, r io.Reader, p piece, src memory.Source) error {
	if !p.dead {
		_, err := io.CopyN(w, r, p.n)
		return err
	}
	line := make([]byte, p.n)
	if _, err := io.ReadFull(r, line); err != nil {
		return err
	}
	m, err := decode(line, src)
	if err != nil {
		return err
	}
	marker := tombstone(m.ID, src, m.RecordedAt)
	marker.Stamp = m.Stamp
	switch {
	case m.Done():
		marker.Tags, marker.OccurredAt = []string{memory.TagDone}, m.OccurredAt
	case m.Withdrawn():
		marker.Tags = []string{memory.TagWithdrawn}
	}
	var b bytes.Buffer
	if err := encode(&b, marker); err != nil {
		return err
	}
	_, err = w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return err
}

// swapFile moves the file at temp to path. Windows cannot replace an open
// file, so l is closed for a moment; readers wait.
func (s *Store) swapFile(l *logFile, temp, path string) error {
	fresh, err := readTemp(temp, l.source)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := l.close(); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(cause(err), l.open())
	}
	s.recent.forget()
	l.contents = fresh
	return l.open()
}

func readTemp(path string, src memory.Source) (*contents, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	c, _, err := readLog(f, src, false)
	return c, errors.Join(err, f.Close())
}

func removeIf(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", filepath.Base(path), cause(err))
	}
	return nil
}
