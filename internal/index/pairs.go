package index

import (
	"encoding/binary"

	"hash/fnv"
	"slices"
)

// A Pair is two terms that stand side by side in a text, with the factor on
// its score. Pairs of weight 0 or less count for nothing.
type Pair struct {
	First, Second string
	Weight        float64
}

// Pairs returns the pairs of neighbours among the tokens of a text, each once
// and of weight 1, in the order of the text. Stop words do not part
// neighbours. Of an identifier its parts count, in their order, and not the
// wholes: parseHeader and "parse the header" have the same pair.
func Pairs(tokens []Token) []Pair {
	var pairs []Pair
	seen := make(map[[2]string]bool, len(tokens))
	last := ""
	for _, t := range tokens {
		if t.Whole {
			continue
		}
		if both := [2]string{last, t.Text}; last != "" && !seen[both] {
			seen[both] = true
			pairs = append(pairs, Pair{last, t.Text, 1})
		}
		last = t.Text
	}
	return pairs
}

// A sequence is the terms of a text in their order, identifiers as their
// parts, two bytes each. It is stored with the document, to be read for the
// few that may be told: an index of all pairs would be twice the size of the
// rest and take three times as long to fill.
type sequence []byte

func newSequence(tokens []Token) sequence {
	s := make(sequence, 0, 2*len(tokens))
	for _, t := range tokens {
		if !t.Whole {
			s = binary.LittleEndian.AppendUint16(s, digest(t.Text))
		}
	}
	return s
}

// digest stands for a term in a sequence. Two terms in some 65,000 share one;
// that both of a pair do, in their order, is chance of one in billions.
func digest(term string) uint16 {
	h := fnv.New32a()
	h.Write([]byte(term))
	sum := h.Sum32()
	return uint16(sum>>16 ^ sum)
}

// A neighbourhood is the pairs of a query, ready to be looked for.
type neighbourhood struct {
	worth map[uint32]float64 // by the digests of both terms
	terms []uint64           // bits in cell.matched that a pair needs
}

// neighbourhood returns the pairs of q that can be found. A pair is worth its
// weight times the IDF of the rarer of its terms: on the development sets
// within half a point of the pair's own IDF, which is not known.
func (r *reader) neighbourhood(q Query) (neighbourhood, error) {
	n := neighbourhood{worth: map[uint32]float64{}}
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
		n.worth[uint32(digest(p.First))<<16|uint32(digest(p.Second))] += p.Weight * IDF(min(first, second), r.docs)
		n.terms = append(n.terms, bits[p.First]|bits[p.Second])
	}
	return n, nil
}

// depth returns how many documents are looked at for the best limit.
func (n *neighbourhood) depth(limit int) int {
	if len(n.worth) == 0 {
		return limit
	}
	return limit + limit/2
}

// possible reports whether a document that matches these terms can have a
// pair.
func (n *neighbourhood) possible(matched uint64) bool {
	for _, t := range n.terms {
		if matched&t == t {
			return true
		}
	}
	return false
}

// add sets what the pairs earn a candidate, reading its sequence if it may
// have any.
func (n *neighbourhood) add(c *candidate) error {
	if !n.possible(c.matched) {
		return nil
	}
	return c.part.Segment().VisitStoredFields(uint64(c.number), func(field string, _ byte, value []byte, _ []uint64) bool {
		if field == sequenceField {
			c.pairs = n.earned(value)
		}
		return field != sequenceField
	})
}

// earned adds up the worth of the pairs that s has, each once.
func (n *neighbourhood) earned(s sequence) float64 {
	sum, last := 0.0, uint32(0)
	var seen []uint32
	for i := 0; i+1 < len(s); i += 2 {
		next := uint32(binary.LittleEndian.Uint16(s[i:]))
		key := last<<16 | next
		last = next
		if worth, ok := n.worth[key]; ok && i > 0 && !slices.Contains(seen, key) {
			seen = append(seen, key)
			sum += worth
		}
	}
	return sum
}
