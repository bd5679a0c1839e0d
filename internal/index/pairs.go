package index

import (
	"encoding/binary"
	"hash/fnv"
)

// A Pair is two terms that are adjacent in a text. Weight is a factor on its
// score; pairs with a weight of 0 or less are ignored.
type Pair struct {
	First, Second string
	Weight        float64
}

// Pairs returns the pairs of adjacent terms among the tokens of a text, each
// once and with weight 1, in the order of the text. Stop words are skipped. An
// identifier contributes its parts, not its compounds, so that parseHeader and
// "parse the header" give the same pair.
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

// A sequence holds the terms of a text in order, two bytes each; identifiers are represented by their
// parts. It is stored with the document and read only for the best candidates. An index of all pairs
// would be twice the size of the rest and take three times as long to fill.
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

// digest returns the two bytes that represent a term in a sequence. Two terms
// share a digest with a probability of 1 in 65,536; two pairs agree in both
// digests with a probability of 1 in 4 billion.
func digest(term string) uint16 {
	h := fnv.New32a()
	h.Write([]byte(term))
	sum := h.Sum32()
	return uint16(sum>>16 ^ sum)
}
