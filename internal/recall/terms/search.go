package terms

import (
	"fmt"
	"slices"

	"recollect/internal/index"
)

// A Search is a query whose terms are weighed by how rare they are: what the index is asked for.
type Search struct {
	Query
	Terms  []index.Term
	Owners []Owner // of each of Terms
	Pairs  []index.Pair
	Docs   int // how many memories there are
}

// An Owner is the clauses that a term of a search stands for, and how far the term meets them.
type Owner struct {
	Clauses []int
	Value   float64
}

// Weigh returns the search for a query: with the synonyms of t, the closest of which weigh
// synonymWeight, and the clauses that are worth most, at most mostClauses. frequencies returns how many memories
// have each of some terms, and how many there are.
func (q *Query) Weigh(t *Thesaurus, synonymWeight float64, frequencies func(terms []string) ([]int, int, error)) (Search, error) {
	s := Search{Query: *q}
	s.Clauses = slices.Clone(q.Clauses)
	s.shorten()
	s.addSynonyms(t)
	found, docs, err := frequencies(s.lookedUp())
	if err != nil {
		return Search{}, fmt.Errorf("count terms: %w", err)
	}
	s.setRarities(found, docs)
	s.trimTo(mostClauses)
	s.Terms, s.Owners = s.searchTerms(synonymWeight)
	s.Pairs, s.Docs = s.searchPairs(), docs
	return s, nil
}

// mostClauses is how many words of a prompt are looked for. Each costs a look-up, and the rest of a longer
// prompt are its least telling ones; with fewer, a paragraph loses words by which its answer is found.
const mostClauses = 32

// maxTerms is how many terms a search can tell apart: bits of index.Hit.
const maxTerms = 64

// searchTerms lists the terms of the search in the index, and for each its clauses. The
// clauses' own terms come first, so that synonyms cannot displace them.
func (q *Query) searchTerms(synonymWeight float64) (terms []index.Term, owners []Owner) {
	for i, c := range q.Clauses {
		terms = append(terms, index.Term{Text: c.Term, Weight: c.Weight})
		owners = append(owners, Owner{[]int{i}, 1})
	}
	others, theirs := q.synonymTerms(synonymWeight)
	room := min(len(others), max(0, maxTerms-len(terms)))
	return append(terms, others[:room]...), append(owners, theirs[:room]...)
}
