package engine

import (
	"os"
	"path/filepath"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// Before a pause a task was handed to a sub-agent, and a fallback was left for the hook: in the
// pause neither is injected.
func TestPauseReachesWhatIsUnderWay(t *testing.T) {
	r := start(t, newHome(t))
	app := t.TempDir()
	if _, err := r.Remember(t.Context(), api.Remember{Cwd: app, Memories: memory.Drafts(
		memory.Memory{Source: memory.Preferences, Text: "the turbine of the plant gets forty blades of brass, never of steel"})}); err != nil {
		t.Fatal(err)
	}
	r.indexed()
	handOver := func() {
		t.Helper()
		in := api.ToolCall{SessionID: "s1", Cwd: app, Tool: "Agent", Input: []byte(`{"subagent_type":"Explore","prompt":"which blades does the turbine of the plant get, of brass or of steel?"}`)}
		if _, err := r.Tool(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	begin := func(agent string) int {
		t.Helper()
		in := api.Agent{SessionID: "s1", AgentID: agent, AgentType: "Explore", Cwd: app}
		out, err := r.Agent(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return len(out.Injected)
	}
	handOver()
	if begin("a1") != 1 {
		t.Fatal("a sub-agent that is not paused gets nothing")
	}
	handOver()
	fallback := api.FallbackPath(r.Home, "s2")
	if err := os.MkdirAll(filepath.Dir(fallback), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fallback, []byte(`{"context":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Pause(t.Context(), api.Pause{Cwd: app}); err != nil {
		t.Fatal(err)
	}
	if n := begin("a2"); n != 0 {
		t.Errorf("%d memories injected in a pause", n)
	}
	if _, err := os.Stat(fallback); !os.IsNotExist(err) {
		t.Errorf("the fallback is left: %v", err)
	}
}

func errorOf(_ api.Recollection, err error) error { return err }

// Each event tells that a session is incognito.
func TestEveryEventTellsOfIncognito(t *testing.T) {
	e := openIdle(t, newHome(t))
	ctx := t.Context()
	for session, event := range map[string]func(id string) error{
		"orient": func(id string) error { return errorOf(ask(ctx, e.Orient, api.Session{SessionID: id, Incognito: true})) },
		"recollect": func(id string) error {
			return errorOf(ask(ctx, e.Recollect, api.Prompt{SessionID: id, Incognito: true}))
		},
		"tool":  func(id string) error { return errorOf(ask(ctx, e.Tool, api.ToolCall{SessionID: id, Incognito: true})) },
		"agent": func(id string) error { return errorOf(ask(ctx, e.Agent, api.Agent{SessionID: id, Incognito: true})) },
		"flush": func(id string) error {
			return e.Flush(ctx, api.Flush{SessionID: id, TranscriptPath: "/x.jsonl", Incognito: true})
		},
		"observe": func(id string) error {
			return e.Observe(ctx, api.Observation{SessionID: id, TranscriptPath: "/x.jsonl", Incognito: true})
		},
	} {
		before := len(e.jobs)
		if err := event(session); err != nil || !e.pauses.Incognito.Has(session) {
			t.Errorf("%s: %v, incognito %t", session, err, e.pauses.Incognito.Has(session))
		}
		if session == "flush" && len(e.jobs) != before {
			t.Error("the transcript of an incognito session is to be read")
		}
	}
}
