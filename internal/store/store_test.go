package store

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// own acquires a fresh home folder for the length of the test.
func own(tb testing.TB) *Lock {
	tb.Helper()
	lock, err := Acquire(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := lock.Release(); err != nil {
			tb.Error(err)
		}
	})
	return lock
}

// open opens the store of lock for the length of the test, at most.
func open(tb testing.TB, lock *Lock) *Store {
	tb.Helper()
	s, err := Open(lock, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { shut(tb, s) })
	return s
}

func shut(tb testing.TB, s *Store) {
	tb.Helper()
	if err := s.Close(); err != nil {
		tb.Error(err)
	}
}

func logPath(lock *Lock, src memory.Source) string {
	return filepath.Join(lock.home, folder, logName(src))
}

// edit writes a log as a user's editor would.
func edit(tb testing.TB, lock *Lock, src memory.Source, text string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Join(lock.home, folder), 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(logPath(lock, src), []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

func note(text string) memory.Memory {
	return memory.Memory{Source: memory.Inbox, Text: text}
}

// cleaned makes ms fit to be stored, and sets their ids.
func cleaned(ms ...memory.Memory) []clean.Memory {
	out, err := clean.Drafts(memory.Drafts(ms...)...)
	if err != nil {
		panic(err)
	}
	for i, m := range out {
		ms[i] = m.Memory()
	}
	return out
}

// add stores ms and returns their ids.
func add(tb testing.TB, s *Store, ms ...memory.Memory) []string {
	tb.Helper()
	if err := s.Append(cleaned(ms...)...); err != nil {
		tb.Fatal(err)
	}
	ids := make([]string, len(ms))
	for i, m := range ms {
		ids[i] = m.ID
	}
	return ids
}

// texts lists what All yields.
func texts(tb testing.TB, s *Store) []string {
	tb.Helper()
	var all []string
	for m, err := range s.All() {
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, m.Text)
	}
	return all
}

func TestAppendAndRead(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	ms := []memory.Memory{
		{
			Source: memory.Patterns, Title: "Safe arithmetic", Text: "a <b> && \"c\"\nd",
			Fields: map[string]string{"context": "set -e"}, Keywords: []string{"Bash"}, Tags: []string{"deleted", "supersedes"},
			OccurredAt: time.Date(2026, 2, 10, 9, 0, 0, 0, time.UTC), Importance: memory.High, Confidence: 0.9,
		},
		{Source: memory.Episodes, Turn: "u1", Title: "first", Text: "half"},
		{Source: memory.Journal, Text: "Use JSONL", Supersedes: []string{"dec-old"}},
		{Source: memory.Inbox, ID: "mine \"quoted\"", Text: "own id"},
	}
	ids := add(t, s, ms...)
	for _, name := range []string{"as written", "opened again"} {
		t.Run(name, func(t *testing.T) {
			for i, id := range ids {
				got, err := s.Get(id)
				if diff := cmp.Diff(ms[i], got); err != nil || diff != "" {
					t.Errorf("Get(%s) = %v, -want +got:\n%s", id, err, diff)
				}
			}
			if got := s.Len(); got != len(ms) {
				t.Errorf("Len() = %d, want %d", got, len(ms))
			}
			want := map[memory.Source]int{memory.Patterns: 1, memory.Episodes: 1, memory.Journal: 1, memory.Inbox: 1}
			if diff := cmp.Diff(want, s.Counts()); diff != "" {
				t.Errorf("Counts(), -want +got:\n%s", diff)
			}
			if _, err := s.Get("dec-old"); !errors.Is(err, ErrNotFound) || s.Known("dec-old") {
				t.Errorf("Get of an unknown id: %v, want %v", err, ErrNotFound)
			}
		})
		shut(t, s)
		s = open(t, lock)
	}
}

func TestReplaceDeleteAndOrder(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	turn := func(n, text string) memory.Memory {
		return memory.Memory{Source: memory.Episodes, Turn: n, Title: "prompt " + n, Text: text}
	}
	ids := add(t, s, turn("1", "one"), turn("2", "half"), turn("3", "three"))
	add(t, s, turn("2", "whole"))
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	deleted, err := s.Delete(at, ids[0], "ep-unknown", ids[0])
	if err != nil || len(deleted) != 1 || deleted[0].Text != "one" {
		t.Fatalf("Delete() = %v, %v, want the memory that says one", deleted, err)
	}
	if again, err := s.Delete(at, ids[0]); err != nil || len(again) != 0 {
		t.Errorf("second Delete() = %v, %v, want nothing", again, err)
	}
	for range 2 {
		if diff := cmp.Diff([]string{"three", "whole"}, texts(t, s)); diff != "" {
			t.Errorf("All(), -want +got:\n%s", diff)
		}
		if diff := cmp.Diff([]string{ids[1], ids[2]}, s.IDs()); diff != "" {
			t.Errorf("IDs(), -want +got:\n%s", diff)
		}
		if _, err := s.Get(ids[0]); !errors.Is(err, ErrNotFound) || !s.Known(ids[0]) {
			t.Errorf("a deleted memory: Get() = %v, Known() = %v, want %v, true", err, s.Known(ids[0]), ErrNotFound)
		}
		shut(t, s)
		s = open(t, lock)
	}
	add(t, s, turn("1", "again"))
	if diff := cmp.Diff([]string{"three", "whole", "again"}, texts(t, s)); diff != "" {
		t.Errorf("All() after the deleted was stored again, -want +got:\n%s", diff)
	}
}

func TestAppendRefuses(t *testing.T) {
	fields := map[string]string{}
	for i := range 400 {
		fields[fmt.Sprint(i)] = strings.Repeat("x", 4000)
	}
	tests := []struct {
		name string
		m    clean.Memory
		want string
	}{
		{"none", clean.Memory{}, "append memory 2 of 2: it is none"},
		{"too long", cleaned(memory.Memory{Source: memory.Inbox, Text: "x", Fields: fields})[0], "longer than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, own(t))
			err := s.Append(cleaned(note("good"))[0], tt.m)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Append() = %v, want an error with %q", err, tt.want)
			}
			if s.Len() != 0 {
				t.Errorf("Len() = %d, want nothing of the batch stored", s.Len())
			}
		})
	}
}

func TestSupersededBy(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC) }
	dec := func(id string, day int, olds ...string) memory.Memory {
		return memory.Memory{Source: memory.Journal, ID: id, Text: id, RecordedAt: at(day), Supersedes: olds}
	}
	pref := dec("pref-a", 4, "dec-a")
	pref.Source = memory.Preferences
	tests := []struct {
		name   string
		ms     []memory.Memory
		delete string
		want   map[string]string
	}{
		{"one", []memory.Memory{dec("dec-a", 1), dec("dec-b", 2, "dec-a")}, "", map[string]string{"dec-a": "dec-b", "dec-b": ""}},
		{"chain", []memory.Memory{dec("dec-a", 1), dec("dec-b", 2, "dec-a"), dec("dec-c", 3, "dec-b")}, "", map[string]string{"dec-a": "dec-b", "dec-b": "dec-c"}},
		{"the later of two", []memory.Memory{dec("dec-a", 1), dec("dec-c", 3, "dec-a"), dec("dec-b", 2, "dec-a")}, "", map[string]string{"dec-a": "dec-c"}},
		{"deleted replacement", []memory.Memory{dec("dec-a", 1), dec("dec-b", 2, "dec-a")}, "dec-b", map[string]string{"dec-a": ""}},
		{"claim taken back", []memory.Memory{dec("dec-a", 1), dec("dec-b", 2, "dec-a"), dec("dec-b", 3)}, "", map[string]string{"dec-a": ""}},
		{"itself", []memory.Memory{dec("dec-a", 1, "dec-a")}, "", map[string]string{"dec-a": ""}},
		{"taken up again", []memory.Memory{dec("dec-a", 1), dec("dec-b", 2, "dec-a"), dec("dec-a", 3, "dec-b")}, "", map[string]string{"dec-a": "", "dec-b": "dec-a"}},
		{"circle on one day", []memory.Memory{dec("dec-b", 1, "dec-a"), dec("dec-a", 1, "dec-b")}, "", map[string]string{"dec-a": "", "dec-b": "dec-a"}},
		{"other source", []memory.Memory{dec("dec-a", 1), pref}, "", map[string]string{"dec-a": "pref-a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lock := own(t)
			s := open(t, lock)
			add(t, s, tt.ms...)
			if _, err := s.Delete(at(9), tt.delete); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				for id, want := range tt.want {
					if got := s.SupersededBy(id); got != want {
						t.Errorf("SupersededBy(%s) = %q, want %q", id, got, want)
					}
				}
				shut(t, s)
				s = open(t, lock)
			}
		})
	}
}

func TestMoveToAnotherSource(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	m := note("use tabs")
	id := add(t, s, m)[0]
	m.ID, m.Source = id, memory.Preferences
	add(t, s, m)
	for range 2 {
		got, err := s.Get(id)
		if err != nil || got.Source != memory.Preferences {
			t.Errorf("Get() = %s, %v, want it from %s", got.Source, err, memory.Preferences)
		}
		if diff := cmp.Diff(map[memory.Source]int{memory.Preferences: 1}, s.Counts()); diff != "" {
			t.Errorf("Counts(), -want +got:\n%s", diff)
		}
		shut(t, s)
		s = open(t, lock)
	}
}

// TestIDInTwoLogs is what a user makes by copying a line and not removing the
// first one.
func TestIDInTwoLogs(t *testing.T) {
	lock := own(t)
	edit(t, lock, memory.Inbox, `{"id":"note-1","text":"here"}`+"\n")
	edit(t, lock, memory.Goals, `{"id":"note-1","text":"there"}`+"\n"+`{"id":"own","text":"goal"}`+"\n")
	edit(t, lock, memory.Journal, `{"id":"own","text":"decision"}`+"\n")
	s := open(t, lock)
	if diff := cmp.Diff([]string{"decision", "here"}, texts(t, s)); diff != "" {
		t.Errorf("All(), -want +got:\n%s", diff)
	}
	if s.Len() != 2 || len(s.IDs()) != 2 {
		t.Errorf("Len() = %d, IDs() = %v, want 2", s.Len(), s.IDs())
	}
	ch, err := s.Since(nil, 100)
	if err != nil || len(ch.Put) != 2 {
		t.Errorf("Since() = %v, %v, want two memories", ch.Put, err)
	}
	if _, err := s.Delete(time.Time{}, "note-1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get("note-1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("Get() after Delete() = %v, want %v", err, ErrNotFound)
	}
}

func TestClosed(t *testing.T) {
	s := open(t, own(t))
	id := add(t, s, note("x"))[0]
	shut(t, s)
	if err := s.Append(cleaned(note("y"))...); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Append() = %v, want %v", err, os.ErrClosed)
	}
	if _, err := s.Get(id); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Get() = %v, want %v", err, os.ErrClosed)
	}
	if err := s.Compact(memory.Inbox); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Compact() = %v, want %v", err, os.ErrClosed)
	}
}

// A goal that was reached is gone like any other deleted memory, but was not forgotten, and
// it stays known when.
func TestEndedGoal(t *testing.T) {
	s := open(t, own(t))
	at := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	goal, err := clean.Draft(memory.Draft{Memory: memory.Memory{Source: memory.Goals, Title: "ship it", OccurredAt: at}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(goal, goal.Ended()); err != nil {
		t.Fatal(err)
	}
	id := goal.Memory().ID
	for range 2 {
		if _, err := s.Get(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("Get() = %v, want %v", err, ErrNotFound)
		}
		if got, ok := s.Ended(id); !ok || !got.Equal(at) {
			t.Errorf("Ended() = %s, %t, want %s", got, ok, at)
		}
		if g := s.Garbage()[memory.Goals]; g.Forgotten != 0 {
			t.Errorf("%d goals forgotten, want none", g.Forgotten)
		}
		if err := s.Compact(memory.Goals); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Append(goal); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Delete(at, id); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Ended(id); ok {
		t.Error("a forgotten goal was taken for one that was reached")
	}
}
