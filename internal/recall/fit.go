package recall

import (
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/request"
	"recollect/internal/recall/sessions"
	"recollect/internal/text/consolidate"
)

// An injection fills the block of one prompt.
type injection struct {
	*chosen
	texts    *sessions.Texts
	verdicts *consolidate.Verdicts
	budget   block.Budget
	res      *request.Result
	fitted   map[string]bool // sessions of which the brief was fitted
}

// injectChosen adds to res what was chosen, in order, while the budget lasts: whole, or as a heading, or
// not at all.
func (r *Recall) injectChosen(t *chosen, res *request.Result) {
	settings := t.req.Settings.Budget
	n := injection{
		chosen: t, texts: &r.texts, verdicts: &r.verdicts,
		budget: request.NewBudget(t.req, settings.Items, settings.Tokens), res: res, fitted: map[string]bool{},
	}
	n.fillBlock()
	if len(res.Entries) == 0 {
		n.nameUnsure()
	}
	res.Context = block.Frame(res.Entries)
	res.Explanation.Context = res.Context
	res.Explanation.Tokens = block.Tokens(res.Context)
}

// fillBlock injects the candidates that nothing holds back and that say something new.
func (t *injection) fillBlock() {
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
	var text string
	if text, c.outcome = request.FitForm(&t.budget, c.memory, t.req); text == "" {
		t.res.Left++
		return
	}
	t.res.Add(c.memory, c.score.Value, text, c.outcome)
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

// duplicateCosine is the cosine above which two memories say nearly the same. It is high, because to hold back
// what says something else, such as the next decision on a subject, costs more than to inject one thing twice.
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

// mayInject reports whether a memory may be injected as part of its session, by which the prompt found
// another.
func (t *injection) mayInject(m *memory.Memory) bool {
	if !t.req.Settings.Sources.Of(m.Source).Enabled {
		return false
	}
	c := t.byID[m.ID]
	return !t.req.IsRaised(m.Source) || c != nil && c.relevance >= t.req.Least(m.Source)
}

// What may matter to a prompt, but not surely, is named in a line each: it costs little where it is
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

// nameUnsure injects the headings of what may matter to the prompt, the best first, the same words
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
		c.outcome = api.OutcomeUnsure
		t.res.AddNamed(c.memory, c.score.Value, entry)
	}
}

func isAlreadyInjected(c *candidate) bool { return c.outcome == api.OutcomeAlready }

// mayName reports whether the name of a memory says something that is not in the session's context.
func (t *injection) mayName(m *memory.Memory) bool {
	session := &t.req.Session
	if session.Contains(m) || session.HasHeading(m) || request.IsInjected(session.Injected, m.ID, m.ContentKey()) {
		return false
	}
	id, key := request.NamedKey(m)
	return session.Injected[id] != key && block.NamesMatter(m)
}
