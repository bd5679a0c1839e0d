// Package store stores memories on disk. They are the source of truth:
// indexes, vectors and everything else that recollect derives can be deleted
// and rebuilt from them, and their owner can read and edit them.
//
// Every source has one log, HOME/memories/<source>.jsonl, with one JSON object
// per line. A log only grows: the last line for an id is the current one, and
// a tombstone, a line marked as deleted, ends a memory. Obsolete lines remain
// until Compact rewrites the log.
//
// Append returns once the memories are synced to the disk. A power failure may leave part of a line that
// was not synced: the torn tail, which is moved to <source>.jsonl.torn. A line that cannot be read is a
// Problem: it affects no other line and is never removed.
//
// A log that cannot be opened or read, because of its permissions or its disk, affects no other log.
// Every write tries it again.
//
// Users may edit the logs, preferably while the daemon is stopped. A log that changed on disk is read
// again before the next write to it. Readers that follow the logs keep a Mark of each, to check whether
// the bytes that they have read are still there.
//
// One process owns a home folder, by its Lock. A Store is safe for concurrent use.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"recollect/internal/memory"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
)

const (
	folder     = "memories"
	logSuffix  = ".jsonl"
	tornSuffix = ".torn"
	tempSuffix = ".tmp"
)

// ErrNotFound means that no memory has this id. Callers should tell the user, who may have mistyped or
// deleted it.
var ErrNotFound = errors.New("no such memory")

// ErrRewritten means that a log no longer begins with the bytes that a Mark identifies. Callers should
// drop what they derived from it and read All.
var ErrRewritten = errors.New("it was rewritten")

// ErrUnreadable means that a log cannot be opened or read: its memories are missing, and nothing can be
// stored in it. Callers should go on with the other logs.
var ErrUnreadable = errors.New("cannot be read")

// A Problem is a line that the store ignores, or reads differently from what it says.
type Problem struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"` // 0: the whole file
	Reason string `json:"reason"`
}

// String returns the place of the problem and its reason.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Reason
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Reason)
}

// A Store is the open memories of one home folder.
type Store struct {
	lock   *Lock
	dir    string
	log    *slog.Logger
	stray  []Problem
	recent recent

	// writing is held while a log is written or read again, including the sync. mu is locked after it,
	// guards what readers see, and is never held during a sync. Changes require both.
	writing sync.Mutex
	mu      sync.RWMutex
	logs    []*logFile // in the order of memory.Sources
	name    string     // name of this machine in stamps; "" for no stamps
	clock   uint64     // at least the largest received from other machines
	closed  bool
}

// Open reads the logs of the home folder that lock owns.
func Open(lock *Lock, log *slog.Logger) (*Store, error) {
	if !lock.file.Locked() {
		return nil, fmt.Errorf("open store %s: its lock is not held", lock.home)
	}
	s := &Store{lock: lock, dir: filepath.Join(lock.home, folder), log: log, recent: newRecent()}
	if err := s.makeFolder(); err != nil {
		return nil, fmt.Errorf("create %s: %w", s.dir, cause(err))
	}
	var reading sync.WaitGroup
	for _, src := range memory.Sources {
		l := newLogFile(s.dir, src)
		s.logs = append(s.logs, l)
		reading.Go(func() { s.load(l) })
	}
	reading.Wait()
	var err error
	if s.stray, err = unknownLogs(s.dir); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) makeFolder() error {
	if _, err := os.Stat(s.dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return err
	}
	return durable.SyncFolder(filepath.Dir(s.dir))
}

// load reads l for the first time and repairs the traces of a crash. Both can wait: a read-only disk is
// repaired later, and a log that cannot be read is read later.
func (s *Store) load(l *logFile) {
	if err := s.reread(l); err != nil {
		s.log.Warn("log not read, will be retried", logkey.File, l.name, logkey.Error, err)
		return
	}
	if err := os.Remove(l.path + tempSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("temporary file of a compaction not removed", logkey.File, l.name, logkey.Error, cause(err))
	}
	if err := s.repair(l); err != nil {
		s.log.Warn("torn tail not repaired, will be retried", logkey.File, l.name, logkey.Error, err)
	}
}

// unknownLogs reports logs that belong to no source. A user may have written one, expecting it to be
// read.
func unknownLogs(dir string) ([]Problem, error) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, cause(err))
	}
	var stray []Problem
	for _, e := range names {
		name, ok := strings.CutSuffix(e.Name(), logSuffix)
		if ok && !memory.Source(name).Valid() {
			reason := "not read: its name must be one of " + memory.SourceNames()
			stray = append(stray, Problem{File: e.Name(), Reason: reason})
		}
	}
	return stray, nil
}

// Held returns an error if the folder or its lock was removed or replaced. The caller must then stop
// writing to the folder.
func (s *Store) Held() error { return s.lock.Held() }

// Close closes the logs. The lock stays with its holder.
func (s *Store) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.writeHints()
	}
	s.closed = true
	var errs []error
	for _, l := range s.logs {
		errs = append(errs, l.close())
	}
	return errors.Join(errs...)
}

// Problems lists what could not be read in the logs. The list can grow while the store is used, because a
// plain line is parsed only when it is needed.
func (s *Store) Problems() []Problem {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var all []Problem
	for _, l := range s.logs {
		if l.unreadable != nil {
			all = append(all, Problem{File: l.name, Reason: l.unreadable.Error() + "; its memories are missing, and none can be stored"})
		}
	}
	for _, l := range s.logs {
		for _, f := range l.flaws {
			all = append(all, f.Problem)
		}
	}
	return append(all, s.stray...)
}

func (s *Store) logOf(src memory.Source) *logFile {
	for _, l := range s.logs {
		if l.source == src {
			return l
		}
	}
	return nil
}

// cause strips the path from err, because our messages already name the file.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
