package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
	"recollect/internal/memory/compactid"
)

// hintAll makes logs of every size get hint files for the length of the test.
func hintAll(tb testing.TB) {
	before := minHinted
	minHinted = 1
	tb.Cleanup(func() { minHinted = before })
}

func hintFiles(tb testing.TB, lock *Lock) []string {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(lock.home, folder, "*"+hintSuffix+"*"))
	if err != nil {
		tb.Fatal(err)
	}
	return names
}

func removeHints(tb testing.TB, lock *Lock) {
	tb.Helper()
	for _, name := range hintFiles(tb, lock) {
		if err := os.Remove(name); err != nil {
			tb.Fatal(err)
		}
	}
}

// hinted returns a closed store with hint files, and what is in it.
func hinted(t *testing.T) (lock *Lock, want []memory.Memory) {
	t.Helper()
	hintAll(t)
	lock = own(t)
	s := open(t, lock)
	day := time.Date(2026, 2, 10, 9, 0, 0, 123_456_000, time.UTC)
	var ms []memory.Memory
	for i := range 300 {
		ms = append(ms, memory.Memory{
			Source: memory.Episodes, Session: fmt.Sprint("session ", i/9), Turn: fmt.Sprint(i / 2), Text: fmt.Sprint("turn ", i),
			Agent: strings.Repeat("a", i%3), OccurredAt: day.Add(time.Duration(i) * time.Minute),
			Project: fmt.Sprint("p", i%4), ProjectPath: fmt.Sprint("/src/p", i%4),
		})
	}
	ids := add(t, s, append(ms,
		memory.Memory{Source: memory.Journal, Text: "Use JSONL", OccurredAt: day, AppliesTo: memory.Global},
		memory.Memory{Source: memory.Inbox, ID: "mine", Text: "own id"},
		memory.Memory{Source: memory.Inbox, ID: "ep-0123456789ab", Text: "of a foreign prefix"},
		memory.Memory{Source: memory.Inbox, Text: "waits", Pending: true},
	)...)
	add(t, s, memory.Memory{Source: memory.Journal, Text: "Use SQLite", Supersedes: []string{ids[300]}, OccurredAt: day.Add(time.Hour)})
	if _, err := s.Delete(day, ids[17], ids[40]); err != nil {
		t.Fatal(err)
	}
	for m, err := range s.Everything() {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, m)
	}
	shut(t, s)
	if got := len(hintFiles(t, lock)); got != 3 {
		t.Fatalf("%d hint files, want one of each log", got)
	}
	return lock, want
}

// plainly is what there is in contents, in a form that does not depend on how it came there.
func plainly(c *contents) contents {
	got := *c
	got.at, got.sessions.memories = compactid.Map[place]{}, nil
	return got
}

// What a hint file says is what the log says.
func TestHint(t *testing.T) {
	lock, want := hinted(t)
	s := open(t, lock)
	if left := hintFiles(t, lock); len(left) > 0 {
		t.Errorf("Open left %v", left)
	}
	var fromHints []*contents
	for _, l := range s.logs {
		fromHints = append(fromHints, l.contents)
	}
	shut(t, s)
	removeHints(t, lock)
	s = open(t, lock)
	for i, l := range s.logs {
		got := fromHints[i]
		if diff := cmp.Diff(maps.Collect(l.at.All()), maps.Collect(got.at.All()), cmp.AllowUnexported(place{})); diff != "" {
			t.Errorf("%s: places, -read +hinted:\n%s", l.name, diff)
		}
		if want, got := fmt.Sprintf("%+v", plainly(l.contents)), fmt.Sprintf("%+v", plainly(got)); got != want {
			t.Errorf("%s: hinted %s, want %s", l.name, got, want)
		}
		for number, at := range l.sessions.memories {
			if !slices.Equal(ids(l.contents, at), ids(got, got.sessions.memories[number])) {
				t.Errorf("%s: session %d has other memories", l.name, number)
			}
		}
	}
	expect(t, s, want)
}

func ids(c *contents, at []uint32) []string {
	var out []string
	for _, i := range at {
		if id, p := c.at.At(int(i)); !p.dead {
			out = append(out, id)
		}
	}
	return out
}

func expect(t *testing.T, s *Store, want []memory.Memory) {
	t.Helper()
	var got []memory.Memory
	for m, err := range s.Everything() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Everything(), -want +got:\n%s", diff)
	}
	if p := s.Problems(); len(p) > 0 {
		t.Errorf("Problems() = %v, want none", p)
	}
}

// A log that changed is read, whatever its hint file says, and a hint file that is damaged is not used.
func TestHintNotUsed(t *testing.T) {
	change := func(t *testing.T, path string, f func(text string) string) {
		t.Helper()
		text := fileText(t, path)
		if err := os.WriteFile(path, []byte(f(text)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	another := func(text string) string { return strings.ReplaceAll(text, "turn 299", "turn two") }
	tests := []struct {
		name string
		do   func(t *testing.T, log, hints string)
		want string // what the store has then, of which it would otherwise have "turn 299"
	}{
		{"appended to", func(t *testing.T, log, _ string) {
			change(t, log, func(text string) string {
				return text + plain(t, memory.Memory{ID: "ep-new", Source: memory.Episodes, Text: "by hand"})
			})
		}, "by hand"},
		{"edited", func(t *testing.T, log, _ string) { change(t, log, another) }, "turn two"},
		{"edited, with the old time", func(t *testing.T, log, _ string) {
			shift(t, log, 0, func() { change(t, log, another) })
		}, "turn two"},
		{"another version", func(t *testing.T, log, hints string) {
			change(t, hints, func(text string) string { return strings.Replace(text, `"Version":1`, `"Version":2`, 1) })
		}, "turn 299"},
		{"no rows", func(t *testing.T, log, hints string) {
			change(t, hints, func(text string) string { return strings.Replace(text, `"Rows":300`, `"Rows":-30`, 1) })
		}, "turn 299"},
		{"cut", func(t *testing.T, log, hints string) {
			change(t, hints, func(text string) string { return text[:len(text)/2] })
		}, "turn 299"},
		{"empty", func(t *testing.T, log, hints string) { change(t, hints, func(string) string { return "" }) }, "turn 299"},
		{"a bit turned", func(t *testing.T, log, hints string) {
			change(t, hints, func(text string) string {
				b := []byte(text)
				b[len(b)-40] ^= 1
				return string(b)
			})
		}, "turn 299"},
		{"of another log", func(t *testing.T, log, hints string) {
			change(t, hints, func(string) string { return fileText(t, filepath.Join(filepath.Dir(hints), "journal"+hintSuffix)) })
		}, "turn 299"},
		{"a folder", func(t *testing.T, log, hints string) {
			if err := os.Remove(hints); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(hints, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "turn 299"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lock, _ := hinted(t)
			log := logPath(lock, memory.Episodes)
			tt.do(t, log, strings.TrimSuffix(log, logSuffix)+hintSuffix)
			s := open(t, lock)
			if got := texts(t, s); !slices.Contains(got, tt.want) {
				t.Errorf("the last texts are %q, want %q among them", got[len(got)-3:], tt.want)
			}
			if p := s.Problems(); len(p) > 0 {
				t.Errorf("Problems() = %v, want none", p)
			}
		})
	}
}

// A store of which a log cannot be described in a hint file is closed without one.
func TestNoHint(t *testing.T) {
	hintAll(t)
	lock := own(t)
	s := open(t, lock)
	add(t, s, memory.Memory{Source: memory.Inbox, ID: strings.Repeat("long", 100), Text: "text"})
	edit(t, lock, memory.Journal, "no JSON\n")
	texts(t, s)
	shut(t, s)
	if left := hintFiles(t, lock); len(left) > 0 {
		t.Errorf("Close wrote %v", left)
	}
}

// Whatever a hint file says that has the right sum, nothing is read from behind the end of the log.
func FuzzReadHint(f *testing.F) {
	hintAll(f)
	lock := own(f)
	s := open(f, lock)
	add(f, s, memory.Memory{Source: memory.Episodes, Session: "s", Agent: "a", Text: "one"}, memory.Memory{Source: memory.Episodes, Text: "two"})
	shut(f, s)
	log := logPath(lock, memory.Episodes)
	text := fileText(f, strings.TrimSuffix(log, logSuffix)+hintSuffix)
	f.Add([]byte(text[:len(text)-crc32.Size]))
	file, err := os.Open(log)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { file.Close() })
	fi, err := file.Stat()
	if err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(f.TempDir(), "hints")
	f.Fuzz(func(t *testing.T, b []byte) {
		write(t, path, string(b)+string(binary.LittleEndian.AppendUint32(nil, crc32.Checksum(b, castagnoli))))
		hints, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer hints.Close()
		c, err := readHint(hints, file, fi, memory.Episodes)
		if c == nil || err != nil {
			return
		}
		for id, p := range c.at.All() {
			if p.off < 0 || p.n < 0 || p.off+int64(p.n) > fi.Size() || int(p.session) > len(c.sessions.names) || int(p.project) > len(c.projects.all) {
				t.Errorf("%s lies at %+v in a log of %d bytes", id, p, fi.Size())
			}
		}
	})
}
