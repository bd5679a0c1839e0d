package recall

import (
	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/text/consolidate"
)

// noRoom is the outcome of a candidate that only the budget held back.
const noRoom = "no room in the budget"

// An injection fills the block of one prompt.
type injection struct {
	*chosen
	texts    *texts
	verdicts *consolidate.Verdicts
	budget   block.Budget
	res      *Result
	fitted   map[string]bool // sessions of which the brief was fitted
}

// injectChosen adds to res what was chosen, in order, while the budget lasts: whole, or as a heading, or
// not at all.
func (r *Recall) injectChosen(t *chosen, res *Result) {
	settings := t.req.Settings.Budget
	n := injection{
		chosen: t, texts: &r.texts, verdicts: &r.verdicts,
		budget: newBudget(t.req, settings.Items, settings.Tokens), res: res, fitted: map[string]bool{},
	}
	n.fill()
	if len(res.Entries) == 0 {
		n.nameUnsure()
	}
	res.Context = block.Frame(res.Entries)
	res.Explanation.Context = res.Context
	res.Explanation.Tokens = block.Tokens(res.Context)
}

// fill injects the candidates that nothing holds back and that say something new.
func (t *injection) fill() {
	first := map[string]string{} // the best memory with some words, by content key
	for _, c := range t.ranked {
		if c.outcome != "" {
			continue
		}
		key := c.memory.ContentKey()
		if c.outcome = t.reasonAgainstBeside(c, first[key]); c.outcome != "" {
			continue
		}
		first[key] = c.memory.ID
		t.fitOne(c)
	}
}

// reasonAgainstBeside returns why a candidate is held back beside what was injected; "" if it is not. same is
// the memory with the same words.
func (t *injection) reasonAgainstBeside(c *candidate, same string) string {
	if same != "" {
		return "says the same as " + same
	}
	if similar := t.duplicateOf(c, t.res.Injected); similar != "" {
		return "says nearly what " + similar + " says"
	}
	return t.reasonToYield(c)
}

// fitOne injects one candidate, or the brief of its session, if there is room.
func (t *injection) fitOne(c *candidate) {
	if _, ok := t.briefs[c.memory.Session]; ok && isPartOfBrief(c.memory) && !t.req.HeadingsOnly {
		t.fitBrief(c.memory.Session, t.ofSession(c.memory.Session))
		return
	}
	text := fitForm(&t.budget, c, t.req)
	if text == "" {
		t.res.Left++
		return
	}
	t.res.add(c, text)
}

// ofSession returns the candidates that the brief of a session stands for, the best first.
func (t *injection) ofSession(session string) []*candidate {
	var group []*candidate
	for _, c := range t.ranked {
		if c.outcome == "" && c.memory.Session == session && isPartOfBrief(c.memory) {
			group = append(group, c)
		}
	}
	return group
}

// duplicateCosine is the cosine above which two memories say nearly the same: the same sentence, but for a
// word or its order. Two decisions on one subject, or two errors that differ in their number, are further apart.
const duplicateCosine = 0.95

// duplicateOf returns the injected memory that is a near duplicate of c, or "": their cosine
// is above duplicateCosine.
func (t *injection) duplicateOf(c *candidate, injected []api.Injected) string {
	if t.meaning.from == nil || len(injected) == 0 {
		return ""
	}
	ids := make([]string, len(injected))
	for i, b := range injected {
		ids[i] = b.ID
	}
	for i, cos := range t.meaning.from.File.Similarities(c.id, ids) {
		if cos > duplicateCosine {
			return ids[i]
		}
	}
	return ""
}

// fitForm returns the longest form of c that fits the budget and says something, and spends
// its cost.
func fitForm(b *block.Budget, c *candidate, req *Request) string {
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

// newBudget returns what a block of so many entries and tokens may hold.
func newBudget(req *Request, entries, tokens int) block.Budget {
	sources := make(map[memory.Source]int, len(memory.Sources))
	for _, src := range memory.Sources {
		sources[src] = req.Settings.Sources.Of(src).Tokens
	}
	return block.NewBudget(entries, tokens, sources)
}
