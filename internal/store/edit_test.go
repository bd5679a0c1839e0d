package store

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// TestEditWhileOpen edits a log that an open store has read, appends to it,
// and follows it from before the edit.
func TestEditWhileOpen(t *testing.T) {
	one, two := plain(t, note("one")), plain(t, note("two"))
	tests := []struct {
		name      string
		edit      func(t *testing.T, path string)
		want      []string
		rewritten bool
		put       []string // what Since reports otherwise
	}{
		{"nothing", func(*testing.T, string) {}, []string{"one", "two", "new"}, false, []string{"new"}},
		{"replaced by another file", func(t *testing.T, path string) {
			write(t, path+"~", plain(t, note("uno"))+two)
			if err := os.Rename(path+"~", path); err != nil {
				t.Fatal(err)
			}
		}, []string{"uno", "two", "new"}, true, nil},
		{"replaced by the same text", func(t *testing.T, path string) {
			write(t, path+"~", one+two)
			if err := os.Rename(path+"~", path); err != nil {
				t.Fatal(err)
			}
		}, []string{"one", "two", "new"}, false, []string{"new"}},
		{"shortened in place", func(t *testing.T, path string) { write(t, path, two) }, []string{"two", "new"}, true, nil},
		{"same length in place", func(t *testing.T, path string) {
			shift(t, path, time.Minute, func() {
				write(t, path, strings.Replace(one, `"text":"one"`, `"text":"ONE"`, 1)+two)
			})
		}, []string{"ONE", "two", "new"}, true, nil},
		{"lines added", func(t *testing.T, path string) {
			write(t, path, one+two+`{"text":"by hand"}`+"\n")
		}, []string{"one", "two", "by hand", "new"}, false, []string{"by hand", "new"}},
		{"line added without its newline", func(t *testing.T, path string) {
			write(t, path, one+two+`{"text":"by hand"}`)
		}, []string{"one", "two", "by hand", "new"}, false, []string{"by hand", "new"}},
		{"lines added and the time kept", func(t *testing.T, path string) {
			shift(t, path, 0, func() { write(t, path, one+two+`{"text":"by hand"}`+"\n") })
		}, []string{"one", "two", "by hand", "new"}, false, []string{"by hand", "new"}},
		{"half a line added", func(t *testing.T, path string) {
			write(t, path, one+two+`{"text":"by`)
		}, []string{"one", "two", "new"}, false, []string{"new"}},
		{"removed", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, []string{"new"}, true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lock := own(t)
			s := open(t, lock)
			add(t, s, note("one"), note("two"))
			marks := s.Marks()
			tt.edit(t, logPath(lock, memory.Inbox))
			add(t, s, note("new"))
			ch, err := s.Since(marks, 100)
			if errors.Is(err, ErrRewritten) != tt.rewritten || err != nil && !tt.rewritten {
				t.Errorf("Since() = %v, want rewritten: %v", err, tt.rewritten)
			}
			if diff := cmp.Diff(tt.put, textsOf(ch.Put)); diff != "" {
				t.Errorf("Since().Put, -want +got:\n%s", diff)
			}
			for range 2 {
				if diff := cmp.Diff(tt.want, texts(t, s)); diff != "" {
					t.Errorf("All(), -want +got:\n%s", diff)
				}
				shut(t, s)
				s = open(t, lock)
			}
		})
	}
}

// TestReadAfterEdit: what was edited in place under an open store is not read
// from where it used to lie.
func TestReadAfterEdit(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	ids := add(t, s, note("one"), note("two"))
	edit(t, lock, memory.Inbox, plain(t, note("two"))+plain(t, note("one")))
	if m, err := s.Get(ids[0]); err != nil || m.Text != "one" {
		t.Errorf("Get(%s) = %q, %v, want one from its new place", ids[0], m.Text, err)
	}
	edit(t, lock, memory.Inbox, plain(t, note("two")))
	if m, err := s.Get(ids[1]); err != nil || m.Text != "two" {
		t.Errorf("Get(%s) = %q, %v, want two", ids[1], m.Text, err)
	}
	if _, err := s.Get(ids[0]); !errors.Is(err, ErrNotFound) {
		t.Errorf("Get(%s) = %v, want %v", ids[0], err, ErrNotFound)
	}
	if diff := cmp.Diff([]string{"two"}, texts(t, s)); diff != "" {
		t.Errorf("All(), -want +got:\n%s", diff)
	}
}

// TestSinceSeesTheEdit: no append is needed for an edit to be noticed.
func TestSinceSeesTheEdit(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	add(t, s, note("one"))
	marks := s.Marks()
	edit(t, lock, memory.Goals, `{"text":"new log"}`)
	ch, err := s.Since(marks, 100)
	if diff := cmp.Diff([]string{"new log"}, textsOf(ch.Put)); err != nil || diff != "" {
		t.Errorf("Since() = %v, -want +got:\n%s", err, diff)
	}
	marks = ch.Marks
	path := logPath(lock, memory.Inbox)
	shift(t, path, 0, func() { write(t, path, plain(t, note("one"))+plain(t, note("two"))) })
	ch, err = s.Since(marks, 100)
	if diff := cmp.Diff([]string{"two"}, textsOf(ch.Put)); err != nil || diff != "" {
		t.Errorf("Since() = %v, -want +got:\n%s", err, diff)
	}
	marks = ch.Marks
	shift(t, path, time.Minute, func() { write(t, path, plain(t, note("one"))+plain(t, note("TWO"))) })
	if _, err := s.Since(marks, 100); !errors.Is(err, ErrRewritten) {
		t.Errorf("Since() after an edit of the same length = %v, want %v", err, ErrRewritten)
	}
	edit(t, lock, memory.Inbox, "")
	if _, err := s.Since(marks, 100); !errors.Is(err, ErrRewritten) {
		t.Errorf("Since() = %v, want %v", err, ErrRewritten)
	}
}

func textsOf(ms []memory.Memory) []string {
	var all []string
	for _, m := range ms {
		all = append(all, m.Text)
	}
	return all
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// shift changes the file at path by do, and its time by exactly by, on file
// systems with coarse times too.
func shift(tb testing.TB, path string, by time.Duration, do func()) {
	tb.Helper()
	fi, err := os.Stat(path)
	if err != nil {
		tb.Fatal(err)
	}
	do()
	at := fi.ModTime().Add(by)
	if err := os.Chtimes(path, at, at); err != nil {
		tb.Fatal(err)
	}
}
