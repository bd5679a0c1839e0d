package recall

import (
	"fmt"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/rankers"
)

// headingTokens is what the first line of an entry costs, about.
const headingTokens = 25

// rank puts the candidates in order: by score, those that a gate held back
// after the rest.
func rank(found []*candidate, q query, req Request) {
	byID := make(map[string]*candidate, len(found))
	in := make([]rankers.Candidate, len(found))
	for i, c := range found {
		home := c.memory.Home()
		source := req.Settings.Sources.Of(c.memory.Source)
		c.tokens = headingTokens + tokens(body(&c.memory))
		byID[c.memory.ID] = c
		in[i] = rankers.Candidate{
			ID:        c.memory.ID,
			Relevance: c.relevance,
			Weight:    source.Weight,
			Age:       req.age(&c.memory),
			Uses:      req.uses(c.memory.ID),
			Tokens:    c.tokens,

			HalfLife:   time.Duration(source.HalfLife),
			Importance: c.memory.Importance,
			Home:       home.Zero() || home.Same(req.Project),
			Latest:     q.latest,
		}
	}
	for i, r := range rankers.Rank(req.Settings.Rank.Ranker(), in) {
		found[i] = byID[r.ID]
		found[i].score = r.Score
		if found[i].outcome == "" && r.Score.Value < req.Settings.Rank.Threshold {
			found[i].outcome = fmt.Sprintf("score below %v", req.Settings.Rank.Threshold)
		}
	}
	slices.SortStableFunc(found, func(a, b *candidate) int {
		return heldBack(a) - heldBack(b)
	})
}

func heldBack(c *candidate) int {
	if c.outcome == "" {
		return 0
	}
	return 1
}

// age is how long ago m happened. What nobody dated counts as new: it was
// written by hand.
func (req *Request) age(m *memory.Memory) time.Duration {
	if m.When().IsZero() {
		return 0
	}
	return req.Now.Sub(m.When())
}

func (req *Request) uses(id string) int {
	if req.Uses == nil {
		return 0
	}
	return req.Uses(id)
}

// What became of candidates that passed the gates.
const (
	toldWhole = "told"
	toldShort = "told in short"
	noRoom    = "no room in the budget"
)

// fit tells the candidates in order while the budget lasts: whole, else in
// short, else not.
func (t *retrieval) fit(res *Result) {
	found, req := t.found, t.req
	items := req.Settings.Budget.Items
	p := newPurse(&req.Settings.Config, req.Settings.Budget.Tokens, items)
	var entries []string
	res.Keys = map[string]string{}
	first := map[string]string{} // the best memory with some words, by content key
	for _, c := range found {
		if c.outcome == "" || c.outcome == samePrompt {
			res.Passed = append(res.Passed, c.id)
		}
		if c.outcome != "" {
			continue
		}
		key := c.memory.ContentKey()
		if first[key] != "" {
			c.outcome = "says the same as " + first[key]
			continue
		}
		if twin := t.twin(c, res.Bites); twin != "" {
			c.outcome = "says nearly what " + twin + " says"
			continue
		}
		first[key] = c.memory.ID
		entry := pick(&p, c, req)
		if entry == "" {
			res.Left++
			continue
		}
		entries = append(entries, entry)
		res.Bites = append(res.Bites, bite(c, entry))
		res.Keys[c.memory.ID] = key
	}
	res.Context = frame(entries)
	res.Explanation.Context = res.Context
	res.Explanation.Tokens = tokens(res.Context)
}

// twin returns the memory among bites that says nearly what c says, or "".
// Their cosine is above recall.duplicates, of which 1 means never.
func (t *retrieval) twin(c *candidate, bites []api.Bite) string {
	limit := t.req.Settings.Recall.Duplicates
	if t.meaning.from == nil || len(bites) == 0 || limit >= 1 {
		return ""
	}
	ids := make([]string, len(bites))
	for i, b := range bites {
		ids[i] = b.ID
	}
	for i, cos := range t.meaning.from.File.Similarities(c.id, ids) {
		if cos > limit {
			return ids[i]
		}
	}
	return ""
}

// reserve moves the best candidates that only the vectors found up into the
// last of the places that are told, as many as recall.semantic_slots says:
// words that happen to agree are many, and would crowd out all of them.
func (t *retrieval) reserve() {
	items := t.req.Settings.Budget.Items
	slots := min(t.req.Settings.Recall.SemanticSlots, items)
	if t.req.Leg != "" || slots == 0 || len(t.found) <= items {
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

// semantic reports whether only the vectors found c.
func (c *candidate) semantic() bool { return c.vectorRank > 0 && c.lexicalRank == 0 }

// pick pays for the longest form of c that fits and returns it.
func pick(p *purse, c *candidate, req Request) string {
	if entry := whole(&c.memory, req.Project); !req.Short && p.pay(c.memory.Source, entry) {
		c.outcome = toldWhole
		return entry
	}
	if entry := short(&c.memory, req.Project); p.pay(c.memory.Source, entry) {
		c.outcome = toldShort
		return entry
	}
	c.outcome = noRoom
	return ""
}

func bite(c *candidate, entry string) api.Bite {
	return api.Bite{
		ID:         c.memory.ID,
		Source:     c.memory.Source,
		Bite:       entry,
		Importance: c.memory.Importance,
		Score:      c.score.Value,
		Tokens:     tokens(entry),
	}
}
