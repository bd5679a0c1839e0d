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
func rank(found []*candidate, req Request) {
	byID := make(map[string]*candidate, len(found))
	in := make([]rankers.Candidate, len(found))
	for i, c := range found {
		c.tokens = headingTokens + tokens(body(&c.memory))
		byID[c.memory.ID] = c
		in[i] = rankers.Candidate{
			ID:        c.memory.ID,
			Relevance: c.relevance,
			Weight:    req.Settings.Sources.Of(c.memory.Source).Weight,
			Age:       req.age(&c.memory),
			Uses:      req.uses(c.memory.ID),
			Tokens:    c.tokens,
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
func fit(res *Result, found []*candidate, req Request) {
	items := req.Settings.Budget.Items
	p := newPurse(&req.Settings.Config, req.Settings.Budget.Tokens, items)
	var entries []string
	res.Keys = map[string]string{}
	first := map[string]string{} // the best memory with some words, by content key
	for _, c := range found {
		if c.outcome != "" {
			continue
		}
		key := c.memory.ContentKey()
		if first[key] != "" {
			c.outcome = "says the same as " + first[key]
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

// pick pays for the longest form of c that fits and returns it.
func pick(p *purse, c *candidate, req Request) string {
	if entry := whole(&c.memory, req.Project); p.pay(c.memory.Source, entry) {
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
	}
}
