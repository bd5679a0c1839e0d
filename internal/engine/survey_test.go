package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

func TestSurveysDue(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	steps := []struct {
		name, path string
		at         time.Time
		want       bool
	}{
		{"no project", "", now, false},
		{"first", "/a", now, true},
		{"again", "/a", now.Add(surveyEvery - 1), false},
		{"another", "/b", now.Add(surveyEvery - 1), true},
		{"after a while", "/a", now.Add(surveyEvery), true},
		{"after that", "/a", now.Add(surveyEvery + 1), false},
		{"the clock was set back by hours", "/a", now.Add(-5 * time.Hour), true},
	}
	s := surveys{}
	for _, step := range steps {
		if got := s.due(step.path, step.at); got != step.want {
			t.Errorf("%s: due() = %t, want %t", step.name, got, step.want)
		}
	}
	for i := range 2 * maxSurveyed {
		s.due(fmt.Sprint("/", i), now)
	}
	if len(s) > maxSurveyed {
		t.Errorf("%d projects are kept, want at most %d", len(s), maxSurveyed)
	}
}

// A project's own files are looked at when a session begins in it, and when a
// turn ends there.
func TestSurvey(t *testing.T) {
	tests := []struct {
		name  string
		write func(r *running, cwd string) error
	}{
		{"session start", func(r *running, cwd string) error {
			_, err := r.Orient(t.Context(), api.Session{SessionID: "s1", Cwd: cwd, Reason: "startup"})
			return err
		}},
		{"end of a turn", func(r *running, cwd string) error {
			return r.Flush(t.Context(), api.Flush{SessionID: "s1", Cwd: cwd, TranscriptPath: filepath.Join(cwd, "none.jsonl"), Reason: "Stop"})
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, dir := start(t, newHome(t)), t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/ferry\n\ngo 1.26\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := tt.write(r, dir); err != nil {
				t.Fatal(err)
			}
			r.until("the project is known", func() bool {
				found, err := r.Export(t.Context(), api.Page{})
				if err != nil {
					t.Fatal(err)
				}
				return slices.ContainsFunc(found.Memories, func(m memory.Memory) bool {
					return m.Source == memory.Registry && m.ProjectPath == memory.FindProject(dir, "").Path
				})
			})
		})
	}
}
