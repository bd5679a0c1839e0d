package engine

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// The pages of a timeline have every memory once, in order, whatever else happens meanwhile.
func TestTimeline(t *testing.T) {
	r := start(t, newHome(t))
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 25 {
		m := memory.Memory{Source: memory.Inbox, Title: fmt.Sprintf("note %d", i), Project: "orders", OccurredAt: noon.Add(time.Duration(i/3) * time.Hour), Session: "s1"}
		if i%5 == 0 {
			m.Source, m.Project, m.Session = memory.Journal, "lore", ""
		}
		r.learn(m)
	}
	tests := []struct {
		name string
		in   api.Moments
		want int
	}{
		{"all", api.Moments{}, 25},
		{"source", api.Moments{Source: "journal"}, 5},
		{"label of a source", api.Moments{Source: "decision"}, 5},
		{"project", api.Moments{Project: "orders"}, 20},
		{"session", api.Moments{Session: "s1"}, 20},
		{"none", api.Moments{Project: "orders", Source: "journal"}, 0},
		{"before a time", api.Moments{Before: "2026-03-01T14:00:00Z"}, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seen, last := map[string]bool{}, time.Now()
			for in, more := tt.in, true; more; {
				in.Limit = 4
				page, err := r.History.Timeline(t.Context(), in)
				if err != nil || len(page.Memories) > 4 {
					t.Fatalf("%d memories, %v", len(page.Memories), err)
				}
				for _, m := range page.Memories {
					if seen[m.ID] || m.OccurredAt.After(last) {
						t.Errorf("%s, %s: a second time, or out of order", m.ID, m.OccurredAt)
					}
					seen[m.ID], last = true, m.OccurredAt
				}
				if tt.in.Before == "" && page.Total != tt.want {
					t.Errorf("total %d, want %d", page.Total, tt.want)
				}
				in.Before, more = page.Next, page.Next != ""
			}
			if len(seen) != tt.want {
				t.Errorf("%d memories, want %d", len(seen), tt.want)
			}
		})
	}
	for _, in := range []api.Moments{{Before: "yesterday"}, {Source: "x"}} {
		var bad *api.BadRequest
		if _, err := r.History.Timeline(t.Context(), in); !errors.As(err, &bad) {
			t.Errorf("Timeline(%+v) = %v, want a refusal", in, err)
		}
	}
	got, err := r.Projects.Count(t.Context(), struct{}{})
	want := api.Projects{Projects: []api.ProjectCount{{Name: "orders", Memories: 20}, {Name: "lore", Memories: 5}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Projects() (-want +got): %v\n%s", err, diff)
	}
}

// A session shows what was injected at which prompt, and whether it was used.
func TestSessionUse(t *testing.T) {
	r := start(t, newHome(t))
	pool, ci := r.remember("the database pool has 40 connections")[0], r.remember("the build takes four minutes")[0]
	at := time.Now().UTC().Truncate(time.Second).Add(-time.Hour)
	r.learn(
		memory.Memory{Source: memory.Episodes, Title: "how large is the pool?", Session: "s1", Turn: "t1", OccurredAt: at.Add(time.Second), Project: "orders"},
		memory.Memory{Source: memory.Episodes, Title: "Answered", Evidence: "why does the build hang?", Session: "s1", Turn: "t2", OccurredAt: at.Add(time.Minute)},
		memory.Memory{Source: memory.Handoffs, Title: "pool and build", Session: "s1", OccurredAt: at.Add(time.Minute)},
	)
	told := func(id string) []api.Injected { return []api.Injected{{ID: id, Tokens: 7}} }
	r.usage.Add("s1", usage.PromptEvent, told(pool), at)
	r.usage.Add("s1", usage.ToolEvent, told(ci), at.Add(61*time.Second))
	r.usage.Add("s1.a7", usage.AgentEvent, told(pool), at.Add(62*time.Second))
	r.usage.Add("s2", usage.PromptEvent, told("note-forgotten"), at.Add(-time.Hour))
	r.usage.Append([]usage.Injection{usage.Injection{ID: pool, Session: "s1"}.Assessment(true, at)})

	got, err := r.History.Session(t.Context(), "s1")
	yes := true
	want := []api.Event{
		{Name: usage.PromptEvent, At: at, Prompt: "how large is the pool?", Memories: []api.Use{{ID: pool, Source: memory.Inbox, Title: "the database pool has 40 connections", Tokens: 7, Used: &yes}}},
		{Name: usage.ToolEvent, At: at.Add(61 * time.Second), Prompt: "why does the build hang?", Memories: []api.Use{{ID: ci, Source: memory.Inbox, Title: "the build takes four minutes", Tokens: 7}}},
		{Name: usage.AgentEvent, At: at.Add(62 * time.Second), Agent: "a7", Prompt: "why does the build hang?", Memories: []api.Use{{ID: pool, Source: memory.Inbox, Title: "the database pool has 40 connections", Tokens: 7}}},
	}
	if diff := cmp.Diff(want, got.Events); diff != "" || err != nil {
		t.Errorf("Session() (-want +got): %v\n%s", err, diff)
	}
	if got.Topic != "pool and build" || got.Project != "orders" || got.Injected != 3 || got.Used != 1 || got.Tokens != 21 {
		t.Errorf("session %+v", got.SessionCount)
	}
	first, err := r.History.Sessions(t.Context(), api.Moments{Limit: 1})
	if err != nil || first.Total != 2 || len(first.Sessions) != 1 || first.Sessions[0].ID != "s1" {
		t.Fatalf("Sessions() = %+v, %v", first, err)
	}
	second, err := r.History.Sessions(t.Context(), api.Moments{Limit: 1, Before: first.Next})
	if err != nil || second.Next != "" || len(second.Sessions) != 1 || second.Sessions[0].ID != "s2" {
		t.Errorf("next Sessions() = %+v, %v", second, err)
	}
	if _, err := r.History.Session(t.Context(), "s3"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("unknown session: %v", err)
	}
	days, err := r.History.Days(t.Context(), api.Period{})
	if n := len(days.Days); err != nil || n == 0 || days.Days[n-1].Events[usage.AgentEvent].Tokens != 7 {
		t.Errorf("Days() = %+v, %v", days, err)
	}
}

// What is brought back is what was forgotten, with its times; what it superseded is superseded again.
func TestRestore(t *testing.T) {
	r := start(t, newHome(t))
	old := r.remember("the database pool has 10 connections")[0]
	was := memory.Memory{Source: memory.Journal, Title: "The pool has 40 connections", Text: "because the database allows 100", Supersedes: []string{old},
		OccurredAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), RecordedAt: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC), Session: "s1", Turn: "t1", Origin: memory.OriginAssistant}
	r.learn(was)
	id := r.Store.SupersededBy(old)
	gone, err := r.Forget(t.Context(), id)
	if err != nil || r.Store.SupersededBy(old) != "" {
		t.Fatalf("Forget() = %v, superseded by %q", err, r.Store.SupersededBy(old))
	}
	back, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(gone), Restore: true})
	if err != nil || !slices.Equal(back.IDs, []string{id}) {
		t.Fatalf("Remember() = %+v, %v", back, err)
	}
	now, err := r.Store.Get(id)
	if diff := cmp.Diff(gone, now); diff != "" || err != nil {
		t.Errorf("brought back (-want +got): %v\n%s", err, diff)
	}
	if r.Store.SupersededBy(old) != id {
		t.Errorf("%s is superseded by %q", old, r.Store.SupersededBy(old))
	}
}

// A prompt can be explained as its own session would have it, and with settings that are not in force.
func TestExplainOtherwise(t *testing.T) {
	r := start(t, newHome(t))
	m := note("the database pool has 40 connections")
	m.Session, m.OccurredAt = "s1", time.Now()
	r.learn(m)
	outcome := func(in api.Prompt) string {
		t.Helper()
		in.Prompt, in.Cwd = poolPrompt, "/home/dev/src/app"
		got, err := r.Explain(t.Context(), in)
		if err != nil || len(got.Candidates) != 1 {
			t.Fatalf("Explain() = %+v, %v", got.Candidates, err)
		}
		return got.Candidates[0].Outcome
	}
	if got := outcome(api.Prompt{}); got != api.OutcomeInjected {
		t.Errorf("in a new session: %q", got)
	}
	if got := outcome(api.Prompt{Own: "s1"}); got == api.OutcomeInjected {
		t.Errorf("in its own session: %q", got)
	}
	if got := outcome(api.Prompt{Settings: "[sources]\ninbox = { enabled = false }\n"}); got == api.OutcomeInjected {
		t.Errorf("with its source switched off: %q", got)
	}
	if got := outcome(api.Prompt{}); got != api.OutcomeInjected {
		t.Errorf("afterwards: %q", got)
	}
	var bad *api.BadRequest
	if _, err := r.Explain(t.Context(), api.Prompt{Prompt: poolPrompt, Settings: "[embedder]\nkind = \"off\""}); !errors.As(err, &bad) {
		t.Errorf("settings that cannot be tried: %v", err)
	}
}
