package block

import (
	"slices"
	"strings"

	"recollect/internal/memory"
)

// label returns the word in brackets for a memory. What a team shared has the word for its
// kind too.
func label(m *memory.Memory) string {
	if kind := tagged(m, memory.TagKind); m.Source == memory.Team && len(kind) > 0 {
		return m.Source.Label() + " " + Inline(kind[0])
	}
	return m.Source.Label()
}

// team returns who shared a memory, and what it names of which nothing is left.
func team(m *memory.Memory) []string {
	if m.Source != memory.Team {
		return nil
	}
	var facts []string
	if by := tagged(m, memory.TagBy); len(by) > 0 {
		facts = append(facts, "shared by "+Signature(by[0]))
	}
	gone := slices.DeleteFunc(tagged(m, memory.TagGone), func(name string) bool { return slices.Contains(m.Files, name) })
	if len(gone) > 0 { // of files, see changed
		for i := range gone {
			gone[i] = Name(gone[i])
		}
		facts = append(facts, strings.Join(gone, " and ")+" is gone")
	}
	return facts
}

// tagged returns what the tags of a memory say that begin with a prefix.
func tagged(m *memory.Memory, prefix string) []string {
	var out []string
	for _, tag := range m.Tags {
		if said, ok := strings.CutPrefix(tag, prefix); ok {
			out = append(out, said)
		}
	}
	return out
}
