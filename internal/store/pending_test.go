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

// What waits for review is in the log, and in nothing that the store says of its memories.
func TestPending(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	old := add(t, s, note("forty connections"))[0]
	from := s.Marks()
	waiting := note("fifty connections")
	waiting.Session, waiting.Turn, waiting.Supersedes = "s1", "t1", []string{old}
	waiting.SetPending(true)
	id := add(t, s, waiting)[0]
	check := func(t *testing.T, s *Store) {
		t.Helper()
		if _, err := s.Get(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("Get() = %v, want ErrNotFound", err)
		}
		if diff := cmp.Diff([]string{"forty connections"}, texts(t, s)); diff != "" {
			t.Errorf("All() (-want +got):\n%s", diff)
		}
		if _, ok := s.Where(id); ok || s.Len() != 1 || len(s.Turns([]string{"s1"})["s1"]) != 0 || s.SupersededBy(old) != "" || len(s.IDs()) != 1 {
			t.Errorf("it counts: Len() = %d, Turns() = %v, SupersededBy() = %q", s.Len(), s.Turns([]string{"s1"}), s.SupersededBy(old))
		}
		if !s.Known(id) || len(s.Problems()) != 0 {
			t.Errorf("known %t, problems %v", s.Known(id), s.Problems())
		}
		for _, get := range []func(string) (memory.Memory, error){s.GetPending, s.GetEither} {
			if m, err := get(id); err != nil || !m.Pending || m.Text != "fifty connections" {
				t.Errorf("found %+v, %v", m, err)
			}
		}
		if _, err := s.GetPending(old); !errors.Is(err, ErrNotFound) {
			t.Errorf("GetPending() of another = %v", err)
		}
		n := 0
		for _, err := range s.Everything() {
			if n++; err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]string{id}, s.PendingIDs()); diff != "" || n != 2 {
			t.Errorf("of %d memories these wait (-want +got):\n%s", n, diff)
		}
	}
	check(t, s)
	if ch, err := s.Since(from, 10); err != nil || len(ch.Put) != 0 || len(ch.Deleted) != 1 {
		t.Errorf("Since() = %+v, %v, want nothing new", ch, err)
	}
	if err := s.Compact(memory.Inbox); err != nil {
		t.Fatal(err)
	}
	check(t, s)
	shut(t, s)
	path := logPath(lock, memory.Inbox)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"as written":             string(b),
		"with its key elsewhere": strings.Replace(strings.Replace(string(b), `"pending":true,`, "", 1), `"title":"fifty`, `"pending":true,"title":"fifty`, 1),
		"in the older format":    strings.Replace(strings.Replace(strings.Replace(string(b), `"pending":true,`, "", 1), `"v":2`, `"v":1`, 1), `"title":"fifty`, `"pending":true,"title":"fifty`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			edit(t, lock, memory.Inbox, text)
			s := open(t, lock)
			check(t, s)
			shut(t, s)
		})
	}
}

// An approved memory is one like any other, and a rejected one is gone with its words.
func TestPendingEnds(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	one, two := note("approve me"), note("reject me")
	one.SetPending(true)
	two.SetPending(true)
	ids := add(t, s, one, two)
	from := s.Marks()
	one.SetPending(false)
	if got := add(t, s, one); got[0] != ids[0] {
		t.Fatalf("approved as %s, was %s", got[0], ids[0])
	}
	deleted, err := s.Delete(time.Now(), ids[1])
	if err != nil || len(deleted) != 1 || deleted[0].Text != "reject me" {
		t.Fatalf("Delete() = %+v, %v", deleted, err)
	}
	if ch, err := s.Since(from, 10); err != nil || len(ch.Put) != 1 || len(ch.Deleted) != 1 {
		t.Errorf("Since() = %+v, %v", ch, err)
	}
	if g := s.Garbage()[memory.Inbox]; g.Forgotten != 1 {
		t.Errorf("%d forgotten words in the log, want 1", g.Forgotten)
	}
	if err := s.Compact(memory.Inbox); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(logPath(lock, memory.Inbox))
	if err != nil || strings.Contains(string(b), "reject me") || strings.Contains(string(b), `"v":2`) {
		t.Errorf("the log has %s, %v", b, err)
	}
	if diff := cmp.Diff([]string{"approve me"}, texts(t, s)); diff != "" || len(s.PendingIDs()) != 0 || !s.Known(ids[1]) {
		t.Errorf("%v wait; %s", s.PendingIDs(), diff)
	}
}

// A candidate is pending, and told apart from what waits for review, also when the log is read anew.
func TestCandidates(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	candidate, waiting := note("use tabs"), note("use spaces")
	candidate.SetPending(true)
	candidate.Candidate = 0.3
	waiting.SetPending(true)
	ids := add(t, s, candidate, waiting)
	check := func(s *Store) {
		t.Helper()
		if diff := cmp.Diff([][]string{{ids[0]}, {ids[1]}}, [][]string{s.CandidateIDs(), s.PendingIDs()}); diff != "" || s.Len() != 0 {
			t.Errorf("candidates and what waits (-want +got):\n%s", diff)
		}
		for m, err := range s.Candidates() {
			if err != nil || !m.IsCandidate() || m.Candidate != 0.3 {
				t.Errorf("candidate %+v, %v", m, err)
			}
		}
	}
	check(s)
	s.Close()
	s = open(t, lock)
	check(s)
	m, err := s.GetPending(ids[0])
	if err != nil {
		t.Fatal(err)
	}
	m.Stand("approved")
	add(t, s, m)
	if len(s.CandidateIDs()) != 0 || s.Len() != 1 {
		t.Errorf("candidates %v after one stands, %d memories", s.CandidateIDs(), s.Len())
	}
}
