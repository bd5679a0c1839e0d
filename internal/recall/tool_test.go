package recall

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/request"
)

// bearing makes a memory that matters to a call, days old.
func bearing(id string, src memory.Source, home memory.Project, days int, confidence float64) Bearing {
	m := memory.Memory{ID: id, Source: src, Title: "about " + id, OccurredAt: now.Add(-time.Duration(days) * day)}
	m.SetHome(home)
	return Bearing{m, confidence}
}

func advised(res request.Result) []string {
	var ids []string
	for _, b := range res.Injected {
		ids = append(ids, b.ID)
	}
	return ids
}

func TestAdvise(t *testing.T) {
	first := bearing("fail-1", memory.Failures, here, 9, 1)
	second := bearing("pref-2", memory.Preferences, here, 9, 0.8)
	third := bearing("pat-3", memory.Patterns, here, 9, 0.75)
	abroad := bearing("fail-4", memory.Failures, other, 9, 0.75)
	all := []Bearing{first, second, third}
	agreed := bearing("dec-7", memory.Journal, here, 9, 1)
	agreed.Memory.Title = "no" + memory.TitleTopic + "Would you prefer the plain config?)"
	own := bearing("fail-5", memory.Failures, here, 9, 1)
	own.Memory.Session = "s1"
	tests := []struct {
		name   string
		found  []Bearing
		change func(*request.Request)
		want   []string
	}{
		{"nothing", nil, nil, nil},
		{"the best two", all, nil, []string{"fail-1", "pref-2"}},
		{"too unsure", []Bearing{bearing("pat-6", memory.Patterns, here, 1, 0.69)}, nil, nil},
		{"what was injected makes no room", all, func(r *request.Request) { r.Session.Injected = map[string]string{"fail-1": first.Memory.ContentKey()} }, []string{"pref-2"}},
		{"told in other words", all, func(r *request.Request) { r.Session.Injected = map[string]string{"fail-1": "else"} }, []string{"fail-1", "pref-2"}},
		{"what the session has seen makes room", []Bearing{own, first, second}, func(r *request.Request) { r.Session.ID = "s1" }, []string{"fail-1", "pref-2"}},
		{"of another project", []Bearing{abroad}, nil, nil},
		{"of another project, with no margin", []Bearing{abroad}, func(r *request.Request) { r.Settings.Project.OtherMargin = 0 }, []string{"fail-4"}},
		{"a source that needs more", all, func(r *request.Request) { r.Settings.Sources.Preferences.MinRelevance = 0.9 }, []string{"fail-1", "pat-3"}},
		{"a decision that says nothing by itself", []Bearing{agreed}, nil, nil},
		{"a source that is off", all, func(r *request.Request) { r.Settings.Sources.Failures.Enabled = false }, []string{"pref-2", "pat-3"}},
		{"no items", all, func(r *request.Request) { r.Settings.Tools.Items = 0 }, nil},
		{"no tokens", all, func(r *request.Request) { r.Settings.Tools.Tokens = 0 }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, "")
			if tt.change != nil {
				tt.change(&req)
			}
			res := Advise(req, nil, tt.found)
			if diff := cmp.Diff(tt.want, advised(res)); diff != "" {
				t.Errorf("injected (-want +got):\n%s", diff)
			}
			if (res.Context == "") != (tt.want == nil) || len(res.Keys) != len(tt.want) {
				t.Errorf("context %q with keys %v for %v", res.Context, res.Keys, tt.want)
			}
			if n := block.Tokens(res.Context); n > req.Settings.Tools.Tokens {
				t.Errorf("injected %d tokens, want %d at most", n, req.Settings.Tools.Tokens)
			}
		})
	}
}

func TestAdviseInShort(t *testing.T) {
	b := bearing("pref-1", memory.Preferences, here, 9, 1)
	b.Memory.Text = "the reason why"
	req := ask(t, "")
	if got := Advise(req, nil, []Bearing{b}).Context; !strings.Contains(got, "the reason why") {
		t.Errorf("injected %q, want all of it", got)
	}
	req.HeadingsOnly = true
	if got := Advise(req, nil, []Bearing{b}).Context; strings.Contains(got, "the reason why") || !strings.Contains(got, "pref-1") {
		t.Errorf("injected %q, want one line", got)
	}
}

// Among very many turns that have the same words, the few memories that bear
// on a call are found.
func TestBearings(t *testing.T) {
	var ms []memory.Memory
	for i := range 300 {
		ms = append(ms, memory.Memory{ID: fmt.Sprintf("ep-%d", i), Source: memory.Episodes, Title: "ran go test ./cart and go test ./cart"})
	}
	failure := memory.Memory{ID: "fail-1", Source: memory.Failures, Title: "`go test ./cart` fails", OccurredAt: now.Add(-9 * day)}
	newer := memory.Memory{ID: "fail-2", Source: memory.Failures, Title: "`go test ./cart` fails again", OccurredAt: now}
	weak := memory.Memory{ID: "pref-3", Source: memory.Preferences, Title: "go test with -race"}
	old := memory.Memory{ID: "pat-4", Source: memory.Patterns, Title: "go test ./cart first"}
	heir := memory.Memory{ID: "pat-5", Source: memory.Patterns, Title: "go test ./cart last", Supersedes: []string{"pat-4"}}
	none := memory.Memory{ID: "dec-6", Source: memory.Journal, Title: "the cart is tested by hand"}
	r := open(t, append(ms, failure, newer, weak, old, heir, none)...)
	confidence := map[string]float64{"fail-1": 1, "fail-2": 1, "pref-3": 0.5, "pat-4": 0.9, "pat-5": 0.9}
	found, err := r.Bearings(t.Context(), Call{Words: "go test ./cart", Confidence: func(m *memory.Memory) float64 {
		if m.Source == memory.Episodes {
			t.Errorf("a turn was looked at: %s", m.ID)
		}
		return confidence[m.ID]
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range found {
		got = append(got, b.Memory.ID)
	}
	if diff := cmp.Diff([]string{"fail-2", "fail-1", "pat-5", "pref-3"}, got); diff != "" {
		t.Errorf("Bearings() (-want +got):\n%s", diff)
	}
}

func TestForTools(t *testing.T) {
	pool := func(id string, src memory.Source) memory.Memory {
		m := memory.Memory{ID: id, Source: src, Title: "connection pool size", Text: "The connection pool of postgres has a size of 40."}
		m.SetHome(here)
		return m
	}
	r := open(t, pool("note-1", memory.Inbox), pool("fail-1", memory.Failures))
	req := ask(t, "what size has the connection pool?")
	req.ForTools()
	res, err := r.Recall(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"fail-1"}, advised(res)); diff != "" {
		t.Errorf("a task is injected (-want +got):\n%s", diff)
	}
	if req.Settings.Budget.Tokens != 400 || req.Settings.Budget.Items != 2 || req.Least(memory.Failures) != 0.7 {
		t.Errorf("budget %+v and least relevance %v, want those of tools", req.Settings.Budget, req.Least(memory.Failures))
	}
}

// A sub-agent that is asked again finds what it did before.
func TestAgentsOwnMemories(t *testing.T) {
	by := func(id, agent string) memory.Memory {
		m := memory.Memory{ID: id, Source: memory.Episodes, Agent: agent, Title: "Looked at the connection pool", Text: "The pool is opened in db.go."}
		m.SetHome(here)
		return m
	}
	r := open(t, by("ep-1", "auditor"), by("ep-2", "planner"))
	req := ask(t, "review the pool")
	req.Agent = "planner"
	req.All = true
	res, err := r.Recall(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	c := res.Explanation.Candidates
	if len(c) != 2 || c[0].ID != "ep-2" || c[0].Relevance <= c[1].Relevance {
		t.Errorf("candidates %+v, want what the planner did first", c)
	}
}
