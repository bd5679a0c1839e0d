package recall

import (
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

// noRoom is the outcome of a candidate that only the budget held back.
const noRoom = "no room in the budget"

// fit injects the candidates in order while the budget lasts: whole, or as a heading, or
// not at all.
func (t *retrieval) fit(res *Result) {
	b := budget(&t.req, t.req.Settings.Budget.Items, t.req.Settings.Budget.Tokens)
	res.Keys = map[string]string{}
	first := map[string]string{} // the best memory with some words, by content key
	for _, c := range t.found {
		if c.outcome != "" {
			continue
		}
		key := c.memory.ContentKey()
		if first[key] != "" {
			c.outcome = "says the same as " + first[key]
			continue
		}
		if similar := t.duplicate(c, res.Injected); similar != "" {
			c.outcome = "says nearly what " + similar + " says"
			continue
		}
		if c.outcome = t.yields(c, res.Injected); c.outcome != "" {
			continue
		}
		first[key] = c.memory.ID
		t.fitOne(c, &b, res)
	}
	if len(res.Entries) == 0 {
		t.nameUnsure(&b, res)
	}
	res.Context = block.Frame(res.Entries)
	res.Explanation.Context = res.Context
	res.Explanation.Tokens = block.Tokens(res.Context)
}

// fitOne injects one candidate, or the brief of its session, if there is room.
func (t *retrieval) fitOne(c *candidate, b *block.Budget, res *Result) {
	if _, ok := t.briefs[c.memory.Session]; ok && partOfBrief(c.memory) && !t.req.HeadingsOnly {
		t.fitBrief(b, c.memory.Session, t.ofSession(c.memory.Session), res)
		return
	}
	text := pick(b, c, t.req)
	if text == "" {
		res.Left++
		return
	}
	res.add(c, text)
}

// ofSession returns the candidates that the brief of a session stands for, the best first.
func (t *retrieval) ofSession(session string) []*candidate {
	var group []*candidate
	for _, c := range t.found {
		if c.outcome == "" && c.memory.Session == session && partOfBrief(c.memory) {
			group = append(group, c)
		}
	}
	return group
}

// duplicate returns the injected memory that is a near duplicate of c, or "": their cosine
// is above recall.duplicates, where 1 means never.
func (t *retrieval) duplicate(c *candidate, injected []api.Injected) string {
	limit := t.req.Settings.Recall.Duplicates
	if t.meaning.from == nil || len(injected) == 0 || limit >= 1 {
		return ""
	}
	ids := make([]string, len(injected))
	for i, b := range injected {
		ids[i] = b.ID
	}
	for i, cos := range t.meaning.from.File.Similarities(c.id, ids) {
		if cos > limit {
			return ids[i]
		}
	}
	return ""
}

// reserve moves up to recall.semantic_slots candidates that only the vectors found, the
// best, into the last places that are injected: otherwise the many memories that share a
// word by chance would crowd out all of them.
func (t *retrieval) reserve() {
	items := t.req.Settings.Budget.Items
	slots := min(t.req.Settings.Recall.SemanticSlots, items)
	if t.req.Retriever != "" || slots == 0 || len(t.found) <= items {
		return
	}
	var semantic []*candidate
	for _, c := range t.found[items:] {
		if c.semantic() && c.outcome == "" {
			semantic = append(semantic, c)
		}
	}
	for _, c := range t.found[:items] {
		if c.semantic() {
			slots--
		}
	}
	for i := range min(slots, len(semantic)) {
		at := items - 1 - i
		from := slices.Index(t.found, semantic[i])
		copy(t.found[at+1:from+1], t.found[at:from])
		t.found[at] = semantic[i]
	}
}

// pick returns the longest form of c that fits the budget and says something, and spends
// its cost.
func pick(b *block.Budget, c *candidate, req Request) string {
	if entry := block.Whole(c.memory, req.Project); !req.HeadingsOnly && b.Spend(c.memory.Source, entry) {
		c.outcome = api.OutcomeInjected
		return entry
	}
	if entry := block.Heading(c.memory, req.Project); block.TellsAlone(c.memory) && b.Spend(c.memory.Source, entry) {
		c.outcome = api.OutcomeHeading
		return entry
	}
	c.outcome = noRoom
	return ""
}

func injectedOf(c *candidate, entry string) api.Injected {
	return api.Injected{
		ID:         c.memory.ID,
		Source:     c.memory.Source,
		Text:       entry,
		Importance: c.memory.Importance,
		Score:      c.score.Value,
		Tokens:     block.Tokens(entry),
	}
}

// budget returns what a block of so many entries and tokens may hold.
func budget(req *Request, entries, tokens int) block.Budget {
	sources := make(map[memory.Source]int, len(memory.Sources))
	for _, src := range memory.Sources {
		sources[src] = req.Settings.Sources.Of(src).Tokens
	}
	return block.NewBudget(entries, tokens, sources)
}
