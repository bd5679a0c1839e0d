package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// said makes a turn of a session so many seconds after noon.
func said(session, id string, seconds int) memory.Memory {
	m := note(id, "", "apple")
	m.Session, m.OccurredAt = session, noon.Add(time.Duration(seconds)*time.Second)
	return m
}

// A write is what one Update is given.
type write struct {
	put     []memory.Memory
	deleted []string
}

// merge makes one segment of all, without what was deleted.
func merge(t *testing.T, x *Index) {
	t.Helper()
	if err := x.current.core.ForceMerge(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	_, snap, err := x.snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if n := len(snap.Segments()); n != 1 {
		t.Fatalf("%d segments after a merge, want 1", n)
	}
}

// turnsIn returns the memories of all turns of each session.
func turnsIn(t *testing.T, x *Index, sessions ...string) map[string][]string {
	t.Helper()
	turns, err := x.Turns(t.Context(), sessions)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string][]string{}
	for session := range turns {
		ids[session] = slices.Concat(turns[session]...)
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
	x := openTest(t, t.TempDir())
	update(t, x, []memory.Memory{
		of("1", said("s", "ep-a", 10)), of("2", said("s", "ep-b", 10)), of("1", said("s", "th-a", 10)), of("3", said("s", "dec-c", 5)),
		of("1", said("other", "ep-d", 10)), said("s", "note-e", 10), said("s", "note-f", 10), of("1", said("s", "fail-a", 20)),
	}, nil, nil)
	turns, err := x.Turns(t.Context(), []string{"s"})
	want := map[string][][]string{"s": {{"dec-c"}, {"ep-a", "th-a", "fail-a"}, {"ep-b"}, {"note-e"}, {"note-f"}}}
	if diff := cmp.Diff(want, turns); diff != "" || err != nil {
		t.Errorf("turns, %v (-want +got):\n%s", err, diff)
	}
}

// What is listed is the same whether the turns stand in several segments, in
// one, or in an index that was opened again.
func TestTurns(t *testing.T) {
	tests := []struct {
		name   string
		writes []write
		want   map[string][]string
	}{
		{"nothing there", nil, map[string][]string{"s": nil}},
		{"in the order of time, not of writing or id", []write{
			{put: []memory.Memory{said("s", "ep-b", 30), said("s", "ep-d", 10)}},
			{put: []memory.Memory{said("s", "ep-a", 20)}},
			{put: []memory.Memory{said("s", "ep-c", 0)}},
		}, map[string][]string{"s": {"ep-c", "ep-d", "ep-a", "ep-b"}}},
		{"equal times by id", []write{
			{put: []memory.Memory{said("s", "ep-b", 0), said("s", "ep-", 0)}},
			{put: []memory.Memory{said("s", "ep-a", 0)}},
		}, map[string][]string{"s": {"ep-", "ep-a", "ep-b"}}},
		{"times before 1970 and none at all", []write{
			{put: []memory.Memory{said("s", "ep-new", 0), said("s", "ep-old", -60*365*86400)}},
			{put: []memory.Memory{{ID: "ep-never", Session: "s"}, said("s", "ep-older", -61*365*86400)}},
		}, map[string][]string{"s": {"ep-never", "ep-older", "ep-old", "ep-new"}}},
		{"times with fractions of a second", []write{
			{put: []memory.Memory{later(said("s", "ep-a", 1), 2*time.Microsecond), later(said("s", "ep-b", 1), time.Microsecond)}},
		}, map[string][]string{"s": {"ep-b", "ep-a"}}},
		{"sessions one of whose names begins another's", []write{
			{put: []memory.Memory{said("a", "ep-a", 0), said("ab", "ep-ab", 1), said("a\x01", "ep-a1", 2)}},
			{put: []memory.Memory{said("abc", "ep-abc", 3), said("a", "ep-a2", 4)}},
		}, map[string][]string{"a": {"ep-a", "ep-a2"}, "ab": {"ep-ab"}, "abc": {"ep-abc"}, "a\x01": {"ep-a1"}}},
		{"a session whose name has a zero", []write{
			{put: []memory.Memory{said("a", "ep-a", 0), said("a\x00b", "ep-a0b", 1), said("a\x00", "ep-a0", 2)}},
		}, map[string][]string{"a": {"ep-a"}, "a\x00b": {"ep-a0b"}, "a\x00": {"ep-a0"}}},
		{"no session, an unknown one", []write{
			{put: []memory.Memory{note("note-a", "", "apple"), said("s", "ep-a", 0)}},
			{put: []memory.Memory{note("note-b", "", "apple")}},
		}, map[string][]string{"": nil, "t": nil, "s": {"ep-a"}}},
		{"written again", []write{
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-b", 10)}},
			{put: []memory.Memory{said("s", "ep-a", 0)}},
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-c", 20)}},
		}, map[string][]string{"s": {"ep-a", "ep-b", "ep-c"}}},
		{"written again with another time", []write{
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-b", 10)}},
			{put: []memory.Memory{said("s", "ep-a", 20)}},
		}, map[string][]string{"s": {"ep-b", "ep-a"}}},
		{"moved to another session", []write{
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-b", 10)}},
			{put: []memory.Memory{said("t", "ep-a", 0)}},
		}, map[string][]string{"s": {"ep-b"}, "t": {"ep-a"}}},
		{"deleted", []write{
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-b", 10)}},
			{put: []memory.Memory{said("s", "ep-c", 20), said("t", "ep-d", 0)}},
			{deleted: []string{"ep-b", "ep-d"}},
		}, map[string][]string{"s": {"ep-a", "ep-c"}, "t": nil}},
		{"deleted and written again", []write{
			{put: []memory.Memory{said("s", "ep-a", 0), said("s", "ep-b", 10)}},
			{deleted: []string{"ep-a"}},
			{put: []memory.Memory{said("s", "ep-a", 0)}},
		}, map[string][]string{"s": {"ep-a", "ep-b"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			x := openTest(t, dir)
			for _, w := range tt.writes {
				update(t, x, w.put, w.deleted, nil)
			}
			check := func(state string) {
				t.Helper()
				for session, want := range tt.want {
					if diff := cmp.Diff(want, turnsIn(t, x, session)[session]); diff != "" {
						t.Errorf("%s, turns of %q (-want +got):\n%s", state, session, diff)
					}
				}
			}
			check("as written")
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			x = openTest(t, dir)
			check("opened again")
			if len(tt.writes) > 0 {
				merge(t, x)
				check("merged")
			}
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
	x := openTest(t, t.TempDir())
	update(t, x, []memory.Memory{said("s", "ep-a", 0), said("t", "ep-b", 1)}, nil, nil)
	update(t, x, []memory.Memory{said("s", "ep-c", 2)}, nil, nil)
	want := map[string][]string{"s": {"ep-a", "ep-c"}, "t": {"ep-b"}, "u": nil}
	if diff := cmp.Diff(want, turnsIn(t, x, "s", "t", "s", "u", "t", "u")); diff != "" {
		t.Errorf("Turns (-want +got):\n%s", diff)
	}
	if got := turnsIn(t, x); len(got) != 0 {
		t.Errorf("Turns of no session: %v", got)
	}
}

// A session that never ends must not cost more than the longest that is
// listed, over however many segments it is spread.
func TestTurnsOfEndlessSession(t *testing.T) {
	x := openTest(t, t.TempDir())
	const segments, each = 3, maxTurns/3 + 100
	var want []string
	for s := range segments {
		ms := make([]memory.Memory, each)
		for i := range ms {
			ms[i] = said("s", fmt.Sprintf("ep-%d-%d", i, s), i*segments+s)
			ms[i].Text = ""
		}
		update(t, x, ms, nil, nil)
	}
	for i := range maxTurns {
		want = append(want, fmt.Sprintf("ep-%d-%d", i/segments, i%segments))
	}
	got := turnsIn(t, x, "s")["s"]
	if !slices.Equal(got, want) {
		t.Errorf("%d turns, want the first %d", len(got), maxTurns)
	}
}

// Who leaves gets no answer, and has not found damage; nor has who comes when
// the index is closed.
func TestTurnsWithoutAnswer(t *testing.T) {
	x := openTest(t, t.TempDir())
	update(t, x, []memory.Memory{said("s", "ep-a", 0)}, nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if turns, err := x.Turns(ctx, []string{"s"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, error %v", turns, err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if turns, err := x.Turns(t.Context(), []string{"s"}); !errors.Is(err, errClosed) {
		t.Errorf("closed: %v, error %v", turns, err)
	}
	if len(x.Broken()) != 0 {
		t.Error("it was reported as damage")
	}
}
