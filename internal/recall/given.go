package recall

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/recall/request"
	"recollect/internal/recall/statement"
)

// PartGiven returns as much of a memory as was injected, by the keys of what was: the statements of it that were, or
// all of it. Of a failure the command that fixes it counts, which its statement may not have.
func PartGiven(injected map[string]string, m memory.Memory) memory.Memory {
	if injected[m.ID] != "" || m.Source == memory.Failures {
		return m
	}
	given := request.Session{Injected: injected}
	var said []string
	for _, s := range statement.Of(&m) {
		if given.HasText(&m, s.Text) {
			said = append(said, s.Text)
		}
	}
	if len(said) > 0 {
		m.Title, m.Text, m.Fields = strings.Join(said, "\n"), "", nil
	}
	return m
}
