package store

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// A log that cannot be read, here because a folder has its name, leaves the others alone:
// they are read, followed and written. It refuses what belongs to it, is named, and works
// again once it can be read.
func TestUnreadableLog(t *testing.T) {
	decision := memory.Memory{Source: memory.Journal, Text: "we keep Postgres"}
	for _, when := range []string{"before it is opened", "while it is open"} {
		t.Run(when, func(t *testing.T) {
			lock := own(t)
			s := open(t, lock)
			id := add(t, s, note("one"), decision)[0]
			marks := s.Marks()
			path := logPath(lock, memory.Journal)
			if when == "before it is opened" {
				shut(t, s)
				obstruct(t, path)
				s = open(t, lock)
			} else {
				obstruct(t, path)
			}

			err := s.Append(cleaned(memory.Memory{Source: memory.Journal, Text: "we keep Redis"}, note("two"))...)
			if !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), "journal.jsonl cannot be read: ") {
				t.Errorf("Append() = %v, want that journal.jsonl cannot be read", err)
			}
			ch, err := s.Since(marks, 100)
			if err != nil || len(ch.Put) != 1 || ch.Put[0].Text != "two" || ch.Marks[memory.Journal] != marks[memory.Journal] {
				t.Errorf("Since() = %+v, %v, want the other log's new memory", ch, err)
			}
			if ps := s.Problems(); len(ps) != 1 || !strings.HasPrefix(ps[0].String(), "journal.jsonl: cannot be read: ") {
				t.Errorf("Problems() = %v, want one with the log", ps)
			}
			if _, err := s.Delete(time.Now(), id); err != nil {
				t.Errorf("Delete() = %v", err)
			}
			if err := s.Scrub(func([]byte) bool { return false }); !errors.Is(err, ErrUnreadable) {
				t.Errorf("Scrub() = %v, want %v", err, ErrUnreadable)
			}

			restore(t, path)
			add(t, s, memory.Memory{Source: memory.Journal, Text: "we keep Redis"})
			if diff := cmp.Diff([]string{"two", "we keep Postgres", "we keep Redis"}, slices.Sorted(slices.Values(texts(t, s)))); diff != "" {
				t.Errorf("memories afterwards (-want +got):\n%s", diff)
			}
			if ps := s.Problems(); len(ps) != 0 {
				t.Errorf("Problems() = %v afterwards, want none", ps)
			}
		})
	}
}

// Without read permission a log is unreadable too.
func TestLogWithoutPermission(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	add(t, s, note("one"), memory.Memory{Source: memory.Goals, Text: "ship it"})
	shut(t, s)
	if err := os.Chmod(logPath(lock, memory.Goals), 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(logPath(lock, memory.Goals)); err == nil {
		f.Close()
		t.Skip("this user may read everything")
	}
	s = open(t, lock)
	if diff := cmp.Diff([]string{"one"}, texts(t, s)); diff != "" {
		t.Errorf("memories (-want +got):\n%s", diff)
	}
	if ps := s.Problems(); len(ps) != 1 || !strings.Contains(ps[0].String(), "goals.jsonl: cannot be read: permission denied") {
		t.Errorf("Problems() = %v, want one with the log", ps)
	}
}

// obstruct moves a log away and makes a folder in its place.
func obstruct(t *testing.T, path string) {
	t.Helper()
	if err := errors.Join(os.Rename(path, path+".away"), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
}

// restore undoes what obstruct did.
func restore(t *testing.T, path string) {
	t.Helper()
	if err := errors.Join(os.Remove(path), os.Rename(path+".away", path)); err != nil {
		t.Fatal(err)
	}
}
