package engine

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

const missedGoal = "ship the checkout"

// missStart leaves what a hook leaves that had no answer at the start of session s1.
func missStart(t *testing.T, home string, change func(*api.Start)) {
	t.Helper()
	s := api.Start{Session: api.Session{SessionID: "s1", Cwd: "/home/dev/src/app", Reason: "startup"}, Missed: true}
	if change != nil {
		change(&s)
	}
	if err := api.LeaveStart(home, s); err != nil {
		t.Fatal(err)
	}
}

// startMissing runs an engine with a goal, which a session is told at its start, and a note.
func startMissing(t *testing.T) (r *running, note string) {
	t.Helper()
	r = start(t, newHome(t))
	note = r.remember("the database pool has 40 connections")[0]
	m := memory.Memory{Source: memory.Goals, Title: missedGoal}
	if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(m), Cwd: "/home/dev/src/app"}); err != nil {
		t.Fatal(err)
	}
	r.settled()
	return r, note
}

// What a session was to be told at its start comes with its first prompt that is answered, once, in
// front of what the prompt brings, with the line for the user.
func TestMissedStartWithPrompt(t *testing.T) {
	r, note := startMissing(t)
	missStart(t, r.home, nil)
	ask := func() api.Recollection {
		got, err := r.Recollect(t.Context(), api.Prompt{SessionID: "s1", Prompt: poolPrompt, Cwd: "/home/dev/src/app"})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	prompt := api.Prompt{SessionID: "s1", Prompt: poolPrompt, Cwd: "/home/dev/src/app"}
	if _, err := askAndLeave(t.Context(), r.Engine.Recollect, prompt, errors.New("broken pipe")); err != nil {
		t.Fatal(err)
	}
	got := ask()
	goal, noted := strings.Index(got.Context, missedGoal), strings.Index(got.Context, note)
	if goal < 0 || noted < goal || strings.Count(got.Context, "<memory-data") != 1 {
		t.Errorf("told %q, want the goal and then %s in one block", got.Context, note)
	}
	if !strings.HasPrefix(got.Notice, "recollect: ship the checkout (") {
		t.Errorf("notice %q", got.Notice)
	}
	if again := ask(); again.Context != "" || again.Notice != "" {
		t.Errorf("told again: %q, %q", again.Context, again.Notice)
	}
}

// The same with a tool call of any kind, but with none of a sub-agent.
func TestMissedStartWithCall(t *testing.T) {
	r, _ := startMissing(t)
	missStart(t, r.home, nil)
	for _, step := range []struct {
		agent, tool, input string
		told               bool
	}{
		{"a1", "Bash", `{"command":"ls"}`, false}, {"", "TodoWrite", `{}`, true}, {"", "Bash", `{"command":"ls"}`, false},
	} {
		got, err := r.Tool(t.Context(), api.ToolCall{SessionID: "s1", AgentID: step.agent, Cwd: "/home/dev/src/app", Tool: step.tool, Input: json.RawMessage(step.input)})
		if err != nil || strings.Contains(got.Context, missedGoal) != step.told || (got.Notice != "") != step.told {
			t.Errorf("%s of agent %q: told %q, %q, %v; want the goal: %t", step.tool, step.agent, got.Context, got.Notice, err, step.told)
		}
	}
}

// Of many calls at once, one brings it.
func TestMissedStartOnce(t *testing.T) {
	r, _ := startMissing(t)
	missStart(t, r.home, nil)
	var mu sync.Mutex
	told := 0
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			got, err := r.Tool(t.Context(), api.ToolCall{SessionID: "s1", Cwd: "/home/dev/src/app", Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`)})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if strings.Contains(got.Context, missedGoal) {
				told++
			}
		})
	}
	all.Wait()
	if told != 1 {
		t.Errorf("told %d times, want once", told)
	}
}

// Who is told nothing at a start is told nothing later either.
func TestMissedStartThatIsNotOwed(t *testing.T) {
	tests := []struct {
		name   string
		change func(*api.Start)
		before func(*running)
		told   bool
	}{
		{"startup", nil, nil, true},
		{"after a clear", func(s *api.Start) { s.Reason = "clear" }, nil, true},
		{"after a compaction", func(s *api.Start) { s.Reason = "compact" }, nil, true},
		{"another session's", func(s *api.Start) { s.SessionID = "s2" }, nil, false},
		{"the hook still waits", func(s *api.Start) { s.Missed = false }, nil, false},
		{"incognito", nil, func(r *running) { r.acceptIncognito("s1", true) }, false},
		{"paused", nil, func(r *running) {
			if _, err := r.Pause(t.Context(), api.Pause{Session: "s1"}); err != nil {
				t.Error(err)
			}
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := startMissing(t)
			missStart(t, r.home, tt.change)
			if tt.before != nil {
				tt.before(r)
			}
			got, err := r.Recollect(t.Context(), api.Prompt{SessionID: "s1", Prompt: "good morning", Cwd: "/home/dev/src/app"})
			if err != nil || strings.Contains(got.Context, missedGoal) != tt.told {
				t.Errorf("told %q, %v; want the goal: %t", got.Context, err, tt.told)
			}
		})
	}
}

// A start whose hook had left when the daemon answered is made up for, and one that arrived is not;
// nor is a session that is resumed, or of which no start is known.
func TestStartThatNobodyWaitedFor(t *testing.T) {
	tests := []struct {
		name, reason string
		leaves, told bool
	}{
		{"left", "startup", true, true}, {"left after a compaction", "compact", true, true}, {"left on resume", "resume", true, false},
		{"arrived", "startup", false, false}, {"arrived on resume", "resume", false, false}, {"no start", "", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := startMissing(t)
			var undelivered error
			if tt.leaves {
				undelivered = errors.New("broken pipe")
			}
			if tt.reason != "" {
				begun := api.Session{SessionID: "s1", Cwd: "/home/dev/src/app", Reason: tt.reason}
				if _, err := askAndLeave(t.Context(), r.Engine.Orient, begun, undelivered); err != nil {
					t.Fatalf("Orient() = %v", err)
				}
			}
			got, err := r.Recollect(t.Context(), api.Prompt{SessionID: "s1", Prompt: "good morning", Cwd: "/home/dev/src/app"})
			if err != nil || strings.Contains(got.Context, missedGoal) != tt.told {
				t.Errorf("told %q, %v; want the goal: %t", got.Context, err, tt.told)
			}
			if ids := r.recollect("s1"); slices.Contains(ids, "goal") {
				t.Errorf("told again: %v", ids)
			}
		})
	}
}

// A file that says nothing of use is no start.
func TestOddStarts(t *testing.T) {
	home := t.TempDir()
	missStart(t, home, func(s *api.Start) { s.Missed = false })
	if _, ok := api.MissedStart(home, "s1", time.Now()); ok {
		t.Error("a start that its hook waits for is missed")
	}
	if _, ok := api.MissedStart(home, "s1", time.Now().Add(time.Minute)); !ok {
		t.Error("a start whose hook was ended is not missed")
	}
	place(t, home, map[string]string{"recollections/s2.start.json": "{", "recollections/s3.start.json": `{"sessionId":"s4","missed":true}`})
	for _, id := range []string{"s2", "s3", "s9", ""} {
		if _, ok := api.MissedStart(home, id, time.Now()); ok {
			t.Errorf("session %q missed its start", id)
		}
	}
}
