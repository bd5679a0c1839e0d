// Package dialect describes how the hooks of other coding agents differ from Claude Code's. They send the
// same fields, but may use another name for an event, or expect another form of answer.
//
// Every hook links this package, so it is a table that needs no work at start-up.
package dialect

// A form describes how the hooks of an agent differ.
type form struct {
	agent string
	names [][2]string // Claude Code's names of events and theirs, where they differ
	field string      // field for injected text, if the answer is not Claude Code's
	base  string      // the rest of such an answer, a JSON object
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

// find returns the form of an agent. It is empty for Claude Code and unknown agents.
func find(agent string) (f form, ok bool) {
	for _, f := range forms {
		if f.agent == agent {
			return f, true
		}
	}
	return form{}, false
}

// Known reports whether recollect understands the hooks of an agent.
func Known(agent string) bool {
	_, ok := find(agent)
	return ok
}

// Theirs returns an agent's name for an event of Claude Code.
func Theirs(agent, event string) string {
	f, _ := find(agent)
	for _, n := range f.names {
		if n[0] == event {
			return n[1]
		}
	}
	return event
}

// Ours returns Claude Code's name for an event of an agent.
func Ours(agent, event string) string {
	f, _ := find(agent)
	for _, n := range f.names {
		if n[1] == event {
			return n[0]
		}
	}
	return event
}

// Field returns the name of the field for injected text in an agent's answer, and the rest of that
// answer. It returns "" if the agent takes Claude Code's answer.
func Field(agent string) (field, base string) {
	f, _ := find(agent)
	return f.field, f.base
}
