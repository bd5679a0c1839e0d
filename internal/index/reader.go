package index

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// A posting is the number of a document in its segment, with the frequency of the term in the low bits.
// The frequency is at most maxFrequency, and 0 in fields without frequencies. Four bytes each let all of
// them fit in memory.
type posting uint32

const (
	frequencyBits = 6
	maxFrequency  = 1<<frequencyBits - 1 // above 63 the BM25 score rises by 2 % at most

	// maxSegment is the largest number of documents in a segment that a posting can number; a window may
	// extend beyond the last one. bleve merges up to five million documents into one segment.
	maxSegment = 1<<(32-frequencyBits) - windowSize
)

func (p posting) doc() int           { return int(p >> frequencyBits) }
func (p posting) frequency() float64 { return float64(p & maxFrequency) }

const (
	// postingsBytes limits the postings in memory. All postings of 100,000 memories take 16 MB; of a
	// million memories the most used ones fit.
	postingsBytes = 32 << 20

	// lengthsBytes limits the lengths in memory, at 4 bytes per memory.
	lengthsBytes = 64 << 20

	// entryBytes and partBytes are the memory that a term in the cache takes besides its postings: once,
	// and for each segment.
	entryBytes = 200
	partBytes  = 48
)

// caches hold values read from the segments of one generation. A segment never changes except for its set
// of deleted documents, which grows.
type caches struct {
	terms   *cache[termKey, []termPart]
	lengths *cache[uint64, []uint32] // tokens of each document, by segment
}

func newCaches() caches {
	return caches{
		newCache[termKey, []termPart](postingsBytes),
		newCache[uint64, []uint32](lengthsBytes),
	}
}

// notCounted is the number of deleted documents in a termPart whose documents have not been counted.
const notCounted = math.MaxUint64

type termKey struct{ field, term string }

// A termPart holds what has been read about a term in one segment.
type termPart struct {
	segment  uint64
	deleted  uint64    // deleted documents at the time of count
	count    int       // documents that have the term and are not deleted
	postings []posting // in order, including those of deleted documents
	read     bool      // whether postings have been read
}

// A reader reads one snapshot. It must be used by one goroutine only.
type reader struct {
	caches  caches
	parts   []*part
	docs    int
	average float64 // length of a document, in tokens
}

// A part is one segment in a reader.
type part struct {
	*scorch.SegmentSnapshot
	deleted uint64   // number of deleted documents
	lengths []uint32 // tokens of each document
	dicts   map[string]segment.TermDictionary
}

func newReader(c caches, snap *scorch.IndexSnapshot) (*reader, error) {
	t, err := readTotals(snap)
	if err != nil {
		return nil, err
	}
	r := &reader{caches: c, docs: int(t.docs), average: max(1, float64(t.tokens)/float64(max(1, t.docs)))}
	for _, seg := range snap.Segments() {
		p := &part{SegmentSnapshot: seg, dicts: map[string]segment.TermDictionary{}}
		if seg.Deleted() != nil {
			p.deleted = seg.Deleted().GetCardinality()
		}
		if seg.FullSize() > maxSegment {
			return nil, fmt.Errorf("read segment of %d documents: at most %d are supported", seg.FullSize(), maxSegment)
		}
		r.parts = append(r.parts, p)
	}
	return r, nil
}

// term returns the parts of a term of a field, with its postings if requested. It reads what is not in
// the cache yet. Several terms separated by spaces count as one that the documents with all of them have.
func (r *reader) term(field, term string, postings bool) ([]termPart, error) {
	if strings.Contains(term, " ") {
		return r.conjunction(field, term)
	}
	return r.single(field, term, postings)
}

func (r *reader) single(field, term string, postings bool) ([]termPart, error) {
	key := termKey{field, term}
	known, _ := r.caches.terms.get(key)
	if r.current(known, postings) {
		return known, nil
	}
	fresh := make([]termPart, len(r.parts))
	cost := entryBytes + len(field) + len(term)
	for i, p := range r.parts {
		fresh[i] = termPart{segment: p.Id(), deleted: notCounted}
		if at := slices.IndexFunc(known, func(t termPart) bool { return t.segment == p.Id() }); at >= 0 {
			fresh[i] = known[at]
		}
		if !fresh[i].validFor(p, postings) {
			if err := p.complete(&fresh[i], key, postings); err != nil {
				return nil, err
			}
		}
		cost += partBytes + 4*cap(fresh[i].postings)
	}
	if count(fresh) > 0 || field != textField { // prompts have many words that no text has, and looking those up is fast
		r.caches.terms.put(key, fresh, cost)
	}
	return fresh, nil
}

// conjunction returns the parts of several terms of a field, separated by spaces: the documents that have
// all of them, with the lowest frequency.
func (r *reader) conjunction(field, terms string) ([]termPart, error) {
	key := termKey{field, terms}
	if known, _ := r.caches.terms.get(key); r.current(known, true) {
		return known, nil
	}
	var each [][]termPart // by term, then by part
	for term := range strings.SplitSeq(terms, " ") {
		known, err := r.single(field, term, false)
		if err != nil || count(known) == 0 {
			return known, err
		}
		each = append(each, known)
	}
	for i, term := range strings.Split(terms, " ") {
		var err error
		if each[i], err = r.single(field, term, true); err != nil {
			return nil, err
		}
	}
	cost := entryBytes + len(field) + len(terms)
	out := make([]termPart, len(r.parts))
	for i, p := range r.parts {
		lists := make([][]posting, len(each))
		for j := range each {
			lists[j] = each[j][i].postings
		}
		out[i] = termPart{segment: p.Id(), deleted: p.deleted, postings: intersect(lists), read: true}
		for _, found := range out[i].postings {
			if p.deleted == 0 || !p.Deleted().Contains(uint32(found.doc())) {
				out[i].count++
			}
		}
		cost += partBytes + 4*cap(out[i].postings)
	}
	r.caches.terms.put(key, out, cost)
	return out, nil
}

// intersect returns the documents that are in all lists, with their lowest frequency there.
func intersect(lists [][]posting) []posting {
	slices.SortFunc(lists, func(a, b []posting) int { return cmp.Compare(len(a), len(b)) })
	runs := make([]run, len(lists))
	for i, list := range lists {
		runs[i].list = list
	}
	var out []posting
next:
	for _, found := range lists[0] {
		for i := range runs[1:] {
			r := &runs[1+i]
			if !r.seek(found.doc()) {
				continue next
			}
			found = min(found, r.list[r.at])
		}
		out = append(out, found)
	}
	return out
}

// current reports whether known describes this snapshot.
func (r *reader) current(known []termPart, postings bool) bool {
	if len(known) != len(r.parts) {
		return false
	}
	for i, p := range r.parts {
		if known[i].segment != p.Id() || !known[i].validFor(p, postings) {
			return false
		}
	}
	return true
}

// validFor reports whether t describes its segment in the state of p, with postings if they are needed.
func (t *termPart) validFor(p *part, postings bool) bool {
	return t.deleted == p.deleted && (t.read || !postings)
}

// count returns how many documents have a term in their text.
func (r *reader) count(term string) (int, error) {
	known, err := r.term(textField, term, false)
	return count(known), err
}

func count(known []termPart) int {
	sum := 0
	for i := range known {
		sum += known[i].count
	}
	return sum
}

// readLengths sets the lengths of the documents of every part.
func (r *reader) readLengths() error {
	for _, p := range r.parts {
		known, ok := r.caches.lengths.get(p.Id())
		if !ok {
			var err error
			if known, err = p.readLengths(); err != nil {
				return err
			}
			r.caches.lengths.put(p.Id(), known, 4*len(known))
		}
		p.lengths = known
	}
	return nil
}

func (p *part) dictionary(field string) (segment.TermDictionary, error) {
	if d := p.dicts[field]; d != nil {
		return d, nil
	}
	d, err := p.Segment().Dictionary(field)
	if err == nil {
		p.dicts[field] = d
	}
	return d, err
}

// complete reads the missing fields of t about a term in the segment.
func (p *part) complete(t *termPart, key termKey, postings bool) error {
	dict, err := p.dictionary(key.field)
	if err != nil {
		return err
	}
	list, err := dict.PostingsList([]byte(key.term), p.Deleted(), nil)
	if err != nil {
		return err
	}
	t.count, t.deleted = int(list.Count()), p.deleted
	if t.read || !postings {
		return nil
	}
	t.read = true
	if p.deleted > 0 {
		if list, err = dict.PostingsList([]byte(key.term), nil, nil); err != nil {
			return err
		}
	}
	t.postings = make([]posting, 0, list.Count())
	return p.each(list, key.field == textField, func(number int, found segment.Posting) {
		t.postings = append(t.postings, posting(number<<frequencyBits)|posting(min(found.Frequency(), maxFrequency)))
	})
}

func (p *part) readLengths() ([]uint32, error) {
	dict, err := p.dictionary(textField)
	if err != nil {
		return nil, err
	}
	list, err := dict.PostingsList([]byte(marker), nil, nil)
	if err != nil {
		return nil, err
	}
	lengths := make([]uint32, p.FullSize())
	err = p.each(list, true, func(number int, found segment.Posting) {
		lengths[number] = uint32(tokensOfNorm(found.Norm()))
	})
	return lengths, err
}

// each calls f for every posting of list. Frequency and norm are only valid with details.
func (p *part) each(list segment.PostingsList, details bool, f func(number int, found segment.Posting)) error {
	for it := list.Iterator(details, details, false, nil); ; {
		found, err := it.Next()
		if err != nil || found == nil {
			return err
		}
		if found.Number() >= uint64(p.FullSize()) {
			return fmt.Errorf("read postings: document %d of %d", found.Number(), p.FullSize())
		}
		f(int(found.Number()), found)
	}
}

// windowSize is the number of documents that are scored at a time, small enough for their cells to stay
// in the processor's cache.
const windowSize = 4096
