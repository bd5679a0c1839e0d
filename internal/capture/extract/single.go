package extract

import (
	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// ReadSource returns the source of what the user stores on purpose, and what it applies to: a single sentence that
// the rules take for a standing wish is a preference, one that they take for a decision is one, and all else stays in
// the inbox.
func ReadSource(text string) (src memory.Source, appliesTo string) {
	s := NewTurn(claudecode.Turn{Prompt: text}, memory.Project{}, nil)
	if len(s.statements) != 1 {
		return memory.Inbox, ""
	}
	if wished := wishes(s, false); len(wished) == 1 {
		return memory.Preferences, wished[0].AppliesTo
	}
	if len(decidedByUser(s)) == 1 {
		return memory.Journal, ""
	}
	return memory.Inbox, ""
}
