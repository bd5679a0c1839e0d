package index

import (
	"encoding/binary"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"recollect/internal/memory"
)

// The fields of a document. None has positions or doc values: the store has
// the text, and scores need frequencies, lengths and neighbours only.
const (
	textField    = "text"    // everything that is searched, the title included
	titleField   = "title"   // what of it is in the title
	projectField = "project" // name and path of the project, as they are
	sourceField  = "source"  // of the memory, as it is
	sessionField = "session" // of a turn: where it stands, see turnTerms

	sequenceField = "sequence" // not searched, but stored: see sequence
)

// marker stands in the text of every document, as a term that Analyze never
// gives. Its postings list all documents with their lengths.
const marker = "\x00"

// totals are sums over all documents of an index, kept beside them.
type totals struct {
	docs, tokens uint64
}

func readTotals(snap *scorch.IndexSnapshot) (totals, error) {
	value, err := snap.GetInternal(totalsKey)
	if err != nil || value == nil {
		return totals{}, err
	}
	if len(value) != 16 {
		return totals{}, fmt.Errorf("read totals: they are %d bytes long", len(value))
	}
	return totals{binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:])}, nil
}

func (t totals) encode() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, t.docs), t.tokens)
}

// searchable returns the texts of the fields of m.
func searchable(m *memory.Memory) (text, title string) {
	parts := []string{m.Body(), m.Project}
	if !opens(parts[0], m.Title) {
		parts = append(parts, m.Title)
	}
	parts = slices.Concat(parts, m.Keywords, m.Files, m.Tags)
	return strings.Join(parts, "\n"), m.Title
}

// opens reports whether title is the beginning of body, as it is for a memory
// that was given no title of its own; such words count once.
func opens(body, title string) bool {
	start, cut := strings.CutSuffix(title, "…")
	rest, ok := strings.CutPrefix(body, start)
	return ok && (cut || rest == "" || rest[0] == '\n')
}

// newBatch makes the batch that changes the documents in snap as Update is
// asked to, with the totals that the index has after it.
func newBatch(g *generation, snap *scorch.IndexSnapshot, put []memory.Memory, deleted []string) (*bleveindex.Batch, error) {
	changes := make(map[string]*memory.Memory, len(put)+len(deleted))
	for i := range put {
		changes[put[i].ID] = &put[i]
	}
	for _, id := range deleted {
		changes[id] = nil
	}
	ids := slices.Sorted(maps.Keys(changes))
	sum, err := totalsWithout(snap, ids)
	if err != nil {
		return nil, err
	}
	batch := bleveindex.NewBatch()
	for i, d := range documents(ids, changes) {
		if d == nil {
			batch.Delete(ids[i])
			continue
		}
		batch.Update(d.doc)
		sum.docs++
		sum.tokens += uint64(d.length)
	}
	batch.SetInternal(formatKey, []byte(format))
	batch.SetInternal(totalsKey, sum.encode())
	return batch, nil
}

// totalsWithout returns the totals of snap less its documents with these ids,
// whose lengths it reads from the marker's postings.
func totalsWithout(snap *scorch.IndexSnapshot, ids []string) (totals, error) {
	sum, err := readTotals(snap)
	if err != nil {
		return sum, err
	}
	for _, seg := range snap.Segments() {
		found, err := seg.DocNumbers(ids)
		if err != nil {
			return sum, err
		}
		if found.IsEmpty() {
			continue
		}
		dict, err := seg.Segment().Dictionary(textField)
		if err != nil {
			return sum, err
		}
		list, err := dict.PostingsList([]byte(marker), nil, nil)
		if err != nil {
			return sum, err
		}
		lengths := list.Iterator(true, true, false, nil)
		for it := found.Iterator(); it.HasNext(); {
			p, err := lengths.Advance(uint64(it.Next()))
			if err != nil || p == nil {
				return sum, fmt.Errorf("read length of document: %w", err)
			}
			sum.docs--
			sum.tokens -= uint64(length(p.Norm()))
		}
	}
	return sum, nil
}

// length returns the number of tokens of a document's text from the norm that
// bleve gives, which is 1/sqrt(tokens), the marker among them, as a float32.
// That is exact up to some four million tokens.
func length(norm float64) int {
	return int(1/(norm*norm)+0.5) - 1
}

// An analysed is a document that is ready for a batch.
type analysed struct {
	doc    *document.Document
	length int
}

// documents analyses the memories of changes in the order of ids, on all
// cores; deletions stay nil.
func documents(ids []string, changes map[string]*memory.Memory) []*analysed {
	docs := make([]*analysed, len(ids))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(ids)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(ids)); i = next.Add(1) - 1 {
				if m := changes[ids[i]]; m != nil {
					docs[i] = newDocument(m)
				}
			}
		})
	}
	wg.Wait()
	return docs
}

func newDocument(m *memory.Memory) *analysed {
	text, title := searchable(m)
	words := Analyze(text)
	doc := document.NewDocument(m.ID)
	doc.AddField(newField(textField, append(texts(words), marker)))
	doc.AddField(newField(titleField, titleTerms(title, words)))
	doc.AddField(newField(projectField, projectTerms(m)))
	doc.AddField(newField(sourceField, []string{string(m.Source)}))
	doc.AddField(newField(sessionField, turnTerms(m)))
	doc.AddField(&field{name: sequenceField, stored: newSequence(words)})
	return &analysed{doc, len(words)}
}

func texts(tokens []Token) []string {
	terms := make([]string, len(tokens), len(tokens)+1)
	for i, t := range tokens {
		terms[i] = t.Text
	}
	return terms
}

// titleTerms returns the terms of a title that are among words, the terms of
// the text: it may end in a word that it cuts off.
func titleTerms(title string, words []Token) []string {
	in := make(map[string]bool, len(words))
	for _, w := range words {
		in[w.Text] = true
	}
	return slices.DeleteFunc(texts(Analyze(title)), func(t string) bool { return !in[t] })
}

func projectTerms(m *memory.Memory) []string {
	return slices.DeleteFunc([]string{m.Project, m.ProjectPath}, func(p string) bool { return p == "" })
}

// A field is a field of a document whose analysis is done already.
type field struct {
	name   string
	terms  []string
	found  bleveindex.TokenFrequencies
	stored []byte // what a field without terms stores
}

func newField(name string, terms []string) *field {
	f := &field{name: name, terms: terms, found: make(bleveindex.TokenFrequencies, len(terms))}
	for _, t := range terms {
		known := f.found[t]
		if known == nil {
			known = &bleveindex.TokenFreq{Term: []byte(t)}
			f.found[t] = known
		}
		known.SetFrequency(known.Frequency() + 1)
	}
	return f
}

// Options says whether bleve indexes or stores the field.
func (f *field) Options() bleveindex.FieldIndexingOptions {
	if f.stored != nil {
		return bleveindex.StoreField
	}
	return bleveindex.IndexField
}

// The other methods of a field of bleve's.
func (f *field) Name() string                                          { return f.name }
func (f *field) Value() []byte                                         { return f.stored }
func (f *field) ArrayPositions() []uint64                              { return nil }
func (f *field) EncodedFieldType() byte                                { return 't' }
func (f *field) Analyze()                                              {}
func (f *field) AnalyzedLength() int                                   { return len(f.terms) }
func (f *field) AnalyzedTokenFrequencies() bleveindex.TokenFrequencies { return f.found }
func (f *field) NumPlainTextBytes() uint64                             { return 0 }
func (f *field) Size() int                                             { return 100*len(f.found) + len(f.stored) }
