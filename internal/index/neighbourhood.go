package index

import (
	"encoding/binary"
	"slices"
)

// A neighbourhood holds the pairs of a query in the form in which they are looked up in documents.
type neighbourhood struct {
	scores map[uint32]float64 // score of a pair, by the digests of both terms
	terms  []uint64           // the bits in cell.matched of each pair's terms
}

// neighbourhood returns the pairs of q that can be found. The score of a pair is its weight times the IDF
// of the rarer of its two terms. The IDF of the pair itself is unknown; on the development sets it would
// change the result by less than half a point.
func (r *reader) neighbourhood(q Query) (neighbourhood, error) {
	n := neighbourhood{scores: map[uint32]float64{}}
	bits := make(map[string]uint64, len(q.Terms))
	for i, t := range q.Terms {
		if t.Weight > 0 {
			bits[t.Text] |= bit(i)
		}
	}
	for _, p := range q.Pairs {
		if p.Weight <= 0 || bits[p.First] == 0 || bits[p.Second] == 0 {
			continue
		}
		first, err := r.count(p.First)
		if err != nil {
			return n, err
		}
		second, err := r.count(p.Second)
		if err != nil {
			return n, err
		}
		n.scores[uint32(digest(p.First))<<16|uint32(digest(p.Second))] += p.Weight * IDF(min(first, second), r.docs)
		n.terms = append(n.terms, bits[p.First]|bits[p.Second])
	}
	return n, nil
}

// candidateLimit returns how many documents must be checked for pairs to find the best limit documents.
func (n *neighbourhood) candidateLimit(limit int) int {
	if len(n.scores) == 0 {
		return limit
	}
	return limit + limit/2
}

// mayHavePair reports whether a document that matches these terms can contain
// one of the pairs.
func (n *neighbourhood) mayHavePair(matched uint64) bool {
	for _, t := range n.terms {
		if matched&t == t {
			return true
		}
	}
	return false
}

// scorePairs sets the candidate's score for pairs. It reads the sequence of the
// document only if it can contain a pair.
func (n *neighbourhood) scorePairs(c *candidate) error {
	if !n.mayHavePair(c.matched) {
		return nil
	}
	return c.part.Segment().VisitStoredFields(uint64(c.number), func(field string, _ byte, value []byte, _ []uint64) bool {
		if field == sequenceField {
			c.pairs = n.sum(value)
		}
		return field != sequenceField
	})
}

// sum adds up the scores of the pairs that occur in s, each counted once.
func (n *neighbourhood) sum(s sequence) float64 {
	sum, last := 0.0, uint32(0)
	var seen []uint32
	for i := 0; i+1 < len(s); i += 2 {
		next := uint32(binary.LittleEndian.Uint16(s[i:]))
		key := last<<16 | next
		last = next
		if score, ok := n.scores[key]; ok && i > 0 && !slices.Contains(seen, key) {
			seen = append(seen, key)
			sum += score
		}
	}
	return sum
}
