package orientation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/request"
	"recollect/internal/recall/sessions"
	"recollect/internal/store"
)

// handoffOf makes the handoff of a session that ended hours ago.
func handoffOf(session string, hours int, fields map[string]string) memory.Memory {
	m := memory.Memory{ID: "hand-" + session, Source: memory.Handoffs, Title: "Can you look at the " + session, Session: session,
		Turn: "t1", Origin: memory.OriginAssistant, Fields: fields, OccurredAt: now.Add(-time.Duration(hours) * time.Hour)}
	m.SetHome(here)
	if fields == nil {
		m.Tags = []string{memory.TagNoStatement}
	}
	return m
}

// oldSessions makes so many sessions that a project is no longer young. They came to nothing.
func oldSessions() []memory.Memory {
	var all []memory.Memory
	for i := range young + 1 {
		all = append(all, handoffOf(fmt.Sprint("old", i), 1000+i, nil))
	}
	return all
}

func onBranch(m memory.Memory, branch string, files ...string) memory.Memory {
	m.Text, m.Files = "Wanted: more ferries\nBranch: "+branch, files
	return m
}

// rule makes what the user wants in all that is done, said again in further turns.
func rule(id, words string, again ...string) memory.Memory {
	m := memory.Memory{ID: id, Source: memory.Preferences, Title: memory.TitleWants + words, Session: "earlier", Turn: "t1",
		Origin: memory.OriginUser, Confidence: 0.85, ConfirmedBy: again, OccurredAt: now.Add(-time.Hour)}
	m.SetHome(here)
	return m
}

// ofPart narrows what was said in the folder above to the folder part of it, and makes it less certain.
func ofPart(m memory.Memory, part string) memory.Memory {
	m.SetHome(memory.Project{Name: "above", Path: filepath.Dir(here.Path)})
	m.Narrow([]string{part})
	m.Confidence = leastCertain
	return m
}

// inWork returns a work tree whose only changed file is name.
func inWork(t *testing.T, name string) memory.Checkout {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return memory.Checkout{Root: dir, Step: time.Now().Add(-time.Hour)}
}

// A session of a young project begins with what its few sessions came to, at each start.
func TestOrientYoung(t *testing.T) {
	s := storeOf(t, []memory.Memory{
		handoffOf("import", 1, map[string]string{"open": "not finished: read the winter timetable of the buses (turn 3)"}),
		handoffOf("export", 3, map[string]string{"cause": "`readRows` stops before the last row because the file has no line break (turn 6)"}),
	})
	r := newReader(s)
	req := request.Request{Project: here, Now: now, Settings: config.Settings{Config: config.Default()}, Begun: func(string) int { return 9 }}
	res, err := r.Orient(&req)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Cause: `readRows` stops", "Open: not finished: read the winter"} {
		if !strings.Contains(res.Context, want) {
			t.Errorf("it lacks %q: %s", want, res.Context)
		}
	}
}

// What a session begins with: each line is worth its tokens, and nothing stands there for want of better.
func TestOrientLines(t *testing.T) {
	const open = "not finished: the ferry export drops the last row of the timetable (turn 7)"
	decision := memory.Memory{ID: "dec-1", Source: memory.Journal, Title: "ferries keep their number all year", Session: "export", Turn: "t1",
		Origin: memory.OriginUser, OccurredAt: now.Add(-3 * time.Hour)}
	decision.SetHome(here)
	tests := []struct {
		name     string
		memories []memory.Memory
		change   func(*request.Request)
		want     []string // kind and beginning of each line
	}{
		{"what is open, and no cause", []memory.Memory{handoffOf("export", 3, map[string]string{"open": open,
			"cause": "`readRows` stops before the last row because the file has no line break at its end (turn 7)"})}, nil,
			[]string{"[open] not finished: the ferry export"}},
		{"what is next, with its topic", []memory.Memory{handoffOf("export", 3, map[string]string{"next": "read the winter timetable; then print the plan (turn 7)"})}, nil,
			[]string{"[next] Can you look at the export: read the winter"}},
		{"no titles, causes or results of what is done, but what was decided", []memory.Memory{decision, handoffOf("export", 3, map[string]string{
			"done": "Edited export.go, rows.go (turn 7)", "cause": "`readRows` stops before the last row because the file has no line break (turn 6)"})}, nil, []string{"[decision] ferries keep their number"}},
		{"no files, offers or questions", []memory.Memory{handoffOf("export", 3, map[string]string{
			"open": "asked the user: Would you like me to commit the ferry export? (turn 7)\nnot committed: export.go, rows.go (turn 7)\nnot finished: why does the ferry export take so long? (turn 7)"})}, nil, nil},
		{"no fragments", []memory.Memory{handoffOf("export", 3, map[string]string{"open": "not confirmed: fix this, it broke (turn 7)"})}, nil, nil},
		{"not what a session began with before", []memory.Memory{handoffOf("export", 3, map[string]string{"open": open})},
			func(r *request.Request) { r.Begun = func(string) int { return 1 } }, nil},
		{"not what an older session left", []memory.Memory{handoffOf("export", 3, map[string]string{"open": open}), handoffOf("import", 1, nil)}, nil, nil},
		{"a rule that was stated once", []memory.Memory{rule("pref-1", "keep ferries in one file each")},
			func(r *request.Request) { r.Begun = func(string) int { return 2 } }, []string{"[preference] keep ferries"}},
		{"not after three sessions that it did not matter to", []memory.Memory{rule("pref-1", "keep ferries in one file each"),
			rule("pref-2", "prefer early returns", "t2")}, func(r *request.Request) { r.Begun = func(string) int { return 3 } }, []string{"[preference] prefer early"}},
		{"a rule of a folder above for this very one", []memory.Memory{ofPart(rule("pref-1", "use pnpm here, not npm"), "orders-api"),
			ofPart(rule("pref-2", "use yarn here, not npm"), "buses")}, nil, []string{"[preference] use pnpm here"}},
		{"on its branch, of that branch", []memory.Memory{decision, onBranch(handoffOf("export", 3, map[string]string{"open": open}), "ferries"),
			handoffOf("import", 1, map[string]string{"open": "not finished: read the winter timetable of the buses (turn 3)"})},
			func(r *request.Request) { r.Work = memory.Checkout{Root: "/", Branch: "ferries"} }, []string{"[open] not finished: the ferry export", "[decided] ferries keep their number"}},
		{"on a new branch nothing", []memory.Memory{onBranch(handoffOf("export", 3, map[string]string{"open": open}), "ferries")},
			func(r *request.Request) { r.Work = memory.Checkout{Root: "/", Branch: "buses"} }, nil},
		{"on the main branch nothing of another", []memory.Memory{onBranch(handoffOf("export", 3, map[string]string{"open": open}), "ferries")},
			func(r *request.Request) { r.Work = memory.Checkout{Root: "/"} }, nil},
		{"of the files in work", []memory.Memory{decision, onBranch(handoffOf("export", 3, map[string]string{"done": "Edited export.go (turn 2)"}), "", "export.go"),
			handoffOf("import", 1, nil)}, func(r *request.Request) { r.Work = inWork(t, "export.go") }, []string{"[decided] ferries keep their number"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := storeOf(t, append(oldSessions(), tt.memories...))
			r := newReader(s)
			req := request.Request{Project: here, Now: now, Settings: config.Settings{Config: config.Default()}}
			if tt.change != nil {
				tt.change(&req)
			}
			res, err := r.Orient(&req)
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Entries) != len(tt.want) {
				t.Fatalf("injected %q, want %q", res.Entries, tt.want)
			}
			for i, want := range tt.want {
				if !strings.HasPrefix(res.Entries[i], want) {
					t.Errorf("line %d: %q, want %q", i, res.Entries[i], want)
				}
			}
		})
	}
}

// The start of a session stays within its tokens, and has few lines.
func TestOrientIsShort(t *testing.T) {
	var ms []memory.Memory
	for i := range 9 {
		m := memory.Memory{ID: fmt.Sprint("pref-", i), Source: memory.Preferences, Title: fmt.Sprintf("The user wants: %s in part %d of the house", strings.Repeat("very long words ", i), i),
			Origin: memory.OriginUser, OccurredAt: now.Add(-time.Hour)}
		m.SetHome(here)
		ms = append(ms, m)
	}
	s := storeOf(t, ms)
	r := newReader(s)
	for tokens := 0; tokens <= 450; tokens += 50 {
		req := request.Request{Project: here, Now: now, Settings: config.Settings{Config: config.Default()}}
		req.Settings.Orientation.Tokens = tokens
		res, err := r.Orient(&req)
		if err != nil || block.Tokens(res.Context) > tokens || len(res.Entries) > mostLines {
			t.Errorf("%d tokens: %d lines of %d tokens, %v", tokens, len(res.Entries), block.Tokens(res.Context), err)
		}
	}
	if diff := cmp.Diff(true, len(ms) > mostRules); diff != "" {
		t.Error(diff)
	}
}

// newReader returns a reader of a store of which nothing is said to be wrong.
func newReader(s *store.Store) *Reader {
	isWrong := func(string) bool { return false }
	return &Reader{Store: s, Wrong: isWrong, Briefs: (&sessions.Reader{Store: s, Wrong: isWrong}).Briefs}
}
