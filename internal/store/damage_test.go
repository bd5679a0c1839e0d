package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// plain returns m as the store writes it.
func plain(tb testing.TB, m memory.Memory) string {
	tb.Helper()
	if err := m.Normalize(); err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	if err := encode(&b, &m); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

func TestOpenDamaged(t *testing.T) {
	one, two := plain(t, note("one")), plain(t, note("two"))
	broken := strings.Replace(two, `,"text":"two"`, `,"text":"two`, 1) // plain from both ends
	tests := []struct {
		name  string
		log   string
		want  []string // texts, with "three" appended after opening
		lines []int    // of Problems, once everything was read
		torn  string
	}{
		{"empty", "", []string{"three"}, nil, ""},
		{"whole", one + two, []string{"one", "two", "three"}, nil, ""},
		{"blank lines", "\n" + one + "\n  \t\n" + two + "\n\n", []string{"one", "two", "three"}, nil, ""},
		{"carriage returns", strings.ReplaceAll(one+"\n"+two, "\n", "\r\n"), []string{"one", "two", "three"}, nil, ""},
		{"byte order mark", "\uFEFF" + one + two, []string{"one", "two", "three"}, nil, ""},
		{"only a byte order mark", "\uFEFF", []string{"three"}, nil, ""},
		{"indented", "  " + one + "\t" + two, []string{"one", "two", "three"}, nil, ""},
		{"last newline missing", one + strings.TrimSpace(two), []string{"one", "two", "three"}, nil, ""},
		{"last newline missing after a return", one + strings.TrimSpace(two) + "\r", []string{"one", "two", "three"}, nil, ""},
		{"torn tail", one + two[:len(two)/2], []string{"one", "three"}, nil, two[:len(two)/2] + "\n"},
		{"torn tail that looks whole", one + strings.TrimSpace(broken), []string{"one", "three"}, nil, broken},
		{"only a torn tail", `{"v":1,`, []string{"three"}, nil, `{"v":1,` + "\n"},
		{"long torn tail", one + strings.Repeat("x", 3<<20), []string{"one", "three"}, nil, strings.Repeat("x", 3<<20) + "\n"},
		{"zeros at the end", one + strings.Repeat("\x00", 4096), []string{"one", "three"}, nil, strings.Repeat("\x00", 4096) + "\n"},
		{"garbage between", one + "\x00\x01\xff garbage\n" + two, []string{"one", "two", "three"}, []int{2}, ""},
		{"zeros between", one + strings.Repeat("\x00", 4096) + "\n" + two, []string{"one", "two", "three"}, []int{2}, ""},
		{"10 MB line", one + strings.Repeat("y", 10<<20) + "\n" + two, []string{"one", "two", "three"}, []int{2}, ""},
		{"line of the buffer's size", one + strings.Repeat("y", scanBuffer) + "\n" + two, []string{"one", "two", "three"}, []int{2}, ""},
		{"half a line between", one[:40] + "\n" + one + two, []string{"one", "two", "three"}, []int{1}, ""},
		{"damage in a line that was replaced", one + broken + two, []string{"one", "two", "three"}, nil, ""},
		{"damage that hides nothing", one + broken, []string{"one", "three"}, []int{2}, ""},
		{"not objects", "null\n[]\n7\n\"x\"\n" + one, []string{"one", "three"}, []int{1, 2, 3, 4}, ""},
		{"newer version", `{"v":2,"id":"note-1","text":"x"}` + "\n" + one, []string{"one", "three"}, []int{1}, ""},
		{"impossible value", `{"text":"x","confidence":7}` + "\n" + one, []string{"one", "three"}, []int{1}, ""},
		{"same id again", two + one + two, []string{"one", "two", "three"}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lock := own(t)
			edit(t, lock, memory.Inbox, tt.log)
			s := open(t, lock)
			add(t, s, note("three"))
			for range 2 {
				if diff := cmp.Diff(tt.want, texts(t, s)); diff != "" {
					t.Errorf("All(), -want +got:\n%s", diff)
				}
				if diff := cmp.Diff(tt.lines, problemLines(s)); diff != "" {
					t.Errorf("lines of Problems(), -want +got:\n%s", diff)
				}
				if s.Len() != len(tt.want) {
					t.Errorf("Len() = %d, want %d", s.Len(), len(tt.want))
				}
				shut(t, s)
				s = open(t, lock)
			}
			if torn := fileText(t, logPath(lock, memory.Inbox)+tornSuffix); torn != tt.torn {
				t.Errorf("torn tail has %d bytes, want %d", len(torn), len(tt.torn))
			}
		})
	}
}

func problemLines(s *Store) []int {
	var lines []int
	for _, p := range s.Problems() {
		lines = append(lines, p.Line)
	}
	return lines
}

func fileText(tb testing.TB, path string) string {
	tb.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		tb.Fatal(err)
	}
	return string(b)
}

func TestOpenHandWritten(t *testing.T) {
	one := plain(t, note("one"))
	var m memory.Memory
	if err := json.Unmarshal([]byte(one), &m); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		log     string
		want    []string
		reasons []string
	}{
		{"only text", `{"text":"by hand"}` + "\n", []string{"by hand"}, nil},
		{"only text, last newline missing", `{ "text": "by hand" }`, []string{"by hand"}, nil},
		{"twice the same", `{"text":"by hand"}` + "\n" + `{"source":"inbox","text":"by hand"}` + "\n", []string{"by hand"}, nil},
		{"own id and unknown field", `{"id":"mine","text":"by hand","mood":"good"}` + "\n", []string{"by hand"}, nil},
		{"copied line without its id", `{"text":"by hand","content_hash":"0"}` + "\n", []string{"by hand"}, nil},
		{"text changed", strings.Replace(one, `"text":"one"`, `"text":"uno"`, 1), []string{"uno"}, nil},
		{"line moved from another log", strings.Replace(one, `"inbox"`, `"goals"`, 1), []string{"one"}, []string{`source "goals": taken as inbox, in whose log it lies`}},
		{"deleted behind", strings.Replace(one, "}\n", `,"deleted":true}`+"\n", 1), nil, nil},
		{"deleted in between", strings.Replace(one, `,"text"`, `,"deleted" : true,"text"`, 1), nil, nil},
		{"deleted after the source", strings.Replace(one, `,"title"`, `,"deleted":true,"title"`, 1), nil, nil},
		{"deleted without an id", `{"deleted":true,"text":"x"}` + "\n" + one, []string{"one"}, []string{"deleted: id missing"}},
		{"tombstone added", one + `{"id":"` + m.ID + `","deleted":true}` + "\n", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lock := own(t)
			edit(t, lock, memory.Inbox, tt.log)
			s := open(t, lock)
			if s.Len() != len(tt.want) {
				t.Errorf("Len() = %d, want %d", s.Len(), len(tt.want))
			}
			if diff := cmp.Diff(tt.want, texts(t, s)); diff != "" {
				t.Errorf("All(), -want +got:\n%s", diff)
			}
			var reasons []string
			for _, p := range s.Problems() {
				reasons = append(reasons, p.Reason)
			}
			if diff := cmp.Diff(tt.reasons, reasons); diff != "" {
				t.Errorf("Problems(), -want +got:\n%s", diff)
			}
			for _, id := range s.IDs() {
				if got, err := s.Get(id); err != nil || got.ID != id || got.Source != memory.Inbox {
					t.Errorf("Get(%s) = %s in %s, %v", id, got.ID, got.Source, err)
				}
			}
		})
	}
}

func TestSupersedesAddedByHand(t *testing.T) {
	lock := own(t)
	old, fresh := note("old"), note("new")
	line := plain(t, fresh)
	edit(t, lock, memory.Inbox, plain(t, old)+strings.Replace(line, `,"text"`, `,"supersedes":["note-x"],"text"`, 1))
	s := open(t, lock)
	if got := s.SupersededBy("note-x"); got == "" {
		t.Error(`SupersededBy(note-x) = "", want the id of the line that says so`)
	}
}

// TestOlderLineComesBack: when the last line for an id is damaged where the
// scan does not look, the memory falls back to the line before.
func TestOlderLineComesBack(t *testing.T) {
	turn := memory.Memory{Source: memory.Episodes, Turn: "1", Title: "prompt", Text: "half"}
	half := plain(t, turn)
	turn.Text = "whole"
	broken := strings.Replace(plain(t, turn), `"text":"whole"`, `"text":"who"le"`, 1)
	tests := []struct {
		name string
		do   func(*testing.T, *Store)
	}{
		{"found by All", func(*testing.T, *Store) {}},
		{"found by Since", func(t *testing.T, s *Store) {
			if ch, err := s.Since(nil, 10); err != nil || len(ch.Deleted) > 0 {
				t.Errorf("Since() = %v, %v", ch, err)
			}
		}},
		{"found by Compact", func(t *testing.T, s *Store) {
			if err := s.Compact(memory.Episodes); err != nil {
				t.Error(err)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lock := own(t)
			edit(t, lock, memory.Episodes, half+broken)
			s := open(t, lock)
			tt.do(t, s)
			if diff := cmp.Diff([]string{"half"}, texts(t, s)); diff != "" {
				t.Errorf("All(), -want +got:\n%s", diff)
			}
			if !strings.Contains(fileText(t, logPath(lock, memory.Episodes)), broken) {
				t.Error("the damaged line is gone from the log")
			}
		})
	}
}

func TestUnknownLogs(t *testing.T) {
	lock := own(t)
	edit(t, lock, "notes", `{"text":"x"}`+"\n")
	edit(t, lock, memory.Inbox, "")
	s := open(t, lock)
	got := s.Problems()
	if len(got) != 1 || got[0].File != "notes.jsonl" || !strings.Contains(got[0].Reason, "inbox") {
		t.Errorf("Problems() = %v, want one that names notes.jsonl and the sources", got)
	}
}

// TestRepairWaits: a torn tail that cannot be moved away does not keep the
// rest from being read, and nothing is appended to it.
func TestRepairWaits(t *testing.T) {
	lock := own(t)
	log := plain(t, note("one")) + `{"v":1,"id":"no`
	edit(t, lock, memory.Inbox, log)
	torn := logPath(lock, memory.Inbox) + tornSuffix
	if err := os.Mkdir(torn, 0o700); err != nil {
		t.Fatal(err)
	}
	s := open(t, lock)
	err := s.Append(cleaned(note("two"))...)
	if err == nil || !strings.Contains(err.Error(), "save torn tail of inbox.jsonl") {
		t.Errorf("Append() = %v, want it to name the torn tail", err)
	}
	if _, err := s.Delete(time.Time{}, s.IDs()...); err == nil {
		t.Error("Delete() = nil, want an error")
	}
	if got := fileText(t, logPath(lock, memory.Inbox)); got != log {
		t.Errorf("log = %q, want it untouched", got)
	}
	if diff := cmp.Diff([]string{"one"}, texts(t, s)); diff != "" {
		t.Errorf("All(), -want +got:\n%s", diff)
	}
	if err := os.Remove(torn); err != nil {
		t.Fatal(err)
	}
	add(t, s, note("two"))
	if diff := cmp.Diff([]string{"one", "two"}, texts(t, s)); diff != "" {
		t.Errorf("All() after the way is free, -want +got:\n%s", diff)
	}
}
