package recall

import (
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

// What may bear on a prompt, but not surely, is named in a line each: it costs little where it is
// wrong, and Claude can read the rest where it is right.
const (
	mostNamed     = 3
	mostNamedCost = 80 // tokens
	// alsoNamed is the share of the best one's relevance that others need. Where a prompt says it in
	// other words, the right memory is often the second or third.
	alsoNamed = 0.4
	// leastNamedTerms is how many terms a prompt has at least: some memory has half of "git status"
	// by chance.
	leastNamedTerms = 3
)

// nameUnsure injects the headings of what may bear on the prompt, the best first, the same words
// once: a decision stands in its session's handoff too. Where what surely
// does is in the context already, nothing less sure is named.
func (t *injection) nameUnsure() {
	if t.share < 1 || t.Length < leastNamedTerms || slices.ContainsFunc(t.ranked, isAlreadyInjected) {
		return
	}
	cost, least := 0, t.req.Settings.Recall.HeadingFrom
	named := map[string]bool{}
	for _, c := range t.ranked {
		words := strings.ToLower(block.Named(c.memory))
		if c.named < least || named[words] || !t.mayName(c.memory) {
			continue
		}
		entry := block.MayBear(c.memory, t.req.Project)
		cost += block.Tokens(entry)
		if len(t.res.Entries) == mostNamed || cost > mostNamedCost && len(t.res.Entries) > 0 {
			return
		}
		if !t.budget.Spend(c.memory.Source, entry) {
			continue
		}
		if len(t.res.Entries) == 0 {
			least = min(least, alsoNamed*c.named)
		}
		named[words] = true
		t.res.addNamed(c, entry)
	}
}

func isAlreadyInjected(c *candidate) bool { return c.outcome == api.OutcomeAlready }

// mayName reports whether the name of a memory says something that is not in the session's context.
func (t *injection) mayName(m *memory.Memory) bool {
	session := &t.req.Session
	if session.contains(m) || session.hasHeading(m) || alreadyInjected(session.Injected, m.ID, m.ContentKey()) {
		return false
	}
	id, key := unsureKey(m)
	return session.Injected[id] != key && block.NamesMatter(m)
}

// addNamed records that a memory was named.
func (res *Result) addNamed(c *candidate, entry string) {
	c.outcome = api.OutcomeUnsure
	res.Entries = append(res.Entries, entry)
	line := injectedOf(c, entry)
	line.Unsure = true
	res.Injected = append(res.Injected, line)
	id, key := unsureKey(c.memory)
	res.Keys[id] = key
}

// unsureKey returns what stands for a memory that was only named among what was injected: its text
// may still be injected where it surely bears on a prompt.
func unsureKey(m *memory.Memory) (id, key string) {
	id, key = headingKey(m)
	return id + "?", key
}
