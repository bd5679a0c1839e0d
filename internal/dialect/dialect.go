// Package dialect says how the hooks of other coding agents differ from Claude Code's. They send
// the same fields and take the same answer, but may call an event by another name.
//
// Every hook links this package, so it is a table.
package dialect

// renamed are the names that agents have for Claude Code's events, where they differ.
var renamed = map[string]map[string]string{
	"codex":  {},
	"droid":  {},
	"qwen":   {},
	"gemini": {"UserPromptSubmit": "BeforeAgent", "Stop": "AfterAgent", "PreCompact": "PreCompress"},
}

// Known reports whether the hooks of an agent can be understood.
func Known(agent string) bool {
	_, ok := renamed[agent]
	return ok
}

// Theirs returns what an agent calls an event of Claude Code's.
func Theirs(agent, event string) string {
	if name := renamed[agent][event]; name != "" {
		return name
	}
	return event
}

// Ours returns what Claude Code calls an event of an agent's.
func Ours(agent, event string) string {
	for ours, theirs := range renamed[agent] {
		if theirs == event {
			return ours
		}
	}
	return event
}
