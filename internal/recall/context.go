package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"recollect/internal/index"
)

// bestTurns is how many of the best turns are seen in their context.
const bestTurns = 32

// nearness is how much of its neighbours' strength a turn takes over, by
// distance.
var nearness = []float64{1, 0.5}

// inContext sets the features that turns gain from the session that they
// stand in: an answer often lacks the words of the question before it. The
// neighbours of the best turns become candidates too, with whatever they have.
func (r *Recall) inContext(ctx context.Context, t *retrieval, search index.Query) error {
	best := t.bestTurns()
	if len(best) == 0 {
		return nil
	}
	sessions := make([]string, len(best))
	for i, c := range best {
		sessions[i] = c.memory.Session
	}
	turns, err := r.Index.Turns(ctx, sessions)
	if err != nil {
		return fmt.Errorf("read sessions: %w", err)
	}
	if err := r.addNeighbours(ctx, t, search, best, turns); err != nil {
		return err
	}
	for _, ids := range turns {
		t.inSession(ids)
	}
	return nil
}

// bestTurns returns the most relevant turns among the candidates so far.
func (t *retrieval) bestTurns() []*candidate {
	var turns []*candidate
	for _, c := range t.found {
		if c.memory.IsTurn() {
			c.relevance = t.modelOf(c).logit(&c.features)
			turns = append(turns, c)
		}
	}
	slices.SortStableFunc(turns, func(a, b *candidate) int { return cmp.Compare(b.relevance, a.relevance) })
	return turns[:min(bestTurns, len(turns))]
}

// addNeighbours makes candidates of the turns near to the best that are none.
func (r *Recall) addNeighbours(ctx context.Context, t *retrieval, search index.Query, best []*candidate, turns map[string][]string) error {
	search.Also = nil
	var added []*candidate
	for _, c := range best {
		ids := turns[c.memory.Session]
		at := slices.Index(ids, c.id)
		if at < 0 {
			continue // indexed since
		}
		for _, id := range ids[max(0, at-len(nearness)):min(len(ids), at+len(nearness)+1)] {
			if t.byID[id] == nil {
				added = append(added, t.newCandidate(id))
				search.Also = append(search.Also, id)
			}
		}
	}
	if len(added) == 0 {
		return nil
	}
	hits, err := r.Index.Search(ctx, search, 0)
	if err != nil {
		return fmt.Errorf("search index: %w", err)
	}
	for _, h := range hits {
		t.judge.words(t.byID[h.ID], h)
	}
	t.compare(added)
	t.found = append(t.found, r.load(t, added)...)
	return nil
}

// inSession sets the features of the turns of one session, of which ids are
// all, in their order.
func (t *retrieval) inSession(ids []string) {
	j := &t.judge
	turns := make([]*candidate, len(ids)) // nil where it is no candidate
	all := make([]float64, len(j.q.clauses))
	for at, id := range ids {
		c := t.byID[id]
		if c == nil {
			continue
		}
		turns[at] = c
		for i, value := range c.met {
			all[i] = max(all[i], value)
		}
	}
	for at, c := range turns {
		if c == nil {
			continue
		}
		lacking := 0.0
		for i, value := range all {
			lacking += (value - c.met[i]) * j.q.clauses[i].worth()
		}
		c.features[featSession] = ratio(lacking, j.total)
		c.features[featNeighbour] = min(1, strengthAround(turns, at))
	}
}

// strengthAround adds up the strength of the neighbours of turns[at].
func strengthAround(turns []*candidate, at int) float64 {
	sum := 0.0
	for i, share := range nearness {
		for _, k := range []int{at - 1 - i, at + 1 + i} {
			if k >= 0 && k < len(turns) && turns[k] != nil {
				sum += share * turns[k].features[featStrength]
			}
		}
	}
	return sum
}
