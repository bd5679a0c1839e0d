package index

import "math"

const (
	// k1 and b are BM25's usual values. k1 limits what the repetition of a term adds; b sets how strongly
	// long documents are marked down.
	k1 = 1.2
	b  = 0.75

	// titleBonus is the score of a term in the title, as a share of its weight times its IDF; in the text
	// a term scores up to k1+1 times that product. On four retrieval sets 0.1 never lowered the result;
	// 0.25 did where titles are only first lines, and 1 did on three of them.
	titleBonus = 0.1

	// pairBonus is the score of a pair, as a share of its weight times its IDF. Between 0.3 and 0.6 the
	// five sets that were tried differ by less than half a point.
	pairBonus = 0.6
)

// MaxTermScore is the most that a term can add to a hit's Order through text
// and title, divided by its weight times its IDF.
const MaxTermScore = k1 + 1 + titleBonus

// background is the number of unrelated memories that are added to every corpus. Without them the words
// of the first few memories would have an IDF near zero, because nearly all memories contain them.
const background = 100

// IDF returns the inverse document frequency of BM25 (Robertson and Spärck Jones, in the form that is
// never negative) of a term that occurs in found of docs memories. It adds 100 unrelated memories to
// docs.
func IDF(found, docs int) float64 {
	return math.Log(1 + (float64(docs+background-found)+0.5)/(float64(found)+0.5))
}

// A cell holds the scores of one document during a search.
type cell struct {
	score, title, pairs float64
	matched             uint64
}

// order returns the value by which the best documents are chosen.
func (c *cell) order() float64 { return c.score + titleBonus*c.title + pairBonus*c.pairs }
