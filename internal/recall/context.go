package recall

import (
	"context"
	"slices"

	"recollect/internal/recall/relevance"
	"recollect/internal/recall/request"
)

const (
	// bestTurns is how many of the best turns are scored with their context.
	bestTurns = 32

	// More is read of the best sessions: the work on a task is described in many
	// turns, most of which do not name it.
	bestSessions = 3
	sessionReach = 16 // turns before and after the session's best
)

// nearness is how much of its neighbours' strength a turn takes over, by
// distance.
var nearness = []float64{1, 0.5}

// scoreInContext sets the features that turns gain from their session: an answer often lacks
// the words of the question before it. The neighbours of the best turns, whatever words they have, are
// candidates too; it returns them behind the scored ones, which come in order.
func (r *Recall) scoreInContext(ctx context.Context, t *candidates, scored []*candidate) ([]*candidate, error) {
	best := turnsOf(scored)
	if len(best) == 0 || t.req.Retriever == request.Vector { // the vectors alone use no sessions
		return scored, nil
	}
	for _, c := range best { // those beyond the best are not scored with their context
		c.SetOthers(1)
	}
	best = best[:min(bestTurns, len(best))]
	sessions := make([]string, len(best))
	for i, c := range best {
		sessions[i] = c.made.Session
	}
	turns := r.Store.Turns(sessions)
	near, err := r.findNeighbours(ctx, t, best, turns)
	if err != nil {
		return nil, err
	}
	scored = t.scoreAlone(scored, near)
	for _, session := range turns {
		t.setSession(session)
	}
	return scored, nil
}

// turnsOf returns the turns among candidates.
func turnsOf(found []*candidate) []*candidate {
	return slices.DeleteFunc(slices.Clone(found), func(c *candidate) bool { return c.made.Session == "" })
}

// findNeighbours makes the turns near the best ones candidates, and returns these with those candidates
// among them that were not relevant enough by themselves.
func (r *Recall) findNeighbours(ctx context.Context, t *candidates, best []*candidate, turns map[string][][]string) ([]*candidate, error) {
	near, added := t.addNear(best, turns)
	if len(added) > 0 {
		hits, err := r.measureWords(ctx, t, added)
		if err != nil {
			return nil, err
		}
		found := make(map[string]bool, len(hits))
		for _, h := range hits {
			c := t.byID[h.ID]
			t.scorer.SetWords(&c.Evidence, h)
			near = append(near, c)
			found[h.ID] = true
		}
		for _, id := range added {
			if !found[id] { // the filter holds it back
				delete(t.byID, id)
			}
		}
	}
	near = slices.DeleteFunc(near, func(c *candidate) bool { return !r.locate(c) })
	t.compareMeaning(near)
	return near, nil
}

// addNear lists the turns around the best ones: the candidates that were not read, and the
// ids of those that it makes candidates.
func (t *candidates) addNear(best []*candidate, turns map[string][][]string) (found []*candidate, added []string) {
	seen := map[string]bool{}  // sessions
	known := map[string]bool{} // turns
	for _, c := range best {
		reach := len(nearness)
		if !seen[c.made.Session] && len(seen) < bestSessions {
			reach = sessionReach
		}
		seen[c.made.Session] = true
		for _, id := range turnsAround(turns[c.made.Session], c.id, reach) {
			turn := t.byID[id]
			switch {
			case known[id] || turn != nil && turn.considered:
			case turn != nil:
				found = append(found, turn)
			default:
				t.addCandidate(id)
				added = append(added, id)
			}
			known[id] = true
		}
	}
	return found, added
}

// turnsAround returns the memories of the turns at most reach away from that of id.
func turnsAround(turns [][]string, id string, reach int) []string {
	at := slices.IndexFunc(turns, func(ids []string) bool { return slices.Contains(ids, id) })
	if at < 0 {
		return nil // indexed since
	}
	return slices.Concat(turns[max(0, at-reach):min(len(turns), at+reach+1)]...)
}

// setSession sets the features of the memories of one session, whose turns
// these are, in their order.
func (t *candidates) setSession(turns [][]string) {
	s := &t.scorer
	all := make([]float64, len(t.Clauses))
	strength := make([]float64, len(turns)) // of the best memory of each
	for at, ids := range turns {
		for _, id := range ids {
			c := t.byID[id]
			if c == nil {
				continue
			}
			strength[at] = max(strength[at], c.Features[relevance.Strength])
			for i, value := range c.Met {
				all[i] = max(all[i], value)
			}
		}
	}
	whole := s.ShareMet(all)
	others := 1 - 1/float64(len(turns)) // nearly 1 in a long session, 0 for a turn that is alone
	for at, ids := range turns {
		for _, id := range ids {
			c := t.byID[id]
			if c == nil {
				continue
			}
			c.SetOthers(others)
			c.Features[relevance.WholeSession] = whole
			c.Features[relevance.OfSession] = max(0, whole-c.Features[relevance.Coverage])
			c.Features[relevance.Neighbour] = min(1, strengthAround(strength, at))
		}
	}
}

// strengthAround adds up the strength of the neighbours of the turn at.
func strengthAround(strength []float64, at int) float64 {
	sum := 0.0
	for i, share := range nearness {
		for _, k := range []int{at - 1 - i, at + 1 + i} {
			if k >= 0 && k < len(strength) {
				sum += share * strength[k]
			}
		}
	}
	return sum
}
