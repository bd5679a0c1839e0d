package store

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func TestCompact(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	one, two := plain(t, note("one")), plain(t, note("two"))
	secret := note("secret")
	words := plain(t, secret)
	if err := secret.Normalize(); err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := encode(&buf, tombstone(secret.ID, memory.Inbox, at)); err != nil {
		t.Fatal(err)
	}
	grave := buf.String()
	long := strings.Repeat("z", maxLine+5)
	tests := []struct {
		name      string
		log, want string
		forgotten int
	}{
		{"nothing to do", one + two, one + two, 0},
		{"replaced", one + two + one, two + one, 0},
		{"deleted", one + words + grave + two, one + grave + two, 1},
		{"deleted twice", words + grave + words + grave, grave, 2},
		{"deleted and stored again", words + grave + words, words, 1},
		{"tombstone with words", strings.Replace(grave, `,"source"`, `,"text":"secret","source"`, 1), grave, 1},
		{"unreadable lines stay", one + "garbage \x00\r\n" + long + "\n" + one, "garbage \x00\r\n" + long + "\n" + one, 0},
		{"written by hand", "\uFEFF" + `  {"mood":"good","text":"x"}` + "\r\n\r\n" + two, `{"mood":"good","text":"x"}` + "\n" + two, 0},
		{"other source", strings.Replace(one, `"inbox"`, `"goals"`, 1) + two, strings.Replace(one, `"inbox"`, `"goals"`, 1) + two, 0},
		{"last newline missing", two + one + strings.TrimSpace(two), one + two, 0},
		{"torn tail", two + two + one[:20], two, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lock := own(t)
			edit(t, lock, memory.Inbox, tt.log)
			s := open(t, lock)
			before := texts(t, s)
			if got := s.Garbage()[memory.Inbox].Forgotten; got != tt.forgotten {
				t.Errorf("Garbage().Forgotten = %d, want %d", got, tt.forgotten)
			}
			if err := s.Compact(memory.Inbox); err != nil {
				t.Fatal(err)
			}
			if got := fileText(t, logPath(lock, memory.Inbox)); got != tt.want {
				t.Errorf("log = %.300q\nwant  %.300q", got, tt.want)
			}
			if got := s.Garbage(); len(got) != 0 {
				t.Errorf("Garbage() afterwards = %v, want none", got)
			}
			if ch, err := s.Since(s.Marks(), 10); err != nil || len(ch.Put) > 0 {
				t.Errorf("Since(Marks()) afterwards = %v, %v, want nothing", ch.Put, err)
			}
			add(t, s, note("new"))
			for range 2 {
				if diff := cmp.Diff(append(before, "new"), texts(t, s)); diff != "" {
					t.Errorf("All(), -before +after:\n%s", diff)
				}
				shut(t, s)
				s = open(t, lock)
			}
		})
	}
}

func TestGarbage(t *testing.T) {
	s := open(t, own(t))
	ids := add(t, s, note("one"), note("two"))
	if got := s.Garbage(); len(got) != 0 {
		t.Errorf("Garbage() of a new log = %v, want none", got)
	}
	line := int64(len(plain(t, note("one"))))
	add(t, s, note("one"))
	want := map[memory.Source]Garbage{memory.Inbox: {Bytes: 3 * line, Dead: line}}
	if diff := cmp.Diff(want, s.Garbage()); diff != "" {
		t.Errorf("Garbage() after a replacement, -want +got:\n%s", diff)
	}
	if _, err := s.Delete(time.Time{}, ids[0]); err != nil {
		t.Fatal(err)
	}
	if g := s.Garbage()[memory.Inbox]; g.Dead != 2*line || g.Forgotten != 1 {
		t.Errorf("Garbage() after a deletion = %+v, want two dead lines, one forgotten memory", g)
	}
}

func TestCompactRefuses(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	if err := s.Compact("notes"); err == nil {
		t.Error("Compact(notes) = nil, want an error")
	}
	if err := s.Compact(memory.Inbox); err != nil {
		t.Errorf("Compact() without a log = %v", err)
	}
	add(t, s, note("one"), note("one"))
	before := s.Marks()
	if err := os.Mkdir(logPath(lock, memory.Inbox)+tempSuffix, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.Compact(memory.Inbox); err == nil || !strings.HasPrefix(err.Error(), "compact inbox.jsonl: ") {
		t.Errorf("Compact() = %v, want an error that names the log", err)
	}
	if diff := cmp.Diff(before, s.Marks()); diff != "" {
		t.Errorf("Marks() after it failed, -before +after:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"one", "two"}, texts(t, addTo(t, s, note("two")))); diff != "" {
		t.Errorf("All(), -want +got:\n%s", diff)
	}
}

func addTo(tb testing.TB, s *Store, ms ...memory.Memory) *Store {
	add(tb, s, ms...)
	return s
}

func TestCompactFollowsLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	lock := own(t)
	elsewhere := t.TempDir() + "/inbox"
	write(t, elsewhere, plain(t, note("one"))+plain(t, note("one")))
	edit(t, lock, memory.Goals, "")
	if err := os.Symlink(elsewhere, logPath(lock, memory.Inbox)); err != nil {
		t.Fatal(err)
	}
	if err := open(t, lock).Compact(memory.Inbox); err != nil {
		t.Fatal(err)
	}
	if got := fileText(t, elsewhere); got != plain(t, note("one")) {
		t.Errorf("what the link points to = %q, want it compacted", got)
	}
	if fi, err := os.Lstat(logPath(lock, memory.Inbox)); err != nil || fi.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", fi, err)
	}
}

func TestLeftTempIsRemoved(t *testing.T) {
	lock := own(t)
	edit(t, lock, memory.Inbox, plain(t, note("one")))
	temp := logPath(lock, memory.Inbox) + tempSuffix
	write(t, temp, "half of a compaction")
	open(t, lock)
	if _, err := os.Stat(temp); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Stat() of what a compaction left = %v, want %v", err, os.ErrNotExist)
	}
}
