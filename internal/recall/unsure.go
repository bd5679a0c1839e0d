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
func (t *retrieval) nameUnsure(b *block.Budget, res *Result) {
	told := func(c *candidate) bool { return c.outcome == api.OutcomeAlready }
	if t.share < 1 || t.scorer.q.Length < leastNamedTerms || slices.ContainsFunc(t.found, told) {
		return
	}
	cost, least := 0, t.req.Settings.Recall.HeadingFrom
	named := map[string]bool{}
	for _, c := range t.found {
		id, key := unsureKey(c.memory)
		session := &t.req.Session
		known := session.contains(c.memory) || session.hasHeading(c.memory) || session.Injected[id] == key ||
			alreadyInjected(session.Injected, c.memory.ID, c.memory.ContentKey())
		words := strings.ToLower(block.Named(c.memory))
		if c.unsure < least || known || named[words] || !block.NamesMatter(c.memory) {
			continue
		}
		entry := block.MayBear(c.memory, t.req.Project)
		cost += block.Tokens(entry)
		if len(res.Entries) == mostNamed || cost > mostNamedCost && len(res.Entries) > 0 {
			return
		}
		if !b.Spend(c.memory.Source, entry) {
			continue
		}
		if len(res.Entries) == 0 {
			least = min(least, alsoNamed*c.unsure)
		}
		c.outcome, named[words] = api.OutcomeUnsure, true
		res.Entries = append(res.Entries, entry)
		line := injectedOf(c, entry)
		line.Unsure = true
		res.Injected = append(res.Injected, line)
		res.Keys[id] = key
	}
}

// unsureKey returns what stands for a memory that was only named among what was injected: its text
// may still be injected where it surely bears on a prompt.
func unsureKey(m *memory.Memory) (id, key string) {
	id, key = headingKey(m)
	return id + "?", key
}
