package index

import (
	"cmp"
	"context"
	"slices"

	"recollect/internal/memory"
)

// A Query describes a search.
type Query struct {
	Terms  []Term
	Pairs  []Pair   // both terms of a pair must be among the first 64 Terms; other pairs are ignored
	Also   []string // ids of memories to score even if they are not among the best
	Filter Filter
	// Own is a project whose best memories are among the hits, as are those that hold in every project,
	// even if other projects have better ones. Zero means none.
	Own memory.Project
}

// A Term is an analysed term to look for. Weight is a factor on its score;
// terms with a weight of 0 or less are ignored.
type Term struct {
	Text   string // several terms separated by spaces are found together, in memories that have all of them
	Weight float64
}

// A Filter narrows a search. The zero Filter lets everything pass.
type Filter struct {
	Projects []string        // names or paths of projects, any of them
	Sources  []memory.Source // any of them
}

// all reports whether f lets everything pass.
func (f Filter) all() bool { return len(f.Projects) == 0 && len(f.Sources) == 0 }

// heldIn returns the project terms of memories that hold in p: its own, those of the folders above it,
// and the marker for every project.
func heldIn(p memory.Project) []string {
	return slices.DeleteFunc(append(p.Parents(), p.Name, p.Path, marker), func(name string) bool { return name == "" })
}

// A clause is a term in the text or in the title, with the score that a
// document gets for it.
type clause struct {
	parts  []termPart
	title  bool
	factor float64 // the term's weight times its IDF
	bound  float64 // the most that it can add to a document's order
	bit    uint64  // the term's bit in cell.matched
}

// clauses returns the clauses for those terms of q that occur in the index, the
// highest bound first.
func (r *reader) clauses(ctx context.Context, q Query) ([]clause, error) {
	var all []clause
	for i, t := range q.Terms {
		if t.Weight <= 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := r.term(textField, t.Text, true)
		if err != nil {
			return nil, err
		}
		df := count(text)
		if df == 0 {
			continue
		}
		title, err := r.term(titleField, t.Text, true)
		if err != nil {
			return nil, err
		}
		factor := t.Weight * IDF(df, r.docs)
		all = append(all,
			clause{parts: text, factor: factor, bound: factor * (k1 + 1), bit: bit(i)},
			clause{parts: title, title: true, factor: factor, bound: factor * titleBonus})
	}
	slices.SortStableFunc(all, func(a, b clause) int { return cmp.Compare(b.bound, a.bound) })
	return all, nil
}

// bit returns the bit of term i in cell.matched; from 64 on terms have none.
func bit(i int) uint64 {
	if i >= 64 {
		return 0
	}
	return 1 << i
}
