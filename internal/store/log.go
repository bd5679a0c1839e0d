package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/memory"
	"recollect/internal/memory/compactid"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
	"recollect/internal/system/regular"
	"recollect/internal/system/trust"
)

func logName(src memory.Source) string { return string(src) + logSuffix }

// A logFile is one log: the open file and its contents.
type logFile struct {
	*contents
	source   memory.Source
	name     string
	path     string
	file     *os.File // nil while there is none
	writable bool
	seen     os.FileInfo // state of the file when contents last matched it

	unreadable error // why the last attempt to read the file failed, or nil
}

func newLogFile(dir string, src memory.Source) *logFile {
	name := logName(src)
	return &logFile{contents: newContents(src, true), source: src, name: name, path: filepath.Join(dir, name)}
}

func (l *logFile) close() error {
	if l.file == nil {
		return nil
	}
	f := l.file
	l.file, l.writable, l.seen = nil, false, nil
	if err := f.Close(); err != nil {
		return fmt.Errorf("close %s: %w", l.name, cause(err))
	}
	return nil
}

// changed reports whether the file differs from what was read. Its modification time reveals an edit that
// kept the length.
func (l *logFile) changed() (bool, error) {
	fi, err := os.Stat(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return l.file != nil, nil
	}
	if err != nil || l.file == nil {
		return true, err
	}
	same := os.SameFile(fi, l.seen) && fi.Size() == l.end.Bytes+l.torn && fi.ModTime().Equal(l.seen.ModTime())
	return !same, nil
}

// refresh reads l again if another process changed it. The caller holds writing.
func (s *Store) refresh(l *logFile) error {
	if s.closed {
		return fmt.Errorf("use %s: %w", l.name, os.ErrClosed)
	}
	changed, err := l.changed()
	if err != nil {
		return fmt.Errorf("%s %w: %w", l.name, ErrUnreadable, cause(err))
	}
	if !changed && l.unreadable == nil {
		return nil
	}
	if l.unreadable == nil {
		s.log.Info("log was changed by another process", logkey.File, l.name)
	}
	return s.reread(l)
}

// reread opens and reads l again. If that fails, l keeps its previous contents. The caller holds writing,
// unless s is not shared yet.
func (s *Store) reread(l *logFile) error {
	f, writable, err := openLog(l.path)
	var fresh *contents
	var fi os.FileInfo
	if err == nil {
		if fresh, fi = s.takeHint(l, f); fresh == nil {
			fresh, fi, err = readLog(f, l.source, false)
		}
		if err != nil {
			err = errors.Join(cause(err), closeIf(f))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.unreadable = nil
	if err != nil {
		l.unreadable = fmt.Errorf("%w: %w", ErrUnreadable, cause(err))
		return fmt.Errorf("%s %w", l.name, l.unreadable)
	}
	err = l.close()
	l.contents, l.file, l.writable, l.seen = fresh, f, writable, fi
	return err
}

// reparse reads l again and parses every line in full. The caller holds
// writing.
func (s *Store) reparse(l *logFile) error {
	fresh, fi, err := readLog(l.file, l.source, true)
	if err != nil {
		return fmt.Errorf("read %s: %w", l.name, cause(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.contents, l.seen = fresh, fi
	return nil
}

var errForeign = errors.New("it belongs to another user")

// openLog opens a log, or returns nil if there is none. A log without write
// permission can still be read.
func openLog(path string) (f *os.File, writable bool, err error) {
	if trust.Foreign(path) {
		return nil, false, errForeign
	}
	f, err = regular.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err == nil {
		return f, true, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	f, readErr := regular.Open(path)
	if readErr != nil {
		return nil, false, err
	}
	return f, false, nil
}

func closeIf(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}

// usualLine is the usual upper bound on the length of a line, in bytes.
const usualLine = 1 << 10

// readLog reads f from its beginning to its current size.
func readLog(f *os.File, src memory.Source, strict bool) (*contents, os.FileInfo, error) {
	if f == nil {
		return newContents(src, strict), nil, nil
	}
	fi, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	c := newContents(src, strict)
	c.at = compactid.NewMap[place](int(fi.Size() / usualLine)) // growing it takes a tenth of the time
	return c, fi, c.readAhead(newLineReader(io.NewSectionReader(f, 0, fi.Size()), Mark{}, fi.Size()))
}

// write durably appends lines, each ended by a newline, to l. The caller holds writing.
func (s *Store) write(l *logFile, lines []byte) error {
	if err := s.prepare(l); err != nil {
		return err
	}
	if l.unterminated {
		lines = append([]byte{'\n'}, lines...)
	}
	if err := l.append(lines); err != nil {
		return fmt.Errorf("append to %s: %w", l.name, cause(err))
	}
	fi, err := l.file.Stat()
	if err != nil || fi.Size() != l.end.Bytes+int64(len(lines)) {
		return s.reread(l) // somebody appended at the same time
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.seen = fi
	return l.read(&lineReader{r: bytes.NewReader(nil), at: l.end, buf: lines, hi: len(lines)})
}

// prepare makes l ready for appending lines.
func (s *Store) prepare(l *logFile) error {
	if err := s.refresh(l); err != nil {
		return err
	}
	if !l.writable {
		if err := s.makeWritable(l); err != nil {
			return fmt.Errorf("append to %s: %w", l.name, cause(err))
		}
	}
	return s.repair(l)
}

// makeWritable creates the file of l, or opens it again in case the user has restored the write
// permission.
func (s *Store) makeWritable(l *logFile) error {
	f, err := regular.OpenFile(l.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := durable.SyncFolder(s.dir); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return s.reread(l)
}

// append writes and syncs b, or leaves l unchanged.
func (l *logFile) append(b []byte) error {
	_, err := l.file.Write(b)
	if err == nil {
		err = l.file.Sync()
	}
	if err == nil {
		return nil
	}
	if cutErr := l.truncate(); cutErr != nil {
		return fmt.Errorf("%w, and %w", cause(err), cutErr)
	}
	return cause(err)
}

// truncate removes everything after the end of l.
func (l *logFile) truncate() error {
	err := l.file.Truncate(l.end.Bytes)
	if err != nil { // Windows cannot truncate a file that is open for appending only
		err = os.Truncate(l.path, l.end.Bytes)
	}
	if err != nil {
		return fmt.Errorf("cut %s: %w", l.name, cause(err))
	}
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", l.name, cause(err))
	}
	fi, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("check %s: %w", l.name, cause(err))
	}
	l.seen = fi
	return nil
}

// repair moves the torn tail of l to a file of its own, because it may be half of a memory that a user
// wrote by hand.
func (s *Store) repair(l *logFile) error {
	if l.torn == 0 {
		return nil
	}
	tail := io.NewSectionReader(l.file, l.end.Bytes, l.torn)
	if err := appendTo(l.path+tornSuffix, tail); err != nil {
		return fmt.Errorf("save torn tail of %s: %w", l.name, cause(err))
	}
	if err := l.truncate(); err != nil {
		return err
	}
	s.log.Warn("moved torn tail to its own file", logkey.File, l.name, logkey.Bytes, l.torn)
	l.torn = 0
	return nil
}

// appendTo durably appends the content of r to the file at path as one line.
func appendTo(path string, r io.Reader) error {
	f, err := regular.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.MultiReader(r, bytes.NewReader([]byte{'\n'})))
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = durable.SyncFolder(filepath.Dir(path))
	}
	return errors.Join(err, f.Close())
}

// open opens the file of l, whose contents are known.
func (l *logFile) open() (err error) {
	if l.file, l.writable, err = openLog(l.path); err != nil || l.file == nil {
		return err
	}
	l.seen, err = l.file.Stat()
	return err
}
