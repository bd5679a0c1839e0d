package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/memory"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// said makes a memory of a session, so many seconds after noon. Its id begins with the prefix of its
// source.
func said(session, id string, seconds int) memory.Memory {
	src, _ := memory.SourceOf(id)
	return memory.Memory{ID: id, Source: src, Text: "apple", Session: session, OccurredAt: noon.Add(time.Duration(seconds) * time.Second)}
}

// A change is what is stored and then deleted.
type change struct {
	put     []memory.Memory
	deleted []string
}

// turnsIn returns the memories of all turns of each session.
func turnsIn(s *Store, sessions ...string) map[string][]string {
	ids := map[string][]string{}
	for session, turns := range s.Turns(sessions) {
		ids[session] = slices.Concat(turns...)
	}
	return ids
}

// The memories of a turn stand together, also where others are of the same
// time.
func TestTurnHasMemories(t *testing.T) {
	of := func(turn string, m memory.Memory) memory.Memory {
		m.Turn = turn
		return m
	}
	s := open(t, own(t))
	addTo(t, s, []memory.Memory{
		of("1", said("s", "ep-a", 10)), of("2", said("s", "ep-b", 10)), of("1", said("s", "th-a", 10)), of("3", said("s", "dec-c", 5)),
		of("1", said("other", "ep-d", 10)), said("s", "note-e", 10), said("s", "note-f", 10), of("1", said("s", "fail-a", 20)),
	}...)
	turns := s.Turns([]string{"s"})
	want := map[string][][]string{"s": {{"dec-c"}, {"ep-a", "th-a", "fail-a"}, {"ep-b"}, {"note-e"}, {"note-f"}}}
	if diff := cmp.Diff(want, turns); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
}

// What is listed is the same in a store that was opened again or compacted.
func TestTurns(t *testing.T) {
	never := said("s", "ep-never", 0)
	never.OccurredAt = time.Time{}
	tests := []struct {
		name    string
		changes []change
		want    map[string][]string
	}{
		{"nothing there", nil, map[string][]string{"s": nil}},
		{"in the order of time, not of writing or id", []change{
			{put: []memory.Memory{said("s", "ep-b", 30), said("s", "ep-d", 10)}},
			{put: []memory.Memory{said("s", "ep-a", 20)}},
			{put: []memory.Memory{said("s", "ep-c", 0)}},
		}, map[string][]string{"s": {"ep-c", "ep-d", "ep-a", "ep-b"}}},
		{"equal times by id", []change{
			{put: []memory.Memory{said("s", "ep-b", 0), said("s", "ep-", 0)}},
			{put: []memory.Memory{said("s", "ep-a", 0)}},
		}, map[string][]string{"s": {"ep-", "ep-a", "ep-b"}}},
		{"times before 1970 and none at all", []change{
			{put: []memory.Memory{said("s", "ep-new", 0), said("s", "ep-old", -60*365*86400)}},
			{put: []memory.Memory{never, said("s", "ep-older", -61*365*86400)}},
		}, map[string][]string{"s": {"ep-never", "ep-older", "ep-old", "ep-new"}}},
		{"times with fractions of a second", []change{
			{put: []memory.Memory{later(said("s", "ep-a", 1), 2*time.Microsecond), later(said("s", "ep-b", 1), time.Microsecond)}},
		}, map[string][]string{"s": {"ep-b", "ep-a"}}},
		{"sessions one of whose names begins another's", []change{
			{put: []memory.Memory{said("a", "ep-a", 0), said("ab", "ep-ab", 1)}},
			{put: []memory.Memory{said("abc", "ep-abc", 3), said("a", "ep-a2", 4)}},
		}, map[string][]string{"a": {"ep-a", "ep-a2"}, "ab": {"ep-ab"}, "abc": {"ep-abc"}}},
		{"no session, an unknown one", []change{
			{put: []memory.Memory{said("", "note-a", 0), said("s", "ep-a", 0)}},
			{put: []memory.Memory{said("", "note-b", 0)}},
		}, map[string][]string{"": nil, "t": nil, "s": {"ep-a"}}},
		{"written again", []change{
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-b", 10)}},
			{put: []memory.Memory{said("s", "ep-a", 0)}},
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-c", 20)}},
		}, map[string][]string{"s": {"ep-a", "ep-b", "ep-c"}}},
		{"written again with another time", []change{
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-b", 10)}},
			{put: []memory.Memory{said("s", "ep-a", 20)}},
		}, map[string][]string{"s": {"ep-b", "ep-a"}}},
		{"moved to another session", []change{
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-b", 10)}},
			{put: []memory.Memory{said("t", "ep-a", 0)}},
		}, map[string][]string{"s": {"ep-b"}, "t": {"ep-a"}}},
		{"deleted", []change{
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-b", 10)}},
			{put: []memory.Memory{said("s", "ep-c", 20), said("t", "ep-d", 0)}},
			{deleted: []string{"ep-b", "ep-d"}},
		}, map[string][]string{"s": {"ep-a", "ep-c"}, "t": nil}},
		{"deleted and written again", []change{
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-b", 10)}},
			{deleted: []string{"ep-a"}},
			{put: []memory.Memory{said("s", "ep-a", 0)}},
		}, map[string][]string{"s": {"ep-a", "ep-b"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lock := own(t)
			s := open(t, lock)
			for _, c := range tt.changes {
				addTo(t, s, c.put...)
				if _, err := s.Delete(noon, c.deleted...); err != nil {
					t.Fatal(err)
				}
			}
			check := func(state string) {
				t.Helper()
				for session, want := range tt.want {
					if diff := cmp.Diff(want, turnsIn(s, session)[session]); diff != "" {
						t.Errorf("%s, turns of %q (-want +got):\n%s", state, session, diff)
					}
				}
			}
			check("as written")
			shut(t, s)
			s = open(t, lock)
			check("opened again")
			for _, src := range memory.Sources {
				if err := s.Compact(src); err != nil {
					t.Fatal(err)
				}
			}
			check("compacted")
		})
	}
}

func later(m memory.Memory, d time.Duration) memory.Memory {
	m.OccurredAt = m.OccurredAt.Add(d)
	return m
}

// All sessions are answered at once, each for itself, however often it is
// asked for.
func TestTurnsOfSessions(t *testing.T) {
	s := open(t, own(t))
	addTo(t, s, said("s", "ep-a", 0), said("t", "ep-b", 1))
	addTo(t, s, said("s", "ep-c", 2))
	want := map[string][]string{"s": {"ep-a", "ep-c"}, "t": {"ep-b"}, "u": nil}
	if diff := cmp.Diff(want, turnsIn(s, "s", "t", "s", "u", "t", "u")); diff != "" {
		t.Errorf("Turns (-want +got):\n%s", diff)
	}
	if got := turnsIn(s); len(got) != 0 {
		t.Errorf("Turns of no session: %v", got)
	}
}

// A session that never ends must not cost more than the longest that is listed.
func TestTurnsOfEndlessSession(t *testing.T) {
	s := open(t, own(t))
	ms := make([]memory.Memory, maxTurns+100)
	for i := range ms {
		ms[i] = said("s", fmt.Sprintf("ep-%d", i), -i)
	}
	addTo(t, s, ms...)
	got := turnsIn(s, "s")["s"]
	if len(got) != maxTurns || got[0] != ms[len(ms)-1].ID {
		t.Errorf("%d turns, want the first %d", len(got), maxTurns)
	}
}

// Where a memory stands is known without reading it, also after it changed.
func TestWhere(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	agents := said("s", "ep-b", 1)
	agents.Agent = "Explore"
	addTo(t, s, said("", "ep-a", 0), agents, said("s", "ep-c", 2), said("s", "ep-d", 3))
	agents.Agent, agents.Session = "", "t"
	addTo(t, s, agents)
	by := said("s", "ep-c", 9)
	by.Agent = "Plan"
	addTo(t, s, by)
	orders := memory.Project{Name: "orders", Path: "/home/zoë/orders", Remote: "example.com/zoë/orders"}
	elsewhere := said("s", "ep-e", 4)
	elsewhere.SetHome(orders)
	named := said("s", "ep-f", 5)
	named.Project = "orders" // by hand, or imported
	everywhere := said("s", "ep-g", 6)
	everywhere.SetHome(orders)
	everywhere.AppliesTo = memory.Global
	addTo(t, s, elsewhere, named, everywhere)
	if _, err := s.Delete(noon, "ep-d"); err != nil {
		t.Fatal(err)
	}
	want := map[string]Where{
		"ep-a": {OccurredAt: noon},
		"ep-b": {Session: "t", OccurredAt: noon.Add(time.Second)},
		"ep-c": {Session: "s", Agent: "Plan", OccurredAt: noon.Add(9 * time.Second)},
		"ep-e": {Session: "s", OccurredAt: noon.Add(4 * time.Second), Project: orders},
		"ep-f": {Session: "s", OccurredAt: noon.Add(5 * time.Second), Project: memory.Project{Name: "orders"}},
		"ep-g": {Session: "s", OccurredAt: noon.Add(6 * time.Second)},
	}
	for _, state := range []string{"as written", "opened again"} {
		got := map[string]Where{}
		for _, id := range []string{"ep-a", "ep-b", "ep-c", "ep-d", "ep-e", "ep-f", "ep-g", "ep-none"} {
			if w, ok := s.Where(id); ok {
				got[id] = w
			}
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Where{}, "Line")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", state, diff)
		}
		shut(t, s)
		s = open(t, lock)
	}
}

// What is written anew has another line, and everything else keeps its own.
func TestWhereItsLineIs(t *testing.T) {
	s := open(t, own(t))
	changed, kept := said("s", "ep-a", 0), said("s", "ep-b", 1)
	addTo(t, s, changed, kept)
	first, _ := s.Where("ep-a")
	other, _ := s.Where("ep-b")
	changed.Text += " and more"
	addTo(t, s, changed)
	if again, ok := s.Where("ep-a"); !ok || again.Line == first.Line {
		t.Errorf("the line of a memory that was written anew is at %v, as before", again.Line)
	}
	if again, ok := s.Where("ep-b"); !ok || again.Line != other.Line {
		t.Errorf("the line of another memory is at %v, before at %v", again.Line, other.Line)
	}
}
