package usage

import (
	"log/slog"
	"testing"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/api"
	"recollect/internal/memory"
)

func TestIsForTurn(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	main := claudecode.Turn{At: noon, End: noon.Add(time.Minute)}
	tests := []struct {
		name  string
		event string
		after time.Duration // from the turn's beginning
		turn  claudecode.Turn
		want  bool
	}{
		{"with the prompt", PromptEvent, 100 * time.Millisecond, main, true},
		{"just before the prompt is written", PromptEvent, -time.Second, main, true},
		{"with the prompt before", PromptEvent, -time.Minute, main, false},
		{"with the next prompt", PromptEvent, 2 * time.Minute, main, false},
		{"at the start of the session", StartEvent, -time.Hour, main, true},
		{"at its next start", StartEvent, time.Hour, main, false},
		{"before a tool", "PreToolUse", time.Second, main, true},
		{"by a version before", "", time.Second, main, true},
		{"a turn without a time", PromptEvent, time.Second, claudecode.Turn{}, false},
	}
	for _, tt := range tests {
		if got := isForTurn(Injection{Event: tt.event, Last: noon.Add(tt.after)}, tt.turn); got != tt.want {
			t.Errorf("%s: isForTurn() = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// What is said of counted failures is no memory, but is used where Claude runs what it recommends.
func TestWarningIsUsed(t *testing.T) {
	u := OpenLog(t.TempDir(), slog.New(slog.DiscardHandler))
	u.Add("s1", ToolEvent, []api.Injected{{ID: "fail-1", Source: memory.Failures, Text: "[failure] `make ferries` failed in 3 of 4 sessions; after `make timetable FORMAT=wide` it passed twice"}}, time.Now())
	line := Injection{ID: "fail-1", Session: "s1"}
	m, ok := u.warningAs(line)
	ran := func(command string) bool {
		return usedIn(claudecode.Turn{Actions: []claudecode.Action{{Tool: "Bash", Command: command}}}, []memory.Memory{m}, func(string) bool { return false })[0]
	}
	if !ok || !ran("make timetable FORMAT=wide") || ran("make ferries") {
		t.Errorf("%v, %v: the fix used %v, the failing call used %v", m, ok, ran("make timetable FORMAT=wide"), ran("make ferries"))
	}
	if err := u.Forget(map[string]bool{"note-1": true}); err != nil {
		t.Fatal(err)
	}
	if _, ok := u.warningAs(line); ok {
		t.Error("a warning outlives what is forgotten")
	}
}
