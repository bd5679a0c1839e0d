package lists

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
	"recollect/internal/store/storetest"
)

func TestEntityIn(t *testing.T) {
	m := memory.Memory{Source: memory.Failures, Title: "`go test ./...` fails: undefined: NewServer", Text: "Seen in the\nstore's tests.",
		Fields: map[string]string{"error": "dial tcp: connection refused"}, Files: []string{"internal/store/store.go"}, Keywords: []string{"flaky"}}
	tests := []struct {
		name, entity string
		want         bool
	}{
		{"file", "internal/store/store.go", true},
		{"its absolute path", "/home/dev/app/internal/store/store.go", true},
		{"its name", "store.go", true},
		{"end of its name", "re.go", false},
		{"another file of that name", "cmd/store.go", false},
		{"symbol", "NewServer", true},
		{"symbol in other case", "newserver", true},
		{"part of a symbol", "Server", false},
		{"command", "go test ./...", true},
		{"command in backquotes", " `go test ./...`", true},
		{"program alone", "go", true},
		{"error", "connection  refused", true},
		{"words over two lines", "the store's tests", true},
		{"keyword", "flaky", true},
		{"not there", "postgres", false},
		{"nothing", "``", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := newEntity(tt.entity)
			if got := e.in(&m); got != tt.want {
				t.Errorf("in(%q) = %t, want %t", tt.entity, got, tt.want)
			}
		})
	}
}

var (
	now   = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	here  = memory.Project{Name: "orders-api", Path: "/home/dev/src/orders-api"}
	other = memory.Project{Name: "lore", Path: "/home/dev/src/lore"}
)

// storeOf makes a store that holds ms.
func storeOf(t *testing.T, ms ...memory.Memory) *store.Store {
	t.Helper()
	s := storetest.Open(t, t.TempDir())
	cleaned, err := clean.Drafts(memory.Drafts(ms...)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(cleaned...); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestGraph(t *testing.T) {
	about := func(id string, days int, text string, files ...string) memory.Memory {
		m := memory.Memory{ID: id, Source: memory.Inbox, Title: id, Text: text}
		m.SetHome(here)
		m.OccurredAt, m.Files = now.AddDate(0, 0, -days), files
		return m
	}
	ms := []memory.Memory{
		about("note-1", 3, "NewServer opens config/orders.toml, see `go vet ./...`", "cmd/main.go"),
		about("note-2", 1, "NewServer and readTimeout, before `go vet ./...`", "config/orders.toml", "cmd/main.go"),
		about("note-3", 2, "NewServer alone"),
		about("note-4", 2, "readTimeout and config/orders.toml", "cmd/main.go"),
		about("note-5", 0, "NewServer and readTimeout elsewhere"),
	}
	ms[4].SetHome(other)
	s := storeOf(t, ms...)
	in := func(projects ...memory.Project) func(*memory.Memory) bool {
		return func(m *memory.Memory) bool { return slices.ContainsFunc(projects, m.Home().Same) }
	}
	g, err := Graph(t.Context(), s, "`NewServer`", 2, in(here))
	if err != nil {
		t.Fatal(err)
	}
	want := api.Graph{
		Entity: "NewServer", Total: 3,
		Memories: []api.Node{
			{ID: "note-2", Source: memory.Inbox, Project: here.Name, Title: "note-2", When: ms[1].OccurredAt},
			{ID: "note-3", Source: memory.Inbox, Project: here.Name, Title: "note-3", When: ms[2].OccurredAt},
		},
		Shared: []api.Link{
			{Kind: "file", Name: "cmd/main.go", IDs: []string{"note-2", "note-1"}},
			{Kind: "file", Name: "config/orders.toml", IDs: []string{"note-2", "note-1"}},
			{Kind: "command", Name: "go vet ./...", IDs: []string{"note-2", "note-1"}},
		},
	}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Errorf("graph (-want +got):\n%s", diff)
	}
	if g, err = Graph(t.Context(), s, "NewServer", 9, in(here, other)); err != nil || g.Total != 4 {
		t.Errorf("%d memories in all projects, %v; want 4", g.Total, err)
	}
	if g, err = Graph(t.Context(), s, "NewServer", 9, in(other)); err != nil || g.Total != 1 {
		t.Errorf("%d memories in the other project, %v; want 1", g.Total, err)
	}
}

func TestNewest(t *testing.T) {
	for _, keep := range []int{1, 3, 500} {
		n := NewNewest(keep)
		for i := range 400 { // each day twice, the days out of order
			m := memory.Memory{ID: fmt.Sprint(i), OccurredAt: now.AddDate(0, 0, -(i*37)%200)}
			n.Add(m)
		}
		got := n.List()
		if len(got) != min(keep, 400) || n.Seen != 400 {
			t.Fatalf("%d of %d kept, want %d of 400", len(got), n.Seen, min(keep, 400))
		}
		if got[0].ID != "200" { // of today's two, the later one
			t.Errorf("the newest is %s, want 200", got[0].ID)
		}
		for i := 1; i < len(got); i++ {
			if got[i].When().After(got[i-1].When()) {
				t.Errorf("of %d: %s stands before %s", keep, strings.Join([]string{got[i-1].ID, got[i].ID}, ", "), "it")
			}
		}
	}
}
