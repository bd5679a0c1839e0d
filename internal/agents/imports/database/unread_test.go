package database

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recollect/internal/agents/imports/record"
)

// Tables of claude-mem, and a record that is as it should be.
const (
	memSessions     = "CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT, memory_session_id TEXT, project TEXT, user_prompt TEXT)"
	memObservations = "CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, type TEXT, title TEXT, narrative TEXT, facts TEXT, created_at TEXT, created_at_epoch INTEGER)"
	memPrompts      = "CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_text TEXT, created_at TEXT, created_at_epoch INTEGER)"
	heron           = "INSERT INTO observations (id, memory_session_id, project, type, title, created_at_epoch) VALUES (10, 'm1', 'pier', 'decision', 'heron', 1772532060000)"
)

// What cannot be read of a database costs that, and is named.
func TestUnreadRows(t *testing.T) {
	base := []string{memSessions, memObservations, memPrompts, "INSERT INTO sdk_sessions VALUES (1, 's1', 'm1', 'pier', '')", heron}
	row := func(columns, values string) string {
		return "INSERT INTO observations (id, memory_session_id, " + columns + ") VALUES (5, 'm1', " + values + ")"
	}
	tests := []struct {
		name       string
		statements []string
		titles     []string
		unread     string // in what is named, "" for nothing
	}{
		{"nothing wrong", nil, []string{"heron"}, ""},
		{"a value that is too large", []string{row("title, narrative", "'big', printf('%.*c', 17000000, 'x')")}, []string{"heron"}, "a value has more than 16 MiB (table observations, row 5)"},
		{"a time out of range", []string{row("title, created_at_epoch", "'late', 99999999999999999")}, []string{"late", "heron"}, ""},
		{"a time before all", []string{row("title, created_at_epoch", "'early', -5")}, []string{"early", "heron"}, ""},
		{"a time of words", []string{row("title, created_at, created_at_epoch", "'soon', 'tomorrow', 'x'")}, []string{"soon", "heron"}, ""},
		{"a title of bytes", []string{row("title", "CAST('crane' AS BLOB)")}, []string{"crane", "heron"}, ""},
		{"a title of other bytes", []string{row("title, narrative", "x'00ff', 'stork'")}, []string{"", "heron"}, ""},
		{"a title that is a number", []string{row("title", "7")}, []string{"7", "heron"}, ""},
		{"no title", []string{row("narrative", "'crane'")}, []string{"", "heron"}, ""},
		{"facts that are no list", []string{row("title, facts", "'crane', '{'")}, []string{"crane", "heron"}, ""},
		{"no sessions", []string{"DROP TABLE sdk_sessions"}, []string{"heron"}, ""},
		{"no prompts", []string{"DROP TABLE user_prompts"}, []string{"heron"}, ""},
		{"a column is gone", []string{"ALTER TABLE observations DROP COLUMN narrative"}, []string{"heron"}, ""},
		{"a column more", []string{"ALTER TABLE observations ADD COLUMN mood TEXT DEFAULT 'good'"}, []string{"heron"}, ""},
		{"a view in place of sessions", []string{"DROP TABLE sdk_sessions", "CREATE VIEW sdk_sessions AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT n AS id FROM r"}, []string{"heron"}, ""},
		{"a column that is computed", []string{"ALTER TABLE observations ADD COLUMN text TEXT AS (hex(zeroblob(8000000)))", "WITH RECURSIVE r(n) AS (SELECT 100 UNION ALL SELECT n+1 FROM r WHERE n < 2000) INSERT INTO observations (id, title) SELECT n, 'tern' FROM r"}, nil, ""},
		{"no numbers of rows", []string{"DROP TABLE observations", "CREATE TABLE observations (id TEXT PRIMARY KEY, memory_session_id TEXT, title TEXT) WITHOUT ROWID", "INSERT INTO observations VALUES ('a', 'm1', 'heron')"}, []string{"heron"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "claude-mem.db")
			program(t, path, slices.Concat(base, tt.statements)...)
			got, unread, err := readRecords(t, "claude-mem", path)
			if err != nil {
				t.Fatal(err)
			}
			var titles []string
			for _, rec := range got {
				titles = append(titles, rec.Title)
			}
			if tt.titles != nil && !slices.EqualFunc(titles, tt.titles, func(got, want string) bool { return want == "" || got == want }) {
				t.Errorf("titles %q, want %q", titles, tt.titles)
			}
			if (len(unread) == 1) != (tt.unread != "") || tt.unread != "" && !strings.Contains(unread[0], tt.unread) {
				t.Errorf("unread %v, want %q", unread, tt.unread)
			}
		})
	}
}

// Pages that are damaged cost the rows on them.
func TestUnreadPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	conn := program(t, path, table, many(2000))
	do(t, conn, "PRAGMA wal_checkpoint(TRUNCATE)")
	data := []byte(read(t, path))
	for at := 4096 * 50; at < 4096*60; at++ {
		data[at] = 0x5a
	}
	damaged := filepath.Join(t.TempDir(), "y.db")
	write(t, damaged, string(data))
	got, err := records(damaged, "t")
	if err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), "rows before ") {
		t.Errorf("error %v, want that of the damage, with the rows", err)
	}
	if len(got) < 1900 || len(got) >= 2000 {
		t.Errorf("%d rows of 2000, want nearly all", len(got))
	}
}

// A database that gives more than it holds is not read on.
func TestSharedPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	program(t, path, table, "INSERT INTO t VALUES (1, 'words')")
	db, err := openDatabase(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.budget = 4
	var unread []error
	err = db.each(t.Context(), "t", func(why error) error { unread = append(unread, why); return nil }, func(tableRow) error { return nil })
	if err != nil || len(unread) != 1 || !strings.Contains(unread[0].Error(), errTooMuch.Error()) {
		t.Errorf("unread %v, %v; want %v", unread, err, errTooMuch)
	}
}

// What claude-mem wrote down of its own sessions, in which it watches those of
// the user, is nobody's memory.
func TestObservers(t *testing.T) {
	observation := func(session, project string) string {
		return "INSERT INTO observations (memory_session_id, project, title) VALUES ('" + session + "', '" + project + "', 'watched')"
	}
	prompt := func(session, text string) string {
		return "INSERT INTO user_prompts (content_session_id, prompt_text) VALUES ('" + session + "', '" + text + "')"
	}
	session := "INSERT INTO sdk_sessions VALUES (2, 's2', 'm2', 'pier', '')"
	for _, tt := range []struct {
		name       string
		statements []string
		want       int // records besides the heron
	}{
		{"a session of the user", []string{session, observation("m2", "pier"), prompt("s2", "how are the pumps asked?")}, 2},
		{"its project", []string{observation("m2", "observer-sessions")}, 0},
		{"the path of its project", []string{observation("m2", "/home/a/.claude-mem/observer-sessions")}, 0},
		{"the project of its session", []string{"INSERT INTO sdk_sessions VALUES (2, 's2', 'm2', 'observer-sessions', '')", observation("m2", "pier")}, 0},
		{"its prompt", []string{session, prompt("s2", "You are a Claude-Mem, a specialized observer."), observation("m2", "pier")}, 0},
		{"the prompt of its session", []string{"INSERT INTO sdk_sessions VALUES (2, 's2', 'm2', 'pier', 'Hello memory agent, you are continuing to observe the session.')", observation("m2", "pier")}, 0},
		{"what it is shown", []string{session, prompt("s2", "<observed_from_primary_session> ls"), observation("m2", "pier")}, 0},
		{"a later prompt", []string{session, prompt("s2", "go on"), prompt("s2", "<observed_from_primary_session> ls"), observation("m2", "pier")}, 0},
		{"a prompt without a session", []string{prompt("s9", "You are a Claude-Mem, a specialized observer.")}, 0},
		{"the user speaks of it", []string{session, prompt("s2", "is claude-mem an observer?"), observation("m2", "pier")}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "claude-mem.db")
			program(t, path, slices.Concat([]string{memSessions, memObservations, memPrompts, "INSERT INTO sdk_sessions VALUES (1, 's1', 'm1', 'pier', '')", heron}, tt.statements)...)
			got, unread, err := readRecords(t, "claude-mem", path)
			if err != nil || len(unread) > 0 || len(got) != 1+tt.want {
				t.Errorf("%d records, %v; want %d", len(got), err, 1+tt.want)
			}
		})
	}
}

// readRecords returns the records that a program stored at path, and what could not be read.
func readRecords(t *testing.T, program, path string) (records []record.Record, unread []string, err error) {
	t.Helper()
	var out bytes.Buffer
	readErr := Read(t.Context(), program, path, record.NewWriter(&out))
	err = record.Read(&out, func(line record.Line) error {
		if line.Record != nil {
			records = append(records, *line.Record)
		} else {
			unread = append(unread, line.Unread)
		}
		return nil
	})
	if (err == nil) != (readErr == nil) || err != nil && err.Error() != readErr.Error() {
		t.Errorf("error %v, the lines end with %v", readErr, err)
	}
	return records, unread, err
}
