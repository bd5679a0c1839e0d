package recall

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/request"
)

// prompted is what the memories of gateTests answer.
const prompted = "why was the connection pool exhausted"

// pool makes a memory that answers prompted well.
func pool(id string) memory.Memory {
	m := inbox(id, "Connection pool exhausted", "HasOpenOrders kept its rows open ("+id+").")
	m.Session = "earlier"
	return m
}

func key(m memory.Memory) string { return m.ContentKey() }

// goal, abroad and the like make variants of it.
func goal(id string) memory.Memory {
	m := pool(id)
	m.Source = memory.Goals
	return m
}

func handoff(id string) memory.Memory {
	m := pool(id)
	m.Source = memory.Handoffs
	return m
}

func abroad(id string) memory.Memory {
	m := pool(id)
	m.SetHome(other)
	return m
}

// Every gate, and beside it the least that opens it.
var gateTests = []struct {
	name     string
	memories []memory.Memory
	change   func(*request.Request)
	want     map[string]string
}{
	{"nothing in the way", []memory.Memory{pool("note-1")}, nil, map[string]string{"note-1": api.OutcomeInjected}},
	{"below the minimum", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Settings.Sources.Inbox.MinRelevance = 1 }, map[string]string{"note-1": "relevance below 1.00"}},
	{"not worth it", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Settings.Recall.MinWorth = 1 }, map[string]string{"note-1": notWorthSaying}},
	{"noted on purpose", []memory.Memory{with(pool("note-1"), func(m *memory.Memory) { m.Session = "" })},
		func(r *request.Request) { r.Settings.Recall.MinWorth = 1 }, map[string]string{"note-1": api.OutcomeInjected}},
	{"another source's minimum", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Settings.Sources.Episodes.MinRelevance = 1 }, map[string]string{"note-1": api.OutcomeInjected}},
	{"other project, no margin", []memory.Memory{abroad("note-1")},
		func(r *request.Request) { r.Settings.Project.OtherMargin = 0 }, map[string]string{"note-1": api.OutcomeInjected}},
	{"other project's margin", []memory.Memory{abroad("note-1"), pool("note-2")},
		func(r *request.Request) { r.Settings.Project.OtherMargin = 0.55 }, map[string]string{"note-1": "relevance below 1.00", "note-2": api.OutcomeInjected}},
	{"margin never asks for more than all", []memory.Memory{abroad("note-1")},
		func(r *request.Request) { r.Settings.Project.OtherMargin = 1 }, map[string]string{"note-1": "relevance below 1.00"}},
	{"no project in particular", []memory.Memory{everywhere("note-1")},
		func(r *request.Request) { r.Settings.Project.OtherMargin = 1 }, map[string]string{"note-1": api.OutcomeInjected}},
	{"injected already", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Session.Injected = map[string]string{"note-1": key(pool("note-1"))} },
		map[string]string{"note-1": "told in this session already"}},
	{"injected under another id", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Session.Injected = map[string]string{"note-9": key(pool("note-1"))} },
		map[string]string{"note-1": "told in this session already"}},
	{"injected, and changed since", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Session.Injected = map[string]string{"note-1": key(pool("note-0"))} },
		map[string]string{"note-1": api.OutcomeInjected}},
	{"of the same session", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Session.ID = "earlier" }, map[string]string{"note-1": "belongs to this session"}},
	{"of another session", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Session.ID = "another" }, map[string]string{"note-1": api.OutcomeInjected}},
	{"of the same session, before its compaction", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Session.ID, r.Session.Compacted = "earlier", now }, map[string]string{"note-1": api.OutcomeInjected}},
	{"the session's own handoff, after a compaction", []memory.Memory{handoff("hand-1")},
		func(r *request.Request) { r.Session.ID, r.Session.Compacted = "earlier", now }, map[string]string{"hand-1": "belongs to this session"}},
	{"no session", []memory.Memory{sessionless("note-1")}, nil, map[string]string{"note-1": api.OutcomeInjected}},
	{"superseded", []memory.Memory{pool("note-1"), replacing("note-2", "note-1")}, nil,
		map[string]string{"note-1": "superseded by note-2", "note-2": api.OutcomeInjected}},
	{"superseded by one that is held back", []memory.Memory{pool("note-1"), replacing("note-2", "note-1")},
		func(r *request.Request) {
			r.Session.Injected = map[string]string{"note-2": key(replacing("note-2", ""))}
		},
		map[string]string{"note-1": "superseded by note-2", "note-2": "told in this session already"}},
	{"source off", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Settings.Sources.Inbox.Enabled = false }, map[string]string{"note-1": "source inbox is off"}},
	{"goals unasked", []memory.Memory{goal("goal-1")}, nil, map[string]string{"goal-1": "the prompt does not mention goals"}},
	{"goals asked for", []memory.Memory{goal("goal-1")},
		func(r *request.Request) { r.Prompt = "plan: connection pool exhausted" }, map[string]string{"goal-1": api.OutcomeInjected}},
	{"goal that is done", []memory.Memory{reached(goal("goal-1"))},
		func(r *request.Request) { r.Prompt = "plan: connection pool exhausted" }, map[string]string{"goal-1": "goal is done"}},
	{"goal that is open", []memory.Memory{tagged(goal("goal-1"), memory.TagOpen)},
		func(r *request.Request) { r.Prompt = "plan: connection pool exhausted" }, map[string]string{"goal-1": api.OutcomeInjected}},
	{"another source's memory that is tagged done", []memory.Memory{reached(pool("note-1"))}, nil, map[string]string{"note-1": api.OutcomeInjected}},
	{"filtered by project", []memory.Memory{pool("note-1"), abroad("note-2")},
		func(r *request.Request) { r.Filter.Project = "lore" }, map[string]string{"note-2": api.OutcomeInjected}},
	{"filtered by source", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Filter.Source = memory.Episodes }, map[string]string{"note-1": "filtered out"}},
	{"the same content twice", []memory.Memory{pool("note-1"), copied("note-2", "note-1")}, nil,
		map[string]string{"note-1": api.OutcomeInjected, "note-2": "says the same as note-1"}},
	{"the same content, the first held back", []memory.Memory{later(pool("note-1")), copied("note-2", "note-1")},
		func(r *request.Request) { r.Session.ID = "later" }, map[string]string{"note-1": "belongs to this session", "note-2": api.OutcomeInjected}},
	{"far less relevant than another session's", []memory.Memory{pool("note-1"), vague("note-2")},
		requireLittle, map[string]string{"note-1": api.OutcomeInjected, "note-2": "far less relevant than note-1"}},
	{"far less relevant than the same session's", []memory.Memory{pool("note-1"), with(vague("note-2"), func(m *memory.Memory) { m.Session = "earlier" })},
		requireLittle, map[string]string{"note-1": api.OutcomeInjected, "note-2": api.OutcomeInjected}},
	{"far less relevant than what was injected", []memory.Memory{pool("note-1"), vague("note-2")},
		func(r *request.Request) {
			requireLittle(r)
			r.Session.Injected = map[string]string{"note-1": key(pool("note-1"))}
		},
		map[string]string{"note-1": api.OutcomeAlready, "note-2": "far less relevant than note-1"}},
	{"far less relevant than what this session said", []memory.Memory{pool("note-1"), vague("note-2")},
		func(r *request.Request) {
			requireLittle(r)
			r.Session.ID = "earlier"
		},
		map[string]string{"note-1": "belongs to this session", "note-2": api.OutcomeInjected}},
	{"far less relevant, and the latest is asked for", []memory.Memory{pool("note-1"), vague("note-2")},
		func(r *request.Request) {
			requireLittle(r)
			r.Prompt += " last time?"
		},
		map[string]string{"note-1": api.OutcomeInjected, "note-2": api.OutcomeInjected}},
	{"score below the threshold", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Settings.Rank.Threshold = 1 }, map[string]string{"note-1": "score below 1"}},
	{"no room", []memory.Memory{pool("note-1")},
		func(r *request.Request) { r.Settings.Budget.Tokens = 40 }, map[string]string{"note-1": request.NoRoom}},
}

func tagged(m memory.Memory, tag string) memory.Memory {
	m.Tags = []string{tag}
	return m
}

func reached(m memory.Memory) memory.Memory { return tagged(m, memory.TagDone) }

func sessionless(id string) memory.Memory {
	m := pool(id)
	m.Session = ""
	return m
}

func everywhere(id string) memory.Memory {
	m := pool(id)
	m.SetHome(memory.Project{})
	return m
}

func replacing(id, old string) memory.Memory {
	m := pool(id)
	m.Supersedes = []string{old}
	return m
}

func copied(id, from string) memory.Memory {
	m := pool(from)
	m.ID = id
	return m
}

// requireLittle makes any memory relevant enough.
func requireLittle(r *request.Request) { r.Settings.Sources.Inbox.MinRelevance = 0.01 }

func later(m memory.Memory) memory.Memory {
	m.Session = "later"
	return m
}

func TestGate(t *testing.T) {
	for _, tt := range gateTests {
		t.Run(tt.name, func(t *testing.T) {
			r := open(t, tt.memories...)
			req := ask(t, prompted)
			if tt.change != nil {
				tt.change(&req)
			}
			got := map[string]string{}
			res := recall(t, r, req)
			for _, c := range res.Explanation.Candidates {
				got[c.ID] = c.Outcome
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			for _, b := range res.Injected {
				if got[b.ID] != api.OutcomeInjected && got[b.ID] != api.OutcomeHeading {
					t.Errorf("%s was injected, though: %s", b.ID, got[b.ID])
				}
			}
		})
	}
}

// What was injected once must not be injected again as the session goes on.
func TestNotInjectedTwice(t *testing.T) {
	r := open(t, pool("note-1"), pool("note-2"), copied("note-3", "note-1"))
	req := ask(t, prompted)
	req.Settings.Budget.Items = 1
	req.Session.Injected = map[string]string{}
	var order []string
	for range 4 {
		res := recall(t, r, req)
		for _, b := range res.Injected {
			order = append(order, b.ID)
		}
		maps.Copy(req.Session.Injected, res.Keys)
	}
	if diff := cmp.Diff([]string{"note-1", "note-2"}, order); diff != "" {
		t.Errorf("injected by the prompts of one session (-want +got):\n%s", diff)
	}
}

// Candidates that a gate held back stand behind the others, and nobody is
// forgotten.
func TestHeldBackLast(t *testing.T) {
	r := open(t, pool("note-1"), goal("goal-2"), pool("note-3"), goal("goal-4"))
	res := recall(t, r, ask(t, prompted))
	if n := len(res.Explanation.Candidates); n != 4 {
		t.Fatalf("%d candidates, want 4", n)
	}
	for i, c := range res.Explanation.Candidates {
		if injected := c.Outcome == api.OutcomeInjected; injected != (i < 2) {
			t.Errorf("candidate %d: %s, %s", i+1, c.ID, c.Outcome)
		}
	}
}

// A prompt is about its own project, unless it names another one, or says that it holds everywhere.
func TestOtherProjects(t *testing.T) {
	theirs, everywhere := vague("note-2"), vague("note-3")
	theirs.SetHome(other)
	everywhere.SetHome(other)
	everywhere.AppliesTo = memory.Global
	r := open(t, vague("note-1"), theirs, everywhere)
	tests := []struct {
		name   string
		prompt string
		change func(*request.Request)
		own    bool // whether the other project's memory is as relevant as the own one
	}{
		{"of another project", prompted, func(*request.Request) {}, false},
		{"never", prompted, func(r *request.Request) { r.Settings.Project.OtherOdds = 0 }, false},
		{"at the same odds", prompted, func(r *request.Request) { r.Settings.Project.OtherOdds = 1 }, true},
		{"named in the prompt", prompted + " in lore", func(*request.Request) {}, true},
		{"typed nowhere", prompted, func(r *request.Request) { r.Project = memory.Project{} }, true},
		{"searched for", prompted, func(r *request.Request) { r.Filter.Project = other.Name }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := ask(t, tt.prompt)
			req.All = true
			tt.change(&req)
			res := recall(t, r, req)
			theirs := found(t, res, "note-2")
			other := slices.ContainsFunc(theirs.Parts, func(p api.Factor) bool { return p.Name == otherPart })
			if other == tt.own {
				t.Errorf("%s among the parts: %t, want %t", otherPart, other, !tt.own)
			}
			if _, err := json.Marshal(res.Explanation); err != nil {
				t.Errorf("the explanation: %v", err)
			}
			if req.Filter.Project != "" {
				return
			}
			own := found(t, res, "note-1").Relevance
			if same := theirs.Relevance > own-0.05; same != tt.own {
				t.Errorf("relevance %.2f, of the own project's %.2f", theirs.Relevance, own)
			}
			if global := found(t, res, "note-3").Relevance; global < own-0.05 {
				t.Errorf("relevance %.2f of what holds everywhere, of the own project's %.2f", global, own)
			}
		})
	}
}

// Where many memories have all words of a prompt by chance, it brings none of them, but what matters to
// what it asks for; a rare word tells which is meant.
func TestUsualWords(t *testing.T) {
	var all []memory.Memory
	for i := range 400 {
		all = append(all, with(sessionless(fmt.Sprintf("note-%d", i)), func(m *memory.Memory) {
			m.Title, m.Text = fmt.Sprintf("Commit and push of case %d", i), "The branch was pushed after the commit."
		}))
	}
	wish := memory.Memory{ID: "pref-1", Source: memory.Preferences, Title: "The user wants: never push, I push", Text: "never push, I push"}
	wish.SetHome(here)
	r := open(t, append(all, wish, pool("note-pool"))...)
	for prompt, want := range map[string][]string{
		"commit and push": {"pref-1"},
		"push the branch": {"pref-1"},
		"exhausted pool":  {"note-pool"},
	} {
		if got := r.injected(t, ask(t, prompt)); !slices.Equal(got, want) {
			t.Errorf("%q brings %v, want %v", prompt, got, want)
		}
	}
}
