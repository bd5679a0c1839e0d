package usage

import (
	"testing"
	"time"

	"recollect/internal/agents/claudecode"
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
