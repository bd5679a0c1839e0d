// Package dialect says how the hooks of other coding agents differ from Claude Code's. They send
// the same fields, but may call an event by another name, or take an answer of another form.
//
// Every hook links this package, so it is a table.
package dialect

// A form is how the hooks of an agent differ.
type form struct {
	names map[string]string // of Claude Code's events, where they differ
	field string            // that takes what is injected, where an answer is not Claude Code's
	base  string            // what else such an answer has, as a JSON object
}

var forms = map[string]form{
	"codex":   {},
	"droid":   {},
	"qwen":    {},
	"gemini":  {names: map[string]string{"UserPromptSubmit": "BeforeAgent", "Stop": "AfterAgent", "PreCompact": "PreCompress"}},
	"copilot": {field: "additionalContext", base: "{}"},
	"cursor": {
		names: map[string]string{"SessionStart": "sessionStart", "UserPromptSubmit": "beforeSubmitPrompt", "Stop": "stop"},
		field: "additional_context", base: `{"continue":true}`,
	},

	"opencode": {}, // our plugin there sends what Claude Code would
}

// Known reports whether the hooks of an agent can be understood.
func Known(agent string) bool {
	_, ok := forms[agent]
	return ok
}

// Theirs returns what an agent calls an event of Claude Code's.
func Theirs(agent, event string) string {
	if name := forms[agent].names[event]; name != "" {
		return name
	}
	return event
}

// Ours returns what Claude Code calls an event of an agent's.
func Ours(agent, event string) string {
	for ours, theirs := range forms[agent].names {
		if theirs == event {
			return ours
		}
	}
	return event
}

// Field returns the name of the field of an agent's answer that takes what is injected, and the rest
// of that answer; "" if the agent takes Claude Code's answer.
func Field(agent string) (field, base string) { return forms[agent].field, forms[agent].base }
