package index

import (
	"context"
	"encoding/binary"
	"fmt"
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

// timeBytes is the length of the time in a turn's term.
const timeBytes = 8

// turnTerms returns the term by which a turn is listed: its session, its time
// and its id, so that in the order of terms the turns of a session stand
// together in the order of time. Memories that are no turns have none.
func turnTerms(m *memory.Memory) []string {
	if m.Session == "" {
		return nil
	}
	const sign = 1 << 63 // times before 1970 come first
	term := binary.BigEndian.AppendUint64(sessionPrefix(m.Session), uint64(m.OccurredAt.UnixMicro())^sign)
	return []string{string(append(term, m.ID...))}
}

// sessionPrefix is what the terms of a session begin with, and those of no
// other: its name up to a zero, which it may not have inside. 0xff is no part
// of any text.
func sessionPrefix(session string) []byte {
	return append([]byte(strings.ReplaceAll(session, "\x00", "\xff")), 0)
}

// Turns returns the turns of sessions, each session's in the order of time, by
// session. A turn is the ids of its memories: those of one time. Of a session
// with more than 10,000 memories it lists the first.
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
	return byTime(terms[:min(maxTurns, len(terms))], len(prefix)), nil
}

// byTime cuts the ids out of the sorted terms of a session, behind a prefix of
// n bytes, and puts those of one time together.
func byTime(terms []string, n int) [][]string {
	var turns [][]string
	var last string
	for _, term := range terms {
		if len(term) <= n+timeBytes {
			continue // no term of ours
		}
		at, id := term[n:n+timeBytes], term[n+timeBytes:]
		if len(turns) == 0 || at != last {
			turns = append(turns, nil)
		}
		turns[len(turns)-1] = append(turns[len(turns)-1], id)
		last = at
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
