// Package sqlite reads the tables of SQLite database files, row by row, and
// never writes. It is for importing from programs that keep what they know in
// such a file: for that a whole engine is not needed, which would add 4.5 MB
// and six modules to the executable and 1.4 ms to each of its starts.
//
// What it knows of the format (https://sqlite.org/fileformat2.html): tables
// with a rowid, overflow pages, all three text encodings, and the write-ahead
// log with its checksums. What it does not know is an error, never a guess:
// tables WITHOUT ROWID, generated columns, and a rollback journal that some
// crash has left.
//
// No lock is taken. A file that changes while it is read is an error too.
package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

const (
	magic      = "SQLite format 3\x00"
	headerSize = 100
	// maxPayload bounds a row, in bytes. SQLite's own bound is 1 GB; no text
	// that a person or a model wrote comes near this.
	maxPayload = 64 << 20
)

// ErrNotDatabase says that a file is no SQLite database: the caller should
// name another one.
var ErrNotDatabase = errors.New("not an SQLite database")

var (
	errDamaged = errors.New("the database is damaged")
	errChanged = errors.New("the database changed while it was read; try again when the program that owns it is closed")
	errJournal = errors.New("a transaction was left unfinished; open the database once with the program that owns it")
)

// A DB is a database file that is open for reading. It is for one goroutine.
type DB struct {
	path     string
	file     *os.File
	log      *os.File         // the write-ahead log, or nil
	frames   map[uint32]int64 // where in the log the newest version of a page lies
	stamps   [2]stamp         // of file and log, when they were opened
	pageSize int
	usable   int // bytes of a page that hold content
	pages    uint32
	encoding uint32
	tables   map[string]table
}

// A stamp tells whether a file was written to.
type stamp struct {
	size     int64
	modified time.Time
}

// Open opens the database at path and reads its schema. The error is
// ErrNotDatabase where the file is something else, which an empty file is not:
// that is a database without tables.
func Open(path string) (*DB, error) {
	db := &DB{path: path}
	if err := db.open(); err != nil {
		db.Close()
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	return db, nil
}

func (db *DB) open() (err error) {
	if hot(db.path + "-journal") {
		return errJournal
	}
	if db.file, err = os.Open(db.path); err != nil {
		return err
	}
	if db.log, err = os.Open(db.path + "-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db.stamps = db.stamp()
	if err := db.readHeader(); err != nil || db.pageSize == 0 {
		return err
	}
	if err := db.readLog(); err != nil {
		return err
	}
	if err := db.readSchema(); err != nil {
		return err
	}
	return db.unchanged()
}

// Close closes the files.
func (db *DB) Close() error {
	var errs []error
	for _, f := range []*os.File{db.file, db.log} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// hot reports a rollback journal that has something to roll back: its header
// is not zeroed.
func hot(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var first [1]byte
	_, err = io.ReadFull(f, first[:])
	return err == nil && first[0] != 0
}

// stamp looks at both files by their paths: a log that was removed or made
// anew is a change.
func (db *DB) stamp() (out [2]stamp) {
	for i, path := range []string{db.path, db.path + "-wal"} {
		if fi, err := os.Stat(path); err == nil {
			out[i] = stamp{fi.Size(), fi.ModTime()}
		}
	}
	return out
}

func (db *DB) unchanged() error {
	if db.stamp() != db.stamps {
		return errChanged
	}
	return nil
}

// readHeader reads from the first 100 bytes what never changes. Of an empty
// file the page size stays 0.
func (db *DB) readHeader() error {
	if db.stamps[0].size == 0 {
		return nil
	}
	h := make([]byte, headerSize)
	if _, err := io.ReadFull(db.file, h); err != nil || string(h[:len(magic)]) != magic {
		return ErrNotDatabase
	}
	db.pageSize = int(binary.BigEndian.Uint16(h[16:]))
	if db.pageSize == 1 {
		db.pageSize = 1 << 16
	}
	db.usable = db.pageSize - int(h[20])
	db.pages = uint32(min(db.stamps[0].size/int64(max(db.pageSize, 1)), 1<<32-2))
	if db.pageSize < 512 || db.pageSize&(db.pageSize-1) != 0 || db.usable < 480 {
		return errDamaged
	}
	if h[19] > 2 {
		return fmt.Errorf("file format %d is newer than what is known here", h[19])
	}
	return nil
}

// page returns the newest committed version of a page, counted from 1.
func (db *DB) page(n uint32) ([]byte, error) {
	if n == 0 || n > db.pages {
		return nil, errDamaged
	}
	file, at := db.file, int64(n-1)*int64(db.pageSize)
	if frame, ok := db.frames[n]; ok {
		file, at = db.log, frame
	}
	page := make([]byte, db.pageSize)
	if _, err := file.ReadAt(page, at); err != nil {
		return nil, fmt.Errorf("page %d: %w", n, err)
	}
	return page, nil
}
