package recall

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
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
		change   func(*Request)
		want     []string
	}{
		{"in its folder", []memory.Memory{theirs}, func(*Request) {}, []string{"team-1"}},
		{"in another clone", []memory.Memory{theirs}, func(r *Request) { r.Project = clone }, nil},
		{"in another project", []memory.Memory{theirs}, func(r *Request) { r.Project, r.Settings.Project.OtherOdds = here, 1 }, nil},
		{"searched for there", []memory.Memory{theirs}, func(r *Request) { r.Project, r.Filter.Project = here, checkout.Path }, []string{"team-1"}},
		{"switched off", []memory.Memory{theirs}, func(r *Request) { r.Settings.Sources.Team.Enabled = false }, nil},
		{"beside the user's own", []memory.Memory{theirs, own}, func(*Request) {}, []string{"dec-1"}},
		{"its file is gone", []memory.Memory{with(theirs, func(m *memory.Memory) { m.Evidence = ".recollect/gone.md" })}, func(*Request) {}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := open(t, tt.memories...)
			req := ask(t, prompted)
			req.Project = checkout
			tt.change(&req)
			res := recall(t, r, req)
			if diff := cmp.Diff(tt.want, r.told(t, req)); diff != "" {
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
