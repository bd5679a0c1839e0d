package engine

import (
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/engine/usage"
	"recollect/internal/engine/usefulness"
	"recollect/internal/index"
	"recollect/internal/memory"
)

// beforePrompt is how long before its prompt is written a hook may ask.
const beforePrompt = 2 * time.Second

// recordUse records which of the memories injected into a session were used in a turn.
// A sub-agent works beside that turn, in a context of its own.
func (e *Engine) recordUse(t claudecode.Turn) {
	var injected []memory.Memory
	var lines []usage.Injection
	for _, line := range e.usage.Unused(t.Session, t.Sidechain) {
		if !mayServe(line, t) {
			continue
		}
		m, err := e.Store.Get(line.ID)
		if err != nil {
			continue // forgotten since
		}
		injected, lines = append(injected, m), append(lines, line)
	}
	if len(injected) == 0 {
		return
	}
	var assessed []usage.Injection
	for i, used := range usefulness.Used(t, injected, e.commonWords()) {
		if used || lines[i].Used == nil {
			assessed = append(assessed, lines[i].Assessment(used, time.Now().UTC()))
		}
	}
	e.usage.Append(assessed)
}

// mayServe reports whether a turn may have made use of an injection. One at the start
// of a session serves every turn, any other serves one.
func mayServe(line usage.Injection, t claudecode.Turn) bool {
	if t.At.IsZero() || line.Last.After(t.End) {
		return false
	}
	return line.Event == usage.StartEvent || !line.Last.Before(t.At.Add(-beforePrompt))
}

// A word is common if more than one memory in a hundred has it.
const (
	commonShare = 100
	commonLeast = 3 // memories that may have a word in any case
)

// commonWords returns a function that reports whether a word is common among all
// memories. A word that cannot be looked up counts as common, because it proves nothing.
func (e *Engine) commonWords() func(string) bool {
	known := map[string]bool{}
	return func(word string) bool {
		common, ok := known[word]
		if !ok {
			common = e.commonWord(word)
			known[word] = common
		}
		return common
	}
}

// commonWord reports whether a word is common: it is as common as the rarest of its terms.
func (e *Engine) commonWord(word string) bool {
	var terms []string
	for _, token := range index.Analyze(word) {
		terms = append(terms, token.Text)
	}
	df, docs, err := e.index.Frequencies(terms)
	if err != nil || len(df) == 0 {
		return true
	}
	for _, n := range df {
		if n <= max(commonLeast, docs/commonShare) {
			return false
		}
	}
	return true
}
