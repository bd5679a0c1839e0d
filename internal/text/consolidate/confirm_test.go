package consolidate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

var confirmDay = time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC)

// evidence is a preference as one turn tells it.
func evidence(turn string, hours int, confidence float64) memory.Memory {
	return memory.Memory{
		ID: "pref-000000000001", Source: memory.Preferences, Title: "Tabs, never spaces", Text: "Said in " + turn, Turn: turn,
		OccurredAt: confirmDay.Add(time.Duration(hours) * time.Hour), Confidence: confidence, Origin: memory.OriginUser,
		Files: []string{turn + ".go"}, Fields: map[string]string{"by " + turn: "x", "what": turn},
	}
}

func TestConfirm(t *testing.T) {
	at := func(m memory.Memory, change func(*memory.Memory)) memory.Memory {
		change(&m)
		return m
	}
	first := evidence("t1", 0, 0.6)
	superseding := at(first, func(m *memory.Memory) { m.Supersedes = []string{"pref-000000000002"} })
	written := at(first, func(m *memory.Memory) { m.Turn, m.Confidence = "", 0 })
	failed := memory.Memory{ID: "fail-000000000001", Source: memory.Failures, Title: "It fails", Turn: "t1", Session: "s1", OccurredAt: confirmDay,
		Confidence: 0.4, Evidence: "no such file", Fields: map[string]string{"error": "no such file"}}
	repaired := at(failed, func(m *memory.Memory) {
		m.Title, m.Turn, m.Session, m.OccurredAt = "It failed", "t2", "s2", confirmDay.Add(time.Hour)
		m.Confidence, m.Fields = 0.9, map[string]string{"error": "no such file", "fix": "made it"}
	})
	tests := []struct {
		name       string
		old, fresh memory.Memory
		grown      bool
		want       memory.Memory
	}{
		{"the same turn again", first, first, false, first},
		{"the same turn in other words", at(first, func(m *memory.Memory) { m.Text = "edited" }), first, false, at(first, func(m *memory.Memory) { m.Text = "edited" })},
		{"the same turn has grown", first, at(first, func(m *memory.Memory) { m.Text = "more" }), true, at(first, func(m *memory.Memory) { m.Text = "more" })},
		{"grown, in the same words", superseding, at(first, func(m *memory.Memory) { m.Confidence = 0.9 }), true,
			at(superseding, func(m *memory.Memory) { m.Confidence = 0.9 })},
		{"grown, what it superseded is found anew", superseding, at(first, func(m *memory.Memory) { m.Text = "more" }), true,
			at(first, func(m *memory.Memory) { m.Text = "more" })},
		{"a later turn", first, evidence("t2", 5, 0.6), false, at(first, func(m *memory.Memory) {
			m.ConfirmedBy, m.LastSeen, m.Confidence = []string{"t2"}, confirmDay.Add(5*time.Hour), 0.6+0.4/3
			m.Files, m.Fields = []string{"t1.go", "t2.go"}, map[string]string{"by t1": "x", "by t2": "x", "what": "t1"}
		})},
		{"an earlier turn, read later", first, evidence("t2", -5, 0.6), false, at(first, func(m *memory.Memory) {
			m.ConfirmedBy, m.Confidence = []string{"t2"}, 0.6+0.4/3
			m.Files, m.Fields = []string{"t1.go", "t2.go"}, map[string]string{"by t1": "x", "by t2": "x", "what": "t1"}
		})},
		{"written by hand", written, evidence("t2", 5, 0.6), false, at(written, func(m *memory.Memory) {
			m.ConfirmedBy, m.LastSeen = []string{"t2"}, confirmDay.Add(5*time.Hour)
			m.Files, m.Fields = []string{"t1.go", "t2.go"}, map[string]string{"by t1": "x", "by t2": "x", "what": "t1"}
		})},
		{"a later turn that has no fields", first, at(evidence("t2", -5, 0.6), func(m *memory.Memory) { m.Fields, m.Files = nil, nil }), false,
			at(first, func(m *memory.Memory) { m.ConfirmedBy, m.Confidence = []string{"t2"}, 0.6+0.4/3 })},
		{"nobody said it", first, written, false, first},
		{"a failure that a later turn put right", failed, repaired, false, at(repaired, func(m *memory.Memory) {
			m.Title, m.Confidence, m.ConfirmedBy = "It fails", 0.9+0.1/3, []string{"t1"}
		})},
		{"one that was put right before", repaired, failed, false, at(repaired, func(m *memory.Memory) {
			m.ConfirmedBy, m.Confidence = []string{"t1"}, 0.9+0.1/3
		})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Confirm(tt.old, tt.fresh, tt.grown)); diff != "" {
				t.Errorf("confirm (-want +got):\n%s", diff)
			}
		})
	}
}

// Turns may be read in any order, again and again, and before they have ended.
func TestConfirmProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		turns := 2 + r.IntN(8)
		first := evidence("t0", 0, 0.05+0.9*r.Float64())
		var others []memory.Memory
		for i := range turns {
			others = append(others, evidence(fmt.Sprintf("t%d", i+1), r.IntN(50), r.Float64()))
		}
		m := first
		for _, i := range append(r.Perm(turns), r.Perm(turns)...) {
			before := m
			m = Confirm(m, others[i], r.IntN(4) == 0)
			checkConfirmed(t, before, m)
			if diff := cmp.Diff(m, Confirm(m, others[i], false)); diff != "" {
				t.Fatalf("the same turn again (-want +got):\n%s", diff)
			}
		}
		again := first
		for _, i := range r.Perm(turns) {
			again = Confirm(again, others[i], false)
		}
		if !slices.Equal(m.ConfirmedBy, again.ConfirmedBy) || m.Confidence != again.Confidence || !m.When().Equal(again.When()) {
			t.Fatalf("in another order\n%v %v %v, was\n%v %v %v", again.ConfirmedBy, again.Confidence, again.When(), m.ConfirmedBy, m.Confidence, m.When())
		}
		if m.Occurrences() != turns+1 {
			t.Fatalf("%d occurrences, want %d", m.Occurrences(), turns+1)
		}
	}
}

func checkConfirmed(t *testing.T, before, after memory.Memory) {
	t.Helper()
	grew := len(after.ConfirmedBy) > len(before.ConfirmedBy)
	switch {
	case after.Title != before.Title || after.Text != before.Text || after.Fields["what"] != before.Fields["what"]:
		t.Fatalf("the words of %+v became those of %+v", before, after)
	case after.Turn != before.Turn || !after.OccurredAt.Equal(before.OccurredAt):
		t.Fatalf("the origin of %+v became that of %+v", before, after)
	case after.Confidence > 0.99 || after.Confidence < before.Confidence || grew && after.Confidence == before.Confidence && before.Confidence < 0.99:
		t.Fatalf("confidence %v became %v, confirmed: %v", before.Confidence, after.Confidence, grew)
	case after.When().Before(before.When()):
		t.Fatalf("last seen %v, was %v", after.When(), before.When())
	}
}

// Beyond the bound a memory changes no more.
func TestConfirmIsBounded(t *testing.T) {
	m := evidence("t0", 0, 0.5)
	for i := range 2 * maxConfirmed {
		m = Confirm(m, evidence(fmt.Sprintf("t%03d", i+1), i, 0.5), false)
	}
	if len(m.ConfirmedBy) != maxConfirmed {
		t.Errorf("%d turns, want %d", len(m.ConfirmedBy), maxConfirmed)
	}
	if m.Confidence != 0.99 {
		t.Errorf("confidence %v, want 0.99", m.Confidence)
	}
	if err := m.Normalize(); err != nil {
		t.Error(err)
	}
}

func TestConfirmGoal(t *testing.T) {
	at := func(turn string, day int, tag string) memory.Memory {
		return memory.Memory{ID: "goal-1", Source: memory.Goals, Turn: turn, Title: "from " + turn, Tags: []string{tag},
			Confidence: 0.8, OccurredAt: time.Date(2026, 2, day, 0, 0, 0, 0, time.UTC)}
	}
	done := at("u2", 2, memory.TagDone) // as the user tagged it
	tests := []struct {
		name   string
		fresh  memory.Memory
		isDone bool
	}{
		{"taken up again", at("u3", 3, memory.TagOpen), false},
		{"an older list comes later", at("u1", 1, memory.TagOpen), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := Confirm(done, tt.fresh, false)
			if m.Done() != tt.isDone || m.Title != "from u2" {
				t.Errorf("done %t, want %t; title %q", m.Done(), tt.isDone, m.Title)
			}
		})
	}
}

func TestNewer(t *testing.T) {
	record := func(turn string, at int, words string) memory.Memory {
		return memory.Memory{Source: memory.Handoffs, Turn: turn, OccurredAt: minute(at), Text: words}
	}
	old := record("u1", 5, "old")
	tests := []struct {
		name  string
		fresh memory.Memory
		grown bool
		want  string
	}{
		{"the same again", record("u1", 5, "new"), false, "old"},
		{"turn that grew", record("u1", 6, "new"), false, "new"},
		{"turn that grew within a second", record("u1", 5, "new"), true, "new"},
		{"later turn", record("u2", 7, "new"), false, "new"},
		{"earlier turn", record("u0", 4, "new"), false, "old"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Confirm(old, tt.fresh, tt.grown); got.Text != tt.want {
				t.Errorf("text %q, want %q", got.Text, tt.want)
			}
		})
	}
}

// minute is a time within the session that the tests tell of.
func minute(n int) time.Time { return time.Date(2026, 10, 1, 10, n, 0, 0, time.UTC) }

var app = memory.Project{Name: "app", Path: "/home/dev/app", Remote: "example.org/dev/app"}

// A title that capture made names the fix once there is one; a user's stays.
func TestConfirmNamesTheFix(t *testing.T) {
	const fault = "PORT is not set"
	fresh := memory.Memory{Source: memory.Failures, Turn: "u2", Title: "`make up` fails: " + fault + ". Fix: `PORT=1 make up`", Text: "The port is read from the shell.",
		Fields: map[string]string{"error": fault, "fix": "`PORT=1 make up` works"}}
	for title, want := range map[string]string{
		"`make up` fails: " + fault: fresh.Title,
		"Set the port first":        "Set the port first",
	} {
		old := memory.Memory{Source: memory.Failures, Turn: "u1", Title: title, Fields: map[string]string{"error": fault}}
		if got := Confirm(old, fresh, false); got.Title != want || got.Text != fresh.Text {
			t.Errorf("got %q and %q, want %q", got.Title, got.Text, want)
		}
	}
}
