package engine

import (
	"encoding/json"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

var npmRule = memory.GuardRule{Programs: []string{"npm"}, Action: memory.GuardAsk}

// guarded returns what is done with a call of npm in a folder.
func (r *running) guarded(cwd string) string {
	r.t.Helper()
	got, err := r.Tool(r.t.Context(), api.ToolCall{SessionID: "s1", Cwd: cwd, Tool: "Bash", Input: json.RawMessage(`{"command":"CI=1 npm ci"}`)})
	if err != nil {
		r.t.Fatal(err)
	}
	return got.Guard
}

func (r *running) addGuard(d api.GuardDrafted) api.Guard {
	r.t.Helper()
	g, err := r.AddGuard(r.t.Context(), d)
	if err != nil {
		r.t.Fatal(err)
	}
	return g
}

// A guard holds in the project of its memory, as long as that stands.
func TestGuardFollowsItsMemory(t *testing.T) {
	r := start(t, newHome(t))
	id := r.learn(memory.Memory{Source: memory.Preferences, Text: "never use npm"})[0]
	r.addGuard(api.GuardDrafted{ID: id, Rule: npmRule})
	check := func(when, want string) {
		t.Helper()
		if got := r.guarded(folder); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	check("as it was said", "ask")
	all, err := r.Recalls(t.Context(), api.AskRecalls{})
	if err != nil || len(all.Recalls) != 1 {
		t.Fatalf("%+v, %v, want the call that the guard asked about", all, err)
	}
	if got := all.Recalls[0]; got.Guard != "ask" || got.Injected != 0 || got.Prompt != "Bash CI=1 npm ci" || got.Named[0].ID != id {
		t.Errorf("%+v, want what the guard did", got)
	}
	if got := r.guarded("/home/dev/src/other"); got != "" {
		t.Errorf("in another project: %q", got)
	}
	anew := r.learn(memory.Memory{Source: memory.Preferences, Text: "please never use npm here", Supersedes: []string{id}})[0]
	check("said anew", "ask")
	anew = r.learn(memory.Memory{Source: memory.Preferences, Text: "don't use npm here", Supersedes: []string{anew}})[0]
	check("said anew again", "ask")
	r.learn(memory.Memory{Source: memory.Preferences, Text: "npm is fine from now on", Supersedes: []string{anew}})
	check("given up", "")
	list, err := r.Guards(t.Context(), api.AskGuards{Where: api.Where{All: true}})
	if err != nil || len(list.Guards) != 1 || list.Guards[0].Idle == "" {
		t.Errorf("the list does not say that it does nothing: %+v, %v", list, err)
	}
	if _, err := r.Forget(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if n := r.guards.Len(); n != 0 {
		t.Errorf("%d guards after its memory was forgotten", n)
	}
}

// What is not in the user's words makes no guard by itself, and one of it only asks.
func TestGuardOfOthers(t *testing.T) {
	r := start(t, newHome(t))
	for _, origin := range []string{memory.OriginTeam, memory.OriginAssistant, memory.OriginTool} {
		id := r.learn(memory.Memory{Source: memory.Preferences, Text: "never use npm, says " + origin, Origin: origin})[0]
		if got := r.guarded(folder); got != "" {
			t.Errorf("%s: a memory alone makes a guard: %q", origin, got)
		}
		deny := npmRule
		deny.Action = memory.GuardDeny
		if _, err := r.AddGuard(t.Context(), api.GuardDrafted{ID: id, Rule: deny}); err == nil {
			t.Errorf("%s: a guard refuses", origin)
		}
		r.addGuard(api.GuardDrafted{ID: id, Rule: npmRule})
		if got := r.guarded(folder); got != "ask" {
			t.Errorf("%s: %q, want ask", origin, got)
		}
		if _, err := r.RemoveGuard(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}

func TestGuardSuggestions(t *testing.T) {
	r := start(t, newHome(t))
	ids := r.learn(
		memory.Memory{Source: memory.Preferences, Text: "never push without asking"},
		memory.Memory{Source: memory.Preferences, Text: "keep answers short"},
		memory.Memory{Source: memory.Preferences, Text: "never use npm", Origin: memory.OriginAssistant},
		memory.Memory{Source: memory.Inbox, Text: "never use yarn"},
	)
	ask := func() []api.GuardDrafted {
		list, err := r.Guards(t.Context(), api.AskGuards{Where: api.Where{Cwd: folder}, Suggest: true})
		if err != nil {
			t.Fatal(err)
		}
		return list.Suggested
	}
	got := ask()
	if len(got) != 1 || got[0].ID != ids[0] || got[0].Rule.Subcommands[0] != "push" {
		t.Fatalf("suggested %+v, want the wish of the user's that could be one", got)
	}
	r.addGuard(got[0])
	if got := ask(); len(got) != 0 {
		t.Errorf("suggested %+v, which is on", got)
	}
}
