package usage

import (
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// beforePrompt is how long before its prompt is written a hook may ask.
const beforePrompt = 2 * time.Second

// Assess records which of the memories injected into a session were used in a turn. A sub-agent works
// beside that turn, in a context of its own. part returns as much of a memory as a session was given: what else it
// says, Claude has from elsewhere.
func (u *Log) Assess(t claudecode.Turn, s *store.Store, x *index.Index, part func(session string, m memory.Memory) memory.Memory) {
	var injected []memory.Memory
	var lines []Injection
	for _, line := range u.Unused(t.Session, t.Sidechain) {
		if !isForTurn(line, t) {
			continue
		}
		m, err := s.Get(line.ID)
		known := err == nil
		if known {
			m = part(line.Session, m)
		} else if m, known = u.warningAs(line); !known {
			continue // forgotten since
		}
		injected, lines = append(injected, m), append(lines, line)
	}
	if len(injected) == 0 {
		return
	}
	common := commonWords{index: x, known: map[string]bool{}}
	var assessed []Injection
	for i, used := range usedIn(t, injected, common.has) {
		if used || lines[i].Used == nil {
			assessed = append(assessed, lines[i].Assessment(used, time.Now().UTC()))
		}
	}
	u.Append(assessed)
}

// isForTurn reports whether a turn may have made use of an injection. One at the start of a session is
// for every turn, any other for one.
func isForTurn(line Injection, t claudecode.Turn) bool {
	if t.At.IsZero() || line.Last.After(t.End) {
		return false
	}
	return line.Event == StartEvent || !line.Last.Before(t.At.Add(-beforePrompt))
}

// A word is common if more than one memory in a hundred has it.
const (
	commonShare = 100
	commonLeast = 3 // memories that may have a word in any case
)

// commonWords are those that are common among all memories, as far as they were asked for.
type commonWords struct {
	index *index.Index
	known map[string]bool
}

// has reports whether a word is common.
func (c commonWords) has(word string) bool {
	common, ok := c.known[word]
	if !ok {
		common = isCommon(c.index, word)
		c.known[word] = common
	}
	return common
}

// isCommon reports whether a word is common: it is as common as the rarest of its terms. A word that
// cannot be looked up counts as common, because it proves nothing.
func isCommon(x *index.Index, word string) bool {
	var terms []string
	for _, token := range index.Analyze(word) {
		terms = append(terms, token.Text)
	}
	frequencies, docs, err := x.Frequencies(terms)
	if err != nil || len(frequencies) == 0 {
		return true
	}
	for _, n := range frequencies {
		if n <= max(commonLeast, docs/commonShare) {
			return false
		}
	}
	return true
}
