package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// program opens a database as the program that owns it does, and keeps it open.
func program(t *testing.T, path string, statements ...string) *sql.Conn {
	t.Helper()
	name, err := uri(path, "mode=rwc")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(conn.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	do(t, conn, statements...)
	return conn
}

func do(t *testing.T, conn *sql.Conn, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := conn.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// records returns what a table of a database has.
func records(path, table string) (got []tableRow, err error) {
	db, err := openDatabase(path)
	if err != nil {
		return nil, err
	}
	var unread []error
	skip := func(why error) error { unread = append(unread, why); return nil }
	err = db.each(context.Background(), table, skip, func(row tableRow) error {
		got = append(got, row)
		return nil
	})
	return got, errors.Join(errors.Join(unread...), err, db.Close())
}

// many makes n rows that fill some pages.
func many(n int) string {
	return fmt.Sprintf("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i < %d) INSERT INTO t SELECT i, printf('%%.500c', 'x') FROM c", n)
}

const table = "CREATE TABLE t (n INTEGER PRIMARY KEY, words TEXT)"

// What is committed is read, the rest is not; and nothing is written beside
// the database of a program that is running, nor does it notice.
func TestRunningProgram(t *testing.T) {
	for _, tt := range []struct {
		name       string
		statements []string
		want       int // rows, all of the first transaction
	}{
		{"closed transaction", []string{table, many(3)}, 3},
		{"log", []string{"PRAGMA journal_mode = WAL", table, many(3)}, 3},
		{"log, written back", []string{"PRAGMA journal_mode = WAL", table, many(3), "PRAGMA wal_checkpoint(TRUNCATE)"}, 3},
		{"log, open transaction", []string{"PRAGMA journal_mode = WAL", "PRAGMA cache_size = 1", table, many(900), "BEGIN IMMEDIATE", "UPDATE t SET words = 'mine'"}, 900},
		{"journal, open transaction", []string{"PRAGMA cache_size = 1", table, many(900), "BEGIN EXCLUSIVE", "UPDATE t SET words = 'mine'"}, 900},
		{"journal, kept", []string{"PRAGMA journal_mode = PERSIST", table, many(3)}, 3},
		{"locked for good", []string{"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL", table, many(3)}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a b%20#?.db")
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			t.Setenv("TMP", temp)
			conn := program(t, path, tt.statements...)
			before := files(t, filepath.Dir(path))
			got, err := records(path, "t")
			if err != nil || len(got) != tt.want {
				t.Fatalf("got %d rows, error %v, want %d", len(got), err, tt.want)
			}
			for _, row := range got {
				if row.text("words") == "mine" {
					t.Fatalf("row %d is not committed", row.number("n"))
				}
			}
			if d := cmp.Diff(before, files(t, filepath.Dir(path))); d != "" {
				t.Errorf("files (-before +after):\n%s", d)
			}
			if left := files(t, temp); len(left) > 0 {
				t.Errorf("left in the temporary folder: %v", left)
			}
			do(t, conn, "INSERT INTO t VALUES (1000, 'still mine')")
		})
	}
}

// files returns what a folder has, as the text of each file.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		out[e.Name()] = e.Type().String()
		if e.Type().IsRegular() {
			out[e.Name()] = read(t, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

func TestRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	program(t, path, `CREATE TABLE "the rows" (n INTEGER PRIMARY KEY, "a text" TEXT, made DATETIME, raw BLOB, x)`,
		`INSERT INTO "the rows" VALUES (1, 'é漢𝄞', '2026-03-03 10:00:00', x'00ff', 1.5), (2, '', 'no time', NULL, 7.0)`,
		`ALTER TABLE "the rows" ADD COLUMN late TEXT DEFAULT 'now'`)
	got, err := records(path, "the rows")
	if err != nil {
		t.Fatal(err)
	}
	want := []tableRow{
		{"n": int64(1), "a text": "é漢𝄞", "made": at("2026-03-03T10:00:00Z"), "raw": []byte{0, 0xff}, "x": 1.5, "late": "now"},
		{"n": int64(2), "a text": "", "made": "no time", "raw": nil, "x": 7.0, "late": "now"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("rows (-want +got):\n%s", d)
	}
	var texts []string
	for _, row := range got {
		texts = append(texts, row.text("missing", "a text", "made"), row.text("made"), row.text("raw", "x"))
	}
	if d := cmp.Diff([]string{"é漢𝄞", "2026-03-03T10:00:00Z", "1.5", "no time", "no time", "7"}, texts); d != "" {
		t.Errorf("texts (-want +got):\n%s", d)
	}
	if a, b, c := got[0].number("x"), got[1].number("x"), got[1].number("missing"); a != 0 || b != 7 || c != 0 {
		t.Errorf("numbers %d, %d, %d, want 0, 7, 0", a, b, c)
	}
	if got, err := records(path, "of tomorrow"); err != nil || len(got) > 0 {
		t.Errorf("of a missing table got %d rows, error %v", len(got), err)
	}
}

func TestDatabaseErrors(t *testing.T) {
	good := read(t, "../testdata/claude-mem.db")
	for _, tt := range []struct {
		name, data string
		want       error
	}{
		{"text", strings.Repeat("no database\n", 100), errNotDatabase},
		{"a few words", "no database", errNotDatabase},
		{"cut", good[:512*5], errDamaged},
		{"zeros", good[:512*3] + strings.Repeat("\x00", len(good)-512*3), errDamaged},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			write(t, path, tt.data)
			_, err := records(path, "observations")
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got error %v, want %v and the path", err, tt.want)
			}
		})
	}
	if _, err := openDatabase(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of no file got error %v, want that it does not exist", err)
	}
}

// Damage of any byte is an error or other words, never a panic.
func TestFlippedBytes(t *testing.T) {
	good := read(t, "../testdata/claude-mem.db")
	path := filepath.Join(t.TempDir(), "x.db")
	failed := 0
	for at := 0; at < len(good); at += 37 {
		bad := []byte(good)
		bad[at] ^= 0x41
		write(t, path, string(bad))
		if _, err := records(path, "observations"); err != nil {
			failed++
		}
	}
	if failed == 0 {
		t.Error("no damage was found")
	}
}

func TestChangedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	write(t, path, read(t, "../testdata/engram.db"))
	db, err := openDatabase(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := db.each(t.Context(), "sessions", func(why error) error { return why }, func(tableRow) error { return nil }); !errors.Is(err, errChanged) {
		t.Errorf("got error %v, want %v", err, errChanged)
	}
}

// A row may be larger than any memory.
func TestLargeValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	program(t, path, table, "INSERT INTO t VALUES (1, 'words')", "INSERT INTO t VALUES (2, hex(zeroblob(12 << 20)))")
	if got, err := records(path, "t"); err == nil || !strings.Contains(err.Error(), "a value has more than 16 MiB") {
		t.Errorf("got %d rows, %v", len(got), err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}
