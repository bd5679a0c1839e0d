package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/vellum"

	"recollect/internal/memory"
)

// maxTurns is how many memories of a session are listed. Nobody's session has
// more; a broken one must not cost every prompt seconds.
const maxTurns = 10_000

// Lengths of parts of a term by which a memory of a session is listed.
const (
	timeBytes = 8
	turnBytes = 8
)

// turnTerms returns the term by which a memory of a session is listed: its
// session, its time, its id and what turn it is of, so that in the order of
// terms the memories of a session stand together in the order of time. A
// memory of no session has none, one of no turn is one by itself.
func turnTerms(m *memory.Memory) []string {
	if m.Session == "" {
		return nil
	}
	const sign = 1 << 63 // times before 1970 come first
	term := binary.BigEndian.AppendUint64(sessionPrefix(m.Session), uint64(m.OccurredAt.UnixMicro())^sign)
	h := fnv.New64a()
	h.Write([]byte(cmp.Or(m.Turn, m.ID)))
	return []string{string(h.Sum(append(append(term, m.ID...), 0)))}
}

// sessionPrefix is what the terms of a session begin with, and those of no
// other: its name up to a zero, which it may not have inside. 0xff is no part
// of any text.
func sessionPrefix(session string) []byte {
	return append([]byte(strings.ReplaceAll(session, "\x00", "\xff")), 0)
}

// Turns returns the turns of sessions, each session's in the order of time, by
// session. A turn is the ids of its memories. Of a session with more than
// 10,000 memories it lists the first.
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

// turnsOf lists the turns of one session. Segments share terms where a turn
// was written again.
func turnsOf(g *generation, snap *scorch.IndexSnapshot, session string) ([][]string, error) {
	prefix := sessionPrefix(session)
	live := map[string]bool{}
	for _, seg := range snap.Segments() {
		terms, err := g.caches.turnsIn(seg, string(prefix))
		if err != nil {
			return nil, err
		}
		for _, term := range terms {
			if ok, err := has(seg, term); err != nil {
				return nil, err
			} else if ok {
				live[term] = true
			}
		}
	}
	terms := slices.Sorted(maps.Keys(live))
	return byTurn(terms[:min(maxTurns, len(terms))], len(prefix)), nil
}

// byTurn cuts the ids out of the sorted terms of a session, behind a prefix of
// n bytes, and puts those of one turn together, where the first of them stands.
func byTurn(terms []string, n int) [][]string {
	var turns [][]string
	at := map[string]int{}
	for _, term := range terms {
		end := len(term) - turnBytes // of the id and a zero
		if end <= n+timeBytes {
			continue // no term of ours
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

// turnsKey names the terms of one session in one segment.
type turnsKey struct {
	segment uint64
	prefix  string
}

// turnsIn returns the terms with a prefix in a segment, deleted or not, twice
// maxTurns at most.
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

// has reports whether a document of seg that is not deleted has a term of its
// dictionary. A turn that was written again stands in its old segment too.
func has(seg *scorch.SegmentSnapshot, term string) (bool, error) {
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
