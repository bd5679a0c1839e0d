package recall

import (
	"cmp"
	"slices"

	"recollect/internal/memory"
)

// How much of its neighbours' strength a turn takes over, by distance.
var nearness = []float64{1, 0.5}

// inContext sets what the features of turns gain from the session that they
// stand in: an answer often lacks the words of the question before it. What
// is known of a session are its turns among the candidates.
func (j *judge) inContext(found []*candidate) {
	sessions := map[string][]*candidate{}
	for _, c := range found {
		if m := &c.memory; m.Session != "" && (m.Source == memory.Episodes || m.Source == memory.Thinking) {
			sessions[m.Session] = append(sessions[m.Session], c)
		}
	}
	for _, turns := range sessions {
		if len(turns) > 1 {
			j.inSession(turns)
		}
	}
}

// inSession does it for the turns of one session.
func (j *judge) inSession(turns []*candidate) {
	slices.SortFunc(turns, func(a, b *candidate) int {
		return cmp.Or(a.memory.OccurredAt.Compare(b.memory.OccurredAt), cmp.Compare(a.memory.ID, b.memory.ID))
	})
	all := make([]float64, len(j.q.clauses))
	for _, c := range turns {
		for i, value := range c.met {
			all[i] = max(all[i], value)
		}
	}
	for at, c := range turns {
		lacking := 0.0
		for i, value := range all {
			lacking += (value - c.met[i]) * j.q.clauses[i].worth()
		}
		c.features[featSession] = ratio(lacking, j.total)
		for i, share := range nearness {
			for _, k := range []int{at - 1 - i, at + 1 + i} {
				if k >= 0 && k < len(turns) {
					c.features[featNeighbour] += share * turns[k].features[featStrength]
				}
			}
		}
		c.features[featNeighbour] = min(1, c.features[featNeighbour])
	}
}
