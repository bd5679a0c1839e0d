package sqlite

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rowsOf returns what testdata/rows.sql makes.
func rowsOf() (want []Row) {
	numbers := map[int64]any{1: nil, 4: int64(-1), 5: int64(-32768), 6: int64(8388607), 8: int64(1 << 40), 9: int64(math.MinInt64), 2: int64(0), 3: int64(1)}
	for i := int64(1); i <= 300; i++ {
		row := Row{"n": i, "a text": fmt.Sprintf("row %d", i), "number": i * i, "real": float64(i) + 0.5, "raw": nil}
		if v, ok := numbers[i]; ok {
			row["number"] = v
		}
		if i%100 == 0 {
			row["a text"] = fmt.Sprintf("row %d", i) + strings.Repeat("é漢𝄞", 700)
		}
		if i%2 == 1 {
			row["raw"] = []byte{0, 0xff}
		}
		if i != 150 {
			want = append(want, row)
		}
	}
	return append(want, Row{"n": int64(1000), "a text": "x, y)", "number": nil, "real": nil, "raw": nil, "late": "now"})
}

func TestRows(t *testing.T) {
	for _, name := range []string{"utf8", "utf16", "log"} {
		t.Run(name, func(t *testing.T) {
			db, err := Open("testdata/" + name + ".db")
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			got, err := all(db, "the rows")
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(rowsOf(), got); d != "" {
				t.Errorf("rows (-want +got):\n%s", d)
			}
			for table, want := range map[string]string{"keyed": "no rowids", "made": "generated columns", "empty": "", "unknown": ""} {
				got, err := all(db, table)
				if len(got) > 0 || want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Errorf("table %s: got %d rows and error %v, want an error with %q", table, len(got), err, want)
				}
			}
			if !db.Has("empty") || db.Has("unknown") {
				t.Errorf("Has(empty), Has(unknown) = %v, %v, want true, false", db.Has("empty"), db.Has("unknown"))
			}
		})
	}
}

func all(db *DB, table string) (rows []Row, err error) {
	for row, err := range db.Rows(table) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, maps.Clone(row))
	}
	return rows, nil
}

func TestRowsStops(t *testing.T) {
	db, err := Open("testdata/utf8.db")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	n := 0
	for _, err := range db.Rows("the rows") {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("got %d rows, want 3", n)
	}
}

// What a crash left behind the last commit does not count, nor do frames of
// which a checksum is wrong.
func TestTornLog(t *testing.T) {
	file, log := read(t, "testdata/log.db"), read(t, "testdata/log.db-wal")
	frame := frameHeader + 512
	for _, tt := range []struct {
		name string
		log  []byte
		want int // rows
	}{
		{"whole", log, len(rowsOf())},
		{"none", nil, 0},
		{"half a frame more", append(log[:len(log):len(log)], log[logHeader:logHeader+frame/2]...), len(rowsOf())},
		{"an older frame behind", append(log[:len(log):len(log)], log[logHeader:logHeader+frame]...), len(rowsOf())},
		{"one bit of the first frame", flip(log, logHeader+frameHeader+3), 0},
		{"one bit of the header", flip(log, 17), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			write(t, path, file)
			write(t, path+"-wal", tt.log)
			db, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if got, err := all(db, "the rows"); err != nil || len(got) != tt.want {
				t.Errorf("got %d rows, error %v, want %d", len(got), err, tt.want)
			}
		})
	}
}

func TestOpenErrors(t *testing.T) {
	good := read(t, "testdata/utf8.db")
	newer := append([]byte(nil), good...)
	newer[19] = 3
	for _, tt := range []struct {
		name    string
		data    []byte
		journal []byte
		want    string
		is      error
	}{
		{name: "text", data: []byte(strings.Repeat("no database\n", 100)), want: "not an SQLite database", is: ErrNotDatabase},
		{name: "too short", data: good[:60], want: "not an SQLite database", is: ErrNotDatabase},
		{name: "cut", data: good[:512*9], want: "damaged"},
		{name: "newer format", data: newer, want: "file format 3"},
		{name: "unfinished transaction", data: good, journal: []byte{0xd9, 0xd5}, want: "unfinished"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			write(t, path, tt.data)
			if tt.journal != nil {
				write(t, path+"-journal", tt.journal)
			}
			db, err := Open(path)
			if err == nil {
				_, err = all(db, "the rows")
				db.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of no file got error %v, want that it does not exist", err)
	}
}

// A new database is an empty file, and a journal that was rolled back has an
// empty header.
func TestEmpty(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	write(t, path, nil)
	write(t, path+"-journal", make([]byte, 512))
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if db.Has("the rows") {
		t.Error("an empty database has a table")
	}
}

func TestChangedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	write(t, path, read(t, "testdata/utf8.db"))
	db, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := all(db, "the rows"); !errors.Is(err, errChanged) {
		t.Errorf("got error %v, want %v", err, errChanged)
	}
}

// Damage of any byte is an error or other rows, never a panic or an endless
// loop.
func FuzzOpen(f *testing.F) {
	for _, name := range []string{"utf8", "log"} {
		data := read(f, "testdata/"+name+".db")
		for at := range min(len(data), 4096) {
			if at < 120 || at%61 == 0 {
				f.Add(flip(data, at))
			}
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, "x.db")
		write(t, path, data)
		db, err := Open(path)
		if err != nil {
			return
		}
		defer db.Close()
		n := 0
		for name := range db.tables {
			for range db.Rows(name) {
				if n++; n > 1<<20 {
					t.Fatal("a row a byte at most was expected")
				}
			}
		}
	})
}

func flip(data []byte, at int) []byte {
	out := append([]byte(nil), data...)
	out[at] ^= 0x41
	return out
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
