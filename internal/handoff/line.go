package handoff

import (
	"slices"
	"strings"

	"recollect/internal/memory"
)

// InLine returns those handoffs of a project, the newest first, that have to
// say something else of which ones they replace: the newest all others, the
// others none. What they replace besides handoffs stays.
func InLine(line []memory.Memory) []memory.Memory {
	slices.SortFunc(line, func(a, b memory.Memory) int {
		if order := b.When().Compare(a.When()); order != 0 {
			return order
		}
		return strings.Compare(a.ID, b.ID)
	})
	var older []string
	for i := len(line) - 1; i > 0; i-- {
		older = append(older, line[i].ID)
	}
	var changed []memory.Memory
	for i, m := range line {
		replaces := slices.DeleteFunc(slices.Clone(m.Supersedes), func(id string) bool {
			return strings.HasPrefix(id, memory.Handoffs.Prefix())
		})
		if i == 0 {
			replaces = append(replaces, older...)
		}
		if !slices.Equal(replaces, m.Supersedes) {
			m.Supersedes = replaces
			changed = append(changed, m)
		}
	}
	return changed
}
