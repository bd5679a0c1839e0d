package recall

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// dated makes a memory of a source that happened days ago.
func dated(src memory.Source, name string, days int) memory.Memory {
	m := inbox(src.Prefix()+name, name, "About "+name+".")
	m.Source, m.OccurredAt = src, now.AddDate(0, 0, -days)
	return m
}

func with(m memory.Memory, change func(*memory.Memory)) memory.Memory {
	change(&m)
	return m
}

func TestOrient(t *testing.T) {
	elsewhere := func(m *memory.Memory) { m.SetHome(other) }
	anywhere := func(m *memory.Memory) { m.SetHome(memory.Project{}) }
	undated := func(m *memory.Memory) { m.OccurredAt, m.RecordedAt = time.Time{}, now.AddDate(0, 0, -1) }
	tests := []struct {
		name     string
		memories []memory.Memory
		change   func(*Request)
		want     []string
	}{
		{"nothing stored", nil, nil, nil},
		{"newest handoff", []memory.Memory{dated(memory.Handoffs, "old", 9), dated(memory.Handoffs, "new", 1), dated(memory.Handoffs, "mid", 5)}, nil,
			[]string{"hand-new"}},
		{"of one day, the one stored last", []memory.Memory{dated(memory.Handoffs, "am", 1), dated(memory.Handoffs, "pm", 1)}, nil,
			[]string{"hand-pm"}},
		{"when it was recorded, for want of a date", []memory.Memory{with(dated(memory.Handoffs, "undated", 0), undated), dated(memory.Handoffs, "old", 5)}, nil,
			[]string{"hand-undated"}},
		{"superseded one left out", []memory.Memory{dated(memory.Handoffs, "new", 1), dated(memory.Handoffs, "old", 2),
			with(dated(memory.Journal, "given-up", 0), func(m *memory.Memory) { m.Supersedes = []string{"hand-new"} })}, nil, []string{"hand-old"}},
		{"other projects left out", []memory.Memory{with(dated(memory.Handoffs, "theirs", 1), elsewhere), dated(memory.Handoffs, "ours", 2)}, nil,
			[]string{"hand-ours"}},
		{"of no project in particular", []memory.Memory{with(dated(memory.Preferences, "general", 1), anywhere)}, nil, []string{"pref-general"}},
		{"order of the sources", []memory.Memory{dated(memory.Patterns, "p", 0), dated(memory.Preferences, "f", 1), dated(memory.Goals, "g", 2),
			dated(memory.Registry, "r", 3), dated(memory.Handoffs, "h", 4)}, nil, []string{"hand-h", "reg-r", "goal-g", "pref-f", "pat-p"}},
		{"so many of each", []memory.Memory{dated(memory.Goals, "4", 4), dated(memory.Goals, "2", 2), dated(memory.Goals, "3", 3), dated(memory.Goals, "1", 1)}, nil,
			[]string{"goal-1", "goal-2", "goal-3"}},
		{"goals that are done left out", []memory.Memory{reached(dated(memory.Goals, "1", 1)), dated(memory.Goals, "2", 2),
			tagged(dated(memory.Goals, "3", 3), memory.TagOpen), dated(memory.Goals, "4", 4)}, nil, []string{"goal-2", "goal-3", "goal-4"}},
		{"never turns or thoughts", []memory.Memory{dated(memory.Episodes, "e", 0), dated(memory.Thinking, "t", 0), dated(memory.Failures, "f", 0),
			dated(memory.Inbox, "n", 0), dated(memory.Journal, "d", 0)}, nil, nil},
		{"source off", []memory.Memory{dated(memory.Handoffs, "h", 1)}, func(r *Request) { r.Settings.Sources.Handoffs.Enabled = false }, nil},
		{"told already", []memory.Memory{dated(memory.Handoffs, "h", 1), dated(memory.Handoffs, "g", 2)},
			func(r *Request) {
				r.Session.Told = map[string]string{"hand-h": key(dated(memory.Handoffs, "h", 1))}
			}, []string{"hand-g"}},
		{"no tokens", []memory.Memory{dated(memory.Handoffs, "h", 1)}, func(r *Request) { r.Settings.Orientation.Tokens = 0 }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := open(t, tt.memories...)
			req := ask(t, "")
			if tt.change != nil {
				tt.change(&req)
			}
			res, err := r.Orient(req)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, b := range res.Bites {
				got = append(got, b.ID)
				if res.Keys[b.ID] == "" || !strings.Contains(res.Context, b.Bite) {
					t.Errorf("%s has the key %q, in the context: %t", b.ID, res.Keys[b.ID], strings.Contains(res.Context, b.Bite))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			if (res.Context == "") != (len(got) == 0) || !res.Timestamp.Equal(now) {
				t.Errorf("context %q, timestamp %v", res.Context, res.Timestamp)
			}
		})
	}
}

func TestOrientBudget(t *testing.T) {
	var ms []memory.Memory
	for i, src := range []memory.Source{memory.Handoffs, memory.Registry, memory.Goals, memory.Preferences, memory.Patterns} {
		for j := range 4 {
			m := dated(src, fmt.Sprint(j), i)
			m.Text = strings.Repeat("Größe 🚀 und so fort. ", 20*(j+1))
			ms = append(ms, m)
		}
	}
	r := open(t, ms...)
	told := -1
	for limit := 0; limit <= 2300; limit += 50 {
		req := ask(t, "")
		req.Settings.Orientation.Tokens = limit
		res, err := r.Orient(req)
		if err != nil {
			t.Fatal(err)
		}
		if n := tokens(res.Context); n > limit {
			t.Errorf("%d tokens, want %d at most", n, limit)
		}
		told = len(res.Bites)
	}
	if told != 12 {
		t.Errorf("%d memories told with all the room, want 12", told)
	}
}
