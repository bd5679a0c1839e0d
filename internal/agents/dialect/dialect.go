// Package dialect says how the hooks of other coding agents differ from Claude Code's. They send
// the same fields, but may call an event by another name, or take an answer of another form.
//
// Every hook links this package, so it is a table that needs no work at the start.
package dialect

// A form is how the hooks of an agent differ.
type form struct {
	agent string
	names [][2]string // Claude Code's events and theirs, where they differ
	field string      // that takes what is injected, where an answer is not Claude Code's
	base  string      // what else such an answer has, as a JSON object
}

var forms = [...]form{
	{agent: "codex"},
	{agent: "droid"},
	{agent: "qwen"},
	{agent: "gemini", names: [][2]string{{"UserPromptSubmit", "BeforeAgent"}, {"Stop", "AfterAgent"}, {"PreCompact", "PreCompress"}}},
	{agent: "copilot", field: "additionalContext", base: "{}"},
	{
		agent: "cursor", names: [][2]string{{"SessionStart", "sessionStart"}, {"UserPromptSubmit", "beforeSubmitPrompt"}, {"Stop", "stop"}},
		field: "additional_context", base: `{"continue":true}`,
	},
	{agent: "opencode"}, // our plugin there sends what Claude Code would
}

// find returns the form of an agent, which is empty for Claude Code and unknown ones.
func find(agent string) (f form, ok bool) {
	for _, f := range forms {
		if f.agent == agent {
			return f, true
		}
	}
	return form{}, false
}

// Known reports whether the hooks of an agent can be understood.
func Known(agent string) bool {
	_, ok := find(agent)
	return ok
}

// Theirs returns what an agent calls an event of Claude Code's.
func Theirs(agent, event string) string {
	f, _ := find(agent)
	for _, n := range f.names {
		if n[0] == event {
			return n[1]
		}
	}
	return event
}

// Ours returns what Claude Code calls an event of an agent's.
func Ours(agent, event string) string {
	f, _ := find(agent)
	for _, n := range f.names {
		if n[1] == event {
			return n[0]
		}
	}
	return event
}

// Field returns the name of the field of an agent's answer that takes what is injected, and the rest
// of that answer; "" if the agent takes Claude Code's answer.
func Field(agent string) (field, base string) {
	f, _ := find(agent)
	return f.field, f.base
}
