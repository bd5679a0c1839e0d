package recall

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
	"recollect/internal/recall/request"
)

// shared returns a checkout with a file of its team, as memories name it.
func shared(t *testing.T) (checkout memory.Project, file string) {
	t.Helper()
	checkout, file = memory.Project{Name: "orders-api", Path: t.TempDir()}, ".recollect/decision-1.md"
	if err := os.MkdirAll(filepath.Join(checkout.Path, ".recollect"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(checkout.Path, filepath.FromSlash(file)), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	return checkout, file
}

// What a team shared is injected as the team's, in its own folder, as long as its file is
// there and the user has not the same; and never at the start of a session.
func TestTeam(t *testing.T) {
	checkout, file := shared(t)
	clone, _ := shared(t)
	checkout.Remote, clone.Remote = "git.example.com/orders-api", "git.example.com/orders-api"
	theirs := with(sessionless("team-1"), func(m *memory.Memory) {
		m.Source, m.Origin, m.Evidence, m.Turn = memory.Team, memory.OriginTeam, file, "dec-1"
		m.Tags = []string{memory.TagKind + "decision", memory.TagBy + "Ana\n(the user)", memory.TagGone + "openPool"}
		m.Confidence = 0.4
		m.SetHome(checkout)
	})
	own := with(sessionless("dec-1"), func(m *memory.Memory) {
		m.Source = memory.Journal
		m.SetHome(checkout)
	})
	tests := []struct {
		name     string
		memories []memory.Memory
		change   func(*request.Request)
		want     []string
	}{
		{"in its folder", []memory.Memory{theirs}, func(*request.Request) {}, []string{"team-1"}},
		{"in another clone", []memory.Memory{theirs}, func(r *request.Request) { r.Project = clone }, nil},
		{"in another project", []memory.Memory{theirs}, func(r *request.Request) { r.Project, r.Settings.Project.OtherOdds = here, 1 }, nil},
		{"searched for there", []memory.Memory{theirs}, func(r *request.Request) { r.Project, r.Filter.Project = here, checkout.Path }, []string{"team-1"}},
		{"searched for by a name", []memory.Memory{theirs}, func(r *request.Request) { r.Project, r.Filter.Project = here, checkout.Name }, nil},
		{"switched off", []memory.Memory{theirs}, func(r *request.Request) { r.Settings.Sources.Team.Enabled = false }, nil},
		{"beside the user's own", []memory.Memory{theirs, own}, func(*request.Request) {}, []string{"dec-1"}},
		{"its file is gone", []memory.Memory{with(theirs, func(m *memory.Memory) { m.Evidence = ".recollect/gone.md" })}, func(*request.Request) {}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := open(t, tt.memories...)
			req := ask(t, prompted)
			req.Project = checkout
			tt.change(&req)
			res := recall(t, r, req)
			if diff := cmp.Diff(tt.want, r.injected(t, req)); diff != "" {
				t.Errorf("injected (-want +got):\n%s", diff)
			}
			if len(tt.want) == 1 && tt.want[0] == "team-1" && !strings.Contains(res.Context, "[team decision] ") {
				t.Errorf("context without its kind:\n%s", res.Context)
			}
			if tt.want == nil && res.Context != "" {
				t.Errorf("context:\n%s", res.Context)
			}
			start, err := r.Orient(t.Context(), req)
			if err != nil || strings.Contains(start.Context, "team") {
				t.Errorf("a session starts with %q, %v", start.Context, err)
			}
		})
	}
}

// A changed copy of what the user knows does not take its place, however well it ranks, and
// many files with the words of a prompt take no more than their part of the places.
func TestTeamYields(t *testing.T) {
	checkout, file := shared(t)
	of := func(m memory.Memory, src memory.Source) memory.Memory {
		m.Source, m.Evidence = src, file
		m.SetHome(checkout)
		return m
	}
	own := of(old(sessionless("dec-1")), memory.Journal)
	own.Confidence, own.Importance = 0.2, memory.Low
	copied := of(sessionless("team-1"), memory.Team)
	copied.Title, copied.Text, copied.Importance = own.Title+" now", own.Text, memory.High
	many := []memory.Memory{own}
	for i := range 8 {
		m := of(sessionless(fmt.Sprintf("team-%d", i)), memory.Team)
		m.Title, m.Importance = fmt.Sprintf("%s %d %s", m.Title, i, strings.Repeat(string(rune('a'+i)), 6)), memory.High
		many = append(many, m)
	}
	for name, tt := range map[string]struct {
		memories []memory.Memory
		most     int
	}{
		"a copy": {[]memory.Memory{copied, own}, 0},
		"many":   {many, 4},
	} {
		t.Run(name, func(t *testing.T) {
			r := openMeaning(t, tt.memories...)
			req := ask(t, prompted)
			req.Project = checkout
			injected := r.injected(t, req)
			theirs := slices.DeleteFunc(slices.Clone(injected), func(id string) bool { return !strings.HasPrefix(id, "team-") })
			if !slices.Contains(injected, "dec-1") || len(theirs) > tt.most {
				t.Errorf("injected %v, want dec-1 and %d of the team", injected, tt.most)
			}
		})
	}
}
