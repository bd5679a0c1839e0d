package embedding

import (
	"cmp"
	"slices"

	"recollect/internal/index/embed/builtin"
)

// compoundShare is the weight of an occurrence of a compound ("JavaScript") in the count for the
// vocabulary. Its parts count fully, so a compound gets its own row only if it is far more common than
// other words.
const compoundShare = 0.125

// A counter counts the words of a corpus.
type counter struct {
	counts map[string]float64
	total  float64
	scan   builtin.Scanner
}

func newCounter() *counter { return &counter{counts: map[string]float64{}} }

func (c *counter) record(r *record) {
	for _, text := range textsOf(r) {
		c.text(text)
	}
}

func (c *counter) text(text string) {
	c.scan.Reset(text, nil)
	for token := c.scan.Next(); token != nil; token = c.scan.Next() {
		c.total++
		c.counts[string(token)]++
		if whole := c.scan.Compound(); whole != nil {
			c.counts[string(whole)] += compoundShare
		}
	}
}

// textsOf returns all texts of a record.
func textsOf(r *record) []string {
	out := append([]string{r.Subject, r.Other}, r.Headings...)
	return append(out, r.Body...)
}

// top returns the n most frequent words in descending order, and the share of each in the text. Equally
// frequent words are in alphabetical order.
func (c *counter) top(n int) (words []string, shares []float64) {
	for w := range c.counts {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(c.counts[b], c.counts[a]), cmp.Compare(a, b))
	})
	words = words[:min(n, len(words))]
	for _, w := range words {
		shares = append(shares, c.counts[w]/c.total)
	}
	return words, shares
}
