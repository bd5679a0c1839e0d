package index

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// wish makes a preference of a project.
func wish(id, project, words string) memory.Memory {
	m := note(id, memory.TitleWants+words, "")
	m.Source, m.Project, m.ProjectPath = memory.Preferences, project, ""
	if project != "" {
		m.ProjectPath = "/src/" + project
	}
	return m
}

// A write is what one Update is given.
type write struct {
	put     []memory.Memory
	deleted []string
}

func TestBearing(t *testing.T) {
	global := wish("pref-4", "shop", "commit in English in all projects")
	global.AppliesTo = memory.Global
	said := wish("note-6", "shop", "commit often")
	said.Source = memory.Inbox
	shop := memory.Project{Name: "shop", Path: "/src/shop"}
	tests := []struct {
		name       string
		writes     []write
		activities []string
		project    memory.Project
		want       []string
	}{
		{"of the project and of all", []write{{put: []memory.Memory{wish("pref-1", "shop", "sign commits"), wish("pref-2", "mail", "sign commits"), wish("pref-3", "", "small commits"), global}}},
			[]string{"commit"}, shop, []string{"pref-1", "pref-3", "pref-4"}},
		{"any of the activities", []write{{put: []memory.Memory{wish("pref-1", "shop", "sign commits"), wish("pref-2", "shop", "no mocks in tests"), wish("pref-3", "shop", "dark mode")}}},
			[]string{"commit", "test"}, shop, []string{"pref-1", "pref-2"}},
		{"not what only mentions one", []write{{put: []memory.Memory{said}}}, []string{"commit"}, shop, nil},
		{"without a project", []write{{put: []memory.Memory{wish("pref-1", "shop", "sign commits"), wish("pref-3", "", "small commits")}}}, []string{"commit"}, memory.Project{}, []string{"pref-3"}},
		{"changed and deleted since", []write{
			{put: []memory.Memory{wish("pref-1", "shop", "sign commits"), wish("pref-2", "shop", "small commits"), wish("pref-3", "shop", "no mocks in tests")}},
			{put: []memory.Memory{wish("pref-1", "shop", "answer in German"), wish("pref-3", "shop", "sign commits")}, deleted: []string{"pref-2"}},
		}, []string{"commit"}, shop, []string{"pref-3"}},
		{"none asked", []write{{put: []memory.Memory{wish("pref-1", "shop", "sign commits")}}}, nil, shop, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := openTest(t, t.TempDir())
			for _, w := range tt.writes {
				if err := x.Update(w.put, w.deleted, nil); err != nil {
					t.Fatal(err)
				}
			}
			got, err := x.Bearing(t.Context(), tt.activities, tt.project, 10)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Bearing() (-want +got):\n%s", diff)
			}
		})
	}
}

// No more than the limit are returned.
func TestBearingLimit(t *testing.T) {
	x := openTest(t, t.TempDir())
	for _, id := range []string{"pref-1", "pref-2", "pref-3"} {
		if err := x.Update([]memory.Memory{wish(id, "shop", "sign commits")}, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	got, err := x.Bearing(t.Context(), []string{"commit"}, memory.Project{Name: "shop"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 {
		t.Errorf("Bearing() = %q, want two", got)
	}
}
