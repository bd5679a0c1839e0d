package index

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/vellum"
)

// maxTurns is the largest number of memories of a session that are listed. No
// real session has more, and a damaged one must not delay every prompt by
// seconds.
const maxTurns = 10_000

// Turns returns the turns of each of the sessions, in the order of time. A turn
// is the list of the ids of its memories. Of a session with more than 10,000
// memories only the first 10,000 are listed.
func (x *Index) Turns(ctx context.Context, sessions []string) (map[string][][]string, error) {
	turns := make(map[string][][]string, len(sessions))
	err := x.read(ctx, func(g *generation, snap *scorch.IndexSnapshot) error {
		for _, session := range sessions {
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, ok := turns[session]; ok {
				continue
			}
			var err error
			if turns[session], err = turnsOf(g, snap, session); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list turns in index %s: %w", x.dir, err)
	}
	return turns, nil
}

// turnsOf lists the turns of one session. Several segments may contain the same
// term, because a turn that is written again stays in its old segment too.
func turnsOf(g *generation, snap *scorch.IndexSnapshot, session string) ([][]string, error) {
	prefix := sessionPrefix(session)
	live := map[string]bool{}
	for _, seg := range snap.Segments() {
		terms, err := g.caches.turnsIn(seg, string(prefix))
		if err != nil {
			return nil, err
		}
		for _, term := range terms {
			if ok, err := hasLive(seg, term); err != nil {
				return nil, err
			} else if ok {
				live[term] = true
			}
		}
	}
	terms := slices.Sorted(maps.Keys(live))
	return byTurn(terms[:min(maxTurns, len(terms))], len(prefix)), nil
}

// byTurn extracts the ids from the sorted terms of a session, whose prefix has n
// bytes, and groups them by turn. A turn stands where its first memory stands.
func byTurn(terms []string, n int) [][]string {
	var turns [][]string
	at := map[string]int{}
	for _, term := range terms {
		end := len(term) - turnBytes // of the id and a zero
		if end <= n+timeBytes {
			continue // not one of our terms
		}
		id, turn := term[n+timeBytes:end-1], term[end:]
		i, ok := at[turn]
		if !ok {
			i = len(turns)
			at[turn], turns = i, append(turns, nil)
		}
		turns[i] = append(turns[i], id)
	}
	return turns
}

// turnsIn returns the terms with a prefix in a segment, including those of
// deleted documents, at most 2*maxTurns.
func (c *caches) turnsIn(seg *scorch.SegmentSnapshot, prefix string) ([]string, error) {
	key := turnsKey{seg.Id(), prefix}
	if terms, ok := c.turns.get(key); ok {
		return terms, nil
	}
	dict, err := seg.Segment().Dictionary(sessionField)
	if err != nil {
		return nil, err
	}
	end := append([]byte(prefix[:len(prefix)-1]), 1)
	var terms []string
	cost := entryBytes + len(prefix)
	for it := dict.AutomatonIterator(&vellum.AlwaysMatch{}, []byte(prefix), end); len(terms) < 2*maxTurns; {
		entry, err := it.Next()
		if err != nil {
			return nil, err
		}
		if entry == nil {
			break
		}
		terms = append(terms, entry.Term)
		cost += partBytes + len(entry.Term)
	}
	c.turns.put(key, terms, cost)
	return terms, nil
}

// hasLive reports whether a term of seg's dictionary occurs in a document that
// is not deleted. A turn that is written again stays in its old segment too.
func hasLive(seg *scorch.SegmentSnapshot, term string) (bool, error) {
	if seg.Deleted() == nil {
		return true, nil
	}
	dict, err := seg.Segment().Dictionary(sessionField)
	if err != nil {
		return false, err
	}
	list, err := dict.PostingsList([]byte(term), seg.Deleted(), nil)
	if err != nil {
		return false, err
	}
	return list.Count() > 0, nil
}
