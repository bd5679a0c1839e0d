package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func TestMarks(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	if got := s.Marks(); len(got) != 0 {
		t.Errorf("Marks() of an empty store = %v, want none", got)
	}
	add(t, s, note("one"), memory.Memory{Source: memory.Goals, Text: "two"})
	edit(t, lock, memory.Journal, `{"text":"three"}`)
	shut(t, s)
	s = open(t, lock)
	add(t, s, note("four"))
	want := Marks{}
	for _, src := range []memory.Source{memory.Inbox, memory.Goals, memory.Journal} {
		b, err := os.ReadFile(logPath(lock, src))
		if err != nil {
			t.Fatal(err)
		}
		want[src] = Mark{int64(len(b)), crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))}
	}
	if diff := cmp.Diff(want, s.Marks()); diff != "" {
		t.Errorf("Marks(), -want +got:\n%s", diff)
	}
}

func TestSince(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	old := add(t, s, note("one"), note("two"), memory.Memory{Source: memory.Goals, Text: "goal"})
	from := s.Marks()
	fresh := add(t, s, note("three"), note("four"), note("two"), note("three"))
	if _, err := s.Delete(time.Time{}, old[0], fresh[1], old[2]); err != nil {
		t.Fatal(err)
	}
	add(t, s, memory.Memory{Source: memory.Goals, Text: "goal"})
	for _, max := range []int{1, 2, 100} {
		t.Run(fmt.Sprintf("%d at once", max), func(t *testing.T) {
			var put, deleted []string
			marks := from
			for range 20 {
				ch, err := s.Since(marks, max)
				if err != nil {
					t.Fatal(err)
				}
				put = append(put, textsOf(ch.Put)...)
				deleted = append(deleted, ch.Deleted...)
				marks = ch.Marks
			}
			if diff := cmp.Diff([]string{"two", "three", "goal"}, put); diff != "" {
				t.Errorf("put, -want +got:\n%s", diff)
			}
			if diff := cmp.Diff([]string{old[0], fresh[1]}, deleted); diff != "" {
				t.Errorf("deleted, -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(s.Marks(), marks); diff != "" {
				t.Errorf("marks at the end, -want +got:\n%s", diff)
			}
		})
	}
}

func TestSinceRewritten(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	var ms []memory.Memory
	for i := range 2000 {
		ms = append(ms, note(fmt.Sprintf("memory %d of many, so that there is more than one checkpoint", i)))
	}
	add(t, s, ms[:1500]...)
	mid := s.Marks()[memory.Inbox]
	add(t, s, ms[1500:]...)
	end := s.Marks()[memory.Inbox]
	if len(s.logOf(memory.Inbox).sums) < 2 {
		t.Fatal("the log is too short for this test")
	}
	tests := []struct {
		name string
		from Mark
		want error
	}{
		{"beginning", Mark{}, nil},
		{"middle", mid, nil},
		{"end", end, nil},
		{"other sum", Mark{mid.Bytes, mid.Sum + 1}, ErrRewritten},
		{"other sum at the end", Mark{end.Bytes, end.Sum + 1}, ErrRewritten},
		{"sum of nothing", Mark{0, 1}, ErrRewritten},
		{"behind the end", Mark{end.Bytes + 1, end.Sum}, ErrRewritten},
		{"negative", Mark{-1, 0}, ErrRewritten},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := s.Since(Marks{memory.Inbox: tt.from}, 5); !errors.Is(err, tt.want) {
				t.Errorf("Since() = %v, want %v", err, tt.want)
			}
		})
	}
}

// TestSinceInsideALine: a last line without a newline counts, and if a user
// then makes it longer, it is another line.
func TestSinceInsideALine(t *testing.T) {
	lock := own(t)
	edit(t, lock, memory.Inbox, `{"text":"one"}`)
	s := open(t, lock)
	marks := s.Marks()
	edit(t, lock, memory.Inbox, `{"text":"one"}`+"\r\n"+`{"text":"two"}`)
	if ch, err := s.Since(marks, 10); err != nil || len(ch.Put) != 1 {
		t.Errorf("Since() = %v, %v, want the second line", ch.Put, err)
	}
	edit(t, lock, memory.Inbox, `{"text":"one"} nonsense`+"\n")
	if _, err := s.Since(marks, 10); !errors.Is(err, ErrRewritten) {
		t.Errorf("Since() = %v, want %v", err, ErrRewritten)
	}
}
