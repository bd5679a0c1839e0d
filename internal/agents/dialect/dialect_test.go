package dialect

import "testing"

func TestNames(t *testing.T) {
	for _, tt := range []struct{ agent, ours, theirs string }{
		{"", "Stop", "Stop"},
		{"codex", "Stop", "Stop"},
		{"gemini", "Stop", "AfterAgent"},
		{"gemini", "UserPromptSubmit", "BeforeAgent"},
		{"gemini", "SessionStart", "SessionStart"},
		{"cursor", "UserPromptSubmit", "beforeSubmitPrompt"},
	} {
		if got := Theirs(tt.agent, tt.ours); got != tt.theirs {
			t.Errorf("Theirs(%q, %s) = %s, want %s", tt.agent, tt.ours, got, tt.theirs)
		}
		if got := Ours(tt.agent, tt.theirs); got != tt.ours {
			t.Errorf("Ours(%q, %s) = %s, want %s", tt.agent, tt.theirs, got, tt.ours)
		}
	}
	for agent, want := range map[string]string{"": "", "codex": "", "copilot": "additionalContext", "cursor": "additional_context", "opencode": ""} {
		if got, _ := Field(agent); got != want {
			t.Errorf("Field(%q) = %q, want %q", agent, got, want)
		}
	}
	if Known("") || Known("cobol") || !Known("qwen") {
		t.Error("the agents that are known are others")
	}
}
