package consolidate

import (
	"cmp"
	"slices"
	"time"

	"recollect/internal/memory"
)

// How alike two statements must be for one to repeat the other: so many words in common, and this share of
// those of the shorter one. With fewer words most are orders that people give again ("don't write code yet").
const (
	leastCommon = 4
	shareCommon = 0.7
)

// Repeated returns the candidates that stand because they were said again in another session, as they are to be. They are
// of one source, and so are the memories among which the other statement may be. Of two candidates that
// say the same the newer one stands.
func Repeated(candidates, memories []memory.Memory) []Change {
	var out []Change
	candidates = slices.DeleteFunc(slices.Clone(candidates), func(m memory.Memory) bool { return m.IsRefused() })
	others := byWord(append(slices.Clone(memories), candidates...))
	for _, m := range candidates {
		if again := others.repeating(&m); again != nil {
			now := confirmedBy(m, again.Turn)
			when := "again"
			if again.OccurredAt.Before(m.OccurredAt) {
				when = "before"
			}
			now.Stand("said " + when + " on " + again.OccurredAt.Format(time.DateOnly) + " in another session")
			out = append(out, Change{m, now})
		}
	}
	return out
}

// statements finds memories by their words.
type statements struct {
	all    []memory.Memory
	words  []map[string]bool
	byWord map[string][]int
}

func byWord(ms []memory.Memory) statements {
	s := statements{all: ms, byWord: map[string][]int{}}
	for i := range ms {
		words := contentOf(&ms[i])
		s.words = append(s.words, words)
		for w := range words {
			s.byWord[w] = append(s.byWord[w], i)
		}
	}
	return s
}

// contentOf returns the words of a statement that say something, cut to their stems.
func contentOf(m *memory.Memory) map[string]bool {
	out := map[string]bool{}
	text := m.Evidence
	if text == "" {
		text = m.Title
	}
	for _, w := range wordingOf(memory.Memory{Title: text}).words {
		if !silent[w] {
			out[w] = true
		}
	}
	return out
}

// repeating returns the newest statement of another session that repeats m or that m repeats, nil if there is none. A
// candidate counts only if it is older, so that of two one remains.
func (s *statements) repeating(m *memory.Memory) *memory.Memory {
	words := contentOf(m)
	common := map[int]int{}
	for w := range words {
		for _, i := range s.byWord[w] {
			common[i]++
		}
	}
	var found *memory.Memory
	for i, n := range common {
		o := &s.all[i]
		if !s.mayRepeat(o, m) || n < leastCommon || float64(n) < shareCommon*float64(min(len(words), len(s.words[i]))) {
			continue
		}
		if found == nil || isLater(o, found) {
			found = o
		}
	}
	return found
}

// isLater reports whether a was said after b; the id decides between what was said at once.
func isLater(a, b *memory.Memory) bool {
	return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), cmp.Compare(a.ID, b.ID)) > 0
}

// mayRepeat reports whether o and m were said in two sessions of one project.
func (s *statements) mayRepeat(o, m *memory.Memory) bool {
	elsewhere := o.Session != m.Session && o.Session != "" && o.Home() == m.Home()
	isOlder := !o.IsCandidate() || o.OccurredAt.Before(m.OccurredAt)
	return elsewhere && isOlder && contentOf(o)["not"] == contentOf(m)["not"]
}
