package recall

import (
	"fmt"
	"slices"
	"time"

	"recollect/internal/recall/block"
	"recollect/rankers"
)

// rankCandidates sorts candidates by score, those that a gate held back after the rest.
func rankCandidates(found []*candidate, q *query) {
	req := q.req
	byID := make(map[string]*candidate, len(found))
	in := make([]rankers.Candidate, len(found))
	for i, c := range found {
		project := c.memory.Home()
		source := req.Settings.Sources.Of(c.memory.Source)
		c.tokens = block.WholeTokens(c.memory)
		byID[c.memory.ID] = c
		in[i] = rankers.Candidate{
			ID:        c.memory.ID,
			Relevance: c.relevance,
			Weight:    source.Weight,
			Age:       req.ageOf(c.memory),
			Uses:      req.usesOf(c.memory.ID),
			Tokens:    c.tokens,

			HalfLife:    time.Duration(source.HalfLife),
			Importance:  c.memory.Importance,
			SameProject: project.Zero() || req.applies(c.memory),
			Latest:      q.Latest,
		}
	}
	for i, r := range rankers.Rank(req.Settings.Rank.Ranker(), in) {
		found[i] = byID[r.ID]
		found[i].rank, found[i].score = i+1, r.Score
		if found[i].outcome == "" && r.Score.Value < req.Settings.Rank.Threshold {
			found[i].outcome = fmt.Sprintf("score below %v", req.Settings.Rank.Threshold)
		}
	}
	holdLast(found)
}

// holdLast moves what a gate held back behind the rest.
func holdLast(found []*candidate) {
	slices.SortStableFunc(found, func(a, b *candidate) int {
		return boolOrder(a.outcome != "", b.outcome != "")
	})
}
