// Package usage records how useful memories are: what was injected into each session
// and whether Claude made use of it (Log), and how often and how fast the daemon was
// asked (Tally). Whether a memory was used is found out by which of its words appear in
// what Claude did afterwards.
package usage

// The events of Claude Code at which memories are asked for, as they are
// counted.
const (
	PromptEvent = "UserPromptSubmit"
	StartEvent  = "SessionStart"
	ToolEvent   = "PreToolUse"
	AgentEvent  = "SubagentStart"
)
