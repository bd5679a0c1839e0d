package database

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"recollect/internal/system/regular"
)

var (
	errNotDatabase = errors.New("not an SQLite database")
	errDamaged     = errors.New("the database is damaged")
	errChanged     = errors.New("the database changed while it was read; close the program that owns it and try again")
)

// A database is an SQLite database of another program, which may be running. It is read in place if it
// consists of a single file; otherwise a copy is read. Neither way takes or waits for a lock, or writes
// next to the database.
type database struct {
	*sql.DB
	path   string
	stamps []stamp // stamps of a file that is read in place; none for a copy
	temp   string  // the folder of the copy, or ""
	budget int64   // number of bytes that may still be read
}

func openDatabase(path string) (*database, error) {
	db := &database{path: path}
	if err := db.open(); err != nil {
		return nil, errors.Join(db.explain(err), db.Close())
	}
	return db, nil
}

func (db *database) open() error {
	// SQLite does not say why it cannot open a file.
	f, err := regular.Open(db.path)
	if err != nil {
		return err
	}
	f.Close()
	file, options := db.path, "mode=ro&immutable=1"
	if live(db.path) {
		// The copy is ours, so SQLite may undo a transaction in it.
		if db.temp, err = os.MkdirTemp("", "recollect-import-"); err != nil {
			return err
		}
		file, options = filepath.Join(db.temp, "copy.db"), "mode=rw"
		if err := copyDatabase(db.path, file); err != nil {
			return err
		}
	} else if db.stamps, err = stampsOf(db.path); err != nil {
		return err
	}
	if db.budget, err = budgetOf(db.path); err != nil {
		return err
	}
	name, err := uri(file, options)
	if err != nil {
		return err
	}
	if db.DB, err = sql.Open("sqlite", name); err != nil {
		return err
	}
	db.SetMaxOpenConns(1) // the limit belongs to a connection
	if err := db.limit(); err != nil {
		return err
	}
	_, err = db.has("")
	return err
}

// A database returns the content of its files once or twice. One that returns more (shared pages,
// computed values) was made to do harm, and reading it ends.
const (
	leastBudget = 64 << 20
	timesRead   = 4
)

func budgetOf(path string) (int64, error) {
	stamps, err := stampsOf(path)
	budget := int64(leastBudget)
	for _, s := range stamps {
		budget += timesRead * s.size
	}
	return budget, err
}

// maxValue is the largest size in bytes of a value or a row of a database.
const maxValue = 16 << 20

func (db *database) limit() error {
	c, err := db.Conn(context.Background())
	if err != nil {
		return err
	}
	_, err = sqlite.Limit(c, sqlite3.SQLITE_LIMIT_LENGTH, maxValue)
	return errors.Join(err, c.Close())
}

// columns returns the stored columns of a table, none if there is no such table. Computed columns are not
// part of any program's records.
func (db *database) columns(table string) (names []string, err error) {
	if found, err := db.has(table); err != nil || !found {
		return nil, err
	}
	rows, err := db.Query("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", table)
	if err != nil {
		return nil, db.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, db.explain(err)
		}
		names = append(names, name)
	}
	return names, db.explain(rows.Err())
}

// uri returns the name of a file with options in the form that SQLite accepts.
func uri(path, options string) (string, error) {
	path, err := filepath.Abs(path)
	if path = filepath.ToSlash(path); !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/x
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: options}).String(), err
}

// Close closes the database and deletes the copy.
func (db *database) Close() error {
	var err error
	if db.DB != nil {
		err = db.DB.Close()
	}
	if db.temp != "" {
		err = errors.Join(err, os.RemoveAll(db.temp))
	}
	return err
}

// has reports whether there is a table with this name.
func (db *database) has(table string) (bool, error) {
	n := 0
	err := db.QueryRow("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?", table).Scan(&n)
	return n > 0, db.explain(err)
}

// changed reports whether a file that is read in place has been written to. The rows read before may then
// be inconsistent.
func (db *database) changed() bool {
	if db.stamps == nil {
		return false
	}
	now, err := stampsOf(db.path)
	return err != nil || now[0] != db.stamps[0]
}

// explain adds the file to an error of SQLite and describes it in plain words.
func (db *database) explain(err error) error {
	var theirs *sqlite.Error
	if !errors.As(err, &theirs) {
		return err
	}
	switch code := theirs.Code() & 0xff; {
	case db.changed():
		err = errChanged
	case code == sqlite3.SQLITE_NOTADB:
		err = errNotDatabase
	case code == sqlite3.SQLITE_TOOBIG:
		err = fmt.Errorf("a value has more than %d MiB", maxValue>>20)
	case code == sqlite3.SQLITE_CORRUPT:
		err = fmt.Errorf("%w: %w", errDamaged, err)
	}
	return fmt.Errorf("read database %s: %w", db.path, err)
}

// A tableRow is one row of a table, by column. Its values are nil, int64, float64, string, []byte, or
// time.Time for a column that is declared as a time.
type tableRow map[string]any

// text returns the first of the columns that contains text, bytes, a time, or a number other than 0, as
// text. It returns "" if none does. It replaces invalid UTF-8, which JSON cannot hold.
func (r tableRow) text(columns ...string) string {
	for _, c := range columns {
		switch v := r[c].(type) {
		case string:
			if v != "" {
				return strings.ToValidUTF8(v, "\uFFFD")
			}
		case int64:
			if v != 0 {
				return strconv.FormatInt(v, 10)
			}
		case float64:
			if v != 0 {
				return strconv.FormatFloat(v, 'g', -1, 64)
			}
		case []byte:
			if len(v) > 0 && utf8.Valid(v) && bytes.IndexByte(v, 0) < 0 {
				return string(v)
			}
		case time.Time:
			return v.UTC().Format(time.RFC3339Nano)
		}
	}
	return ""
}

// number returns the whole number in a column, or 0.
func (r tableRow) number(column string) int64 {
	switch v := r[column].(type) {
	case int64:
		return v
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	}
	return 0
}
