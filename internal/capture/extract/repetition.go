package extract

import (
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
)

// A line may say the same words over and over, so that what is made of it is found by any prompt.
// No prose does: in so many words a fourth of them are different ones.
const (
	minRepeating  = 100 // words of a line
	repeatedShare = 4   // of so many words of prose at least one is new
	keptWords     = 8   // words that are read of such a line
)

// withoutRepetition returns a turn in which lines of replies and output that say the same words over
// and over are cut. The prompt stays as it is, because a long one is no wish.
func withoutRepetition(t claudecode.Turn) claudecode.Turn {
	t.Replies, t.Actions = slices.Clone(t.Replies), slices.Clone(t.Actions)
	for i := range t.Replies {
		t.Replies[i] = cutRepetition(t.Replies[i])
	}
	for i := range t.Actions {
		t.Actions[i].Output = cutRepetition(t.Actions[i].Output)
	}
	return t
}

// cutRepetition cuts the lines of a text that say the same words over and over.
func cutRepetition(text string) string {
	if len(text) < 2*minRepeating {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) < 2*minRepeating {
			continue
		}
		words, different := strings.Fields(strings.ToLower(line)), map[string]bool{}
		for _, word := range words {
			different[word] = true
		}
		if len(words) >= minRepeating && len(different)*repeatedShare < len(words) {
			lines[i] = strings.Join(strings.Fields(line)[:keptWords], " ") + " …"
		}
	}
	return strings.Join(lines, "\n")
}
