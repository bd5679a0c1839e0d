package recall

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/request"
)

// wished makes a preference of the project.
func wished(id, words string) memory.Memory {
	m := inbox(id, memory.TitleWants+words, "")
	m.Source, m.Importance, m.Session = memory.Preferences, memory.High, "earlier"
	return m
}

func TestRecallByActivity(t *testing.T) {
	fixed := inbox("fail-1", "`cargo test` fails: error: no database", "")
	fixed.Source, fixed.Fields = memory.Failures, map[string]string{"error": "no database", "fix": "`SQLX_OFFLINE=1 cargo test` works"}
	mended := fixed
	mended.OccurredAt = now.Add(-mostStale - time.Hour)
	abroad := wished("pref-2", "sign off what you commit")
	abroad.SetHome(other)
	general := wished("pref-3", "sign off what you commit")
	general.AppliesTo, general.Project, general.ProjectPath = memory.Global, "", ""
	later := wished("pref-4", "pushes go to the mirror")
	later.Supersedes = []string{"pref-1"}
	tests := []struct {
		name, prompt string
		memories     []memory.Memory
		want         []string
	}{
		{"in other words", "ok, get it into the repo", []memory.Memory{wished("pref-1", "never push, i push")}, []string{"pref-1"}},
		{"by words that every prompt has", "test it", []memory.Memory{wished("pref-1", "no mocks in unittests")}, []string{"pref-1"}},
		{"only mentioned", "does the test of the cart cover refunds?", []memory.Memory{wished("pref-1", "no mocks in unittests")}, nil},
		{"another activity", "ok, get it into the repo", []memory.Memory{wished("pref-1", "no pie charts")}, nil},
		{"another project", "check it in", []memory.Memory{abroad}, nil},
		{"all projects", "check it in", []memory.Memory{general}, []string{"pref-3"}},
		{"a failure with its fix", "run all specs", []memory.Memory{fixed}, []string{"fail-1"}},
		{"a failure of long ago", "run all specs", []memory.Memory{mended}, nil},
		{"the newer of two", "get it into the repo", []memory.Memory{wished("pref-1", "never push, i push"), later}, []string{"pref-4"}},
		{"not too many", "check it in", []memory.Memory{
			wished("pref-1", "sign what you commit"), wished("pref-2", "small commits, one change each"), wished("pref-3", "commit subjects are lower case"),
			wished("pref-4", "no emojis in commit messages"), wished("pref-5", "commits name their ticket"), wished("pref-6", "never commit generated code"),
		}, []string{"pref-1", "pref-2", "pref-3", "pref-4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, b := range recall(t, open(t, tt.memories...), ask(t, tt.prompt)).Injected {
				got = append(got, b.ID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Recall(%q) (-want +got):\n%s", tt.prompt, diff)
			}
		})
	}
}

// What matters to an activity is injected once a session, and the explanation names it.
func TestActivityOnceASession(t *testing.T) {
	r := open(t, wished("pref-1", "never push, i push"))
	req := ask(t, "ok, get it into the repo")
	first := recall(t, r, req)
	if len(first.Injected) != 1 || !strings.Contains(first.Context, "never push") {
		t.Fatalf("injected %+v, want the wish", first.Injected)
	}
	if c := first.Explanation.Candidates; len(c) != 1 || c[0].Bears != "push" || c[0].Relevance < c[0].Required {
		t.Errorf("candidates %+v, want one that matters to push", c)
	}
	req.Session = request.Session{ID: "now", Injected: first.Keys}
	again := recall(t, r, req)
	if len(again.Injected) != 0 || again.Explanation.Candidates[0].Outcome != api.OutcomeAlready {
		t.Errorf("injected %+v again, with %+v", again.Injected, again.Explanation.Candidates)
	}
}

// A tool call finds a wish about what it does by no word.
func TestBearingsByActivity(t *testing.T) {
	r := open(t, wished("pref-1", "never push, i push"), wished("pref-2", "no pie charts"))
	found, err := r.Bearings(t.Context(), Call{Words: "git commit", Activities: []string{"push"}, Project: here, Confidence: func(*memory.Memory) float64 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Memory.ID != "pref-1" {
		t.Errorf("Bearings() = %+v, want pref-1", found)
	}
}
