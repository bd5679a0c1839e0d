package extract

import (
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
)

// A line may say the same words over and over, so that what is made of it is found by any prompt.
// No prose does: in so many words a fourth of them are different ones.
const (
	leastStuffed = 100 // words of a line
	differing    = 4   // of so many words of prose at least one is new
	fromStuffed  = 8   // words that are read of such a line
)

// withoutStuffing returns a turn in which lines of replies and output that say the same words over
// and over are cut. The prompt stays as it is, because a long one is no wish.
func withoutStuffing(t claudecode.Turn) claudecode.Turn {
	t.Replies, t.Actions = slices.Clone(t.Replies), slices.Clone(t.Actions)
	for i := range t.Replies {
		t.Replies[i] = unstuffed(t.Replies[i])
	}
	for i := range t.Actions {
		t.Actions[i].Output = unstuffed(t.Actions[i].Output)
	}
	return t
}

// unstuffed cuts the lines of a text that say the same words over and over.
func unstuffed(text string) string {
	if len(text) < 2*leastStuffed {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) < 2*leastStuffed {
			continue
		}
		words, different := strings.Fields(strings.ToLower(line)), map[string]bool{}
		for _, word := range words {
			different[word] = true
		}
		if len(words) >= leastStuffed && len(different)*differing < len(words) {
			lines[i] = strings.Join(strings.Fields(line)[:fromStuffed], " ") + " …"
		}
	}
	return strings.Join(lines, "\n")
}
