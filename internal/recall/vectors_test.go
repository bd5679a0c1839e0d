package recall

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/memory"
	"recollect/internal/recall/request"
	"recollect/internal/recall/terms"
)

// A search that is limited to a project finds by meaning what is there, as
// many as there are, however near the memories of others are.
func TestMeaningOfProject(t *testing.T) {
	near := func(id string, home memory.Project, src memory.Source) memory.Memory {
		m := inbox(id, "Login fails after password reset", "The credential cache kept the old hash of "+id+".")
		m.Source = src
		m.SetHome(home)
		return m
	}
	var ms []memory.Memory
	for i := range 8 {
		ms = append(ms, near(fmt.Sprint("note-here-", i), here, memory.Inbox))
	}
	goal, journal := near("goal-other", other, memory.Goals), near("dec-other", other, memory.Journal)
	r := openMeaning(t, append(ms, goal, journal)...)
	tests := []struct {
		name   string
		filter request.Filter
		want   []string
	}{
		{"by name", request.Filter{Project: other.Name}, []string{"dec-other", "goal-other"}},
		{"by path", request.Filter{Project: other.Path}, []string{"dec-other", "goal-other"}},
		{"and by source", request.Filter{Project: other.Path, Source: memory.Goals}, []string{"goal-other"}},
		{"by source alone", request.Filter{Source: memory.Journal}, []string{"dec-other"}},
		{"a project without any", request.Filter{Project: "none"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, "users cannot authenticate")
			req.Filter = tt.filter
			m := r.findNearest(t.Context(), wholeQuery(&req, 2), &terms.Thesaurus{})
			var got []string
			for _, h := range m.hits {
				got = append(got, h.ID)
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.SortSlices(strings.Compare)); diff != "" || m.err != nil {
				t.Errorf("found by meaning %v, -want +got:\n%s", m.err, diff)
			}
		})
	}
}
