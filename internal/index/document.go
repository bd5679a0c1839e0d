package index

import (
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
	"recollect/internal/system/crash"
	"recollect/internal/text/activity"
)

// searchable returns the texts of the fields of m. The text of an episode includes its whole prompt, of
// which the episode shows only the gist.
func searchable(m *memory.Memory) (text, title string) {
	parts := []string{m.Body(), m.Project}
	if !beginsWith(parts[0], m.Title) {
		parts = append(parts, m.Title)
	}
	if m.Source == memory.Episodes {
		parts = append(parts, m.Evidence)
	}
	parts = slices.Concat(parts, m.Keywords, m.Files)
	for _, tag := range m.Tags {
		tag = strings.TrimPrefix(tag, memory.TagOnBranch)
		parts = append(parts, strings.TrimPrefix(tag, memory.TagAtCommit)) // the words commit and branch say nothing of it
	}
	return strings.Join(parts, "\n"), m.Title
}

// beginsWith reports whether body begins with title, as in a memory without a title of its own. The words
// of such a title count once.
func beginsWith(body, title string) bool {
	start, cut := strings.CutSuffix(title, "…")
	rest, ok := strings.CutPrefix(body, start)
	whole := rest == "" || rest[0] == '\n'
	return ok && (cut || whole)
}

// newBatch returns a batch with Update's changes to the documents in snap and the new totals of the
// index.
func newBatch(snap *scorch.IndexSnapshot, put []memory.Memory, deleted []string) (*bleveindex.Batch, error) {
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
	for i, d := range analyzeAll(ids, changes) {
		if d == nil {
			batch.Delete(ids[i])
			continue
		}
		batch.Update(d.doc)
		sum.docs++
		sum.tokens += uint64(d.tokens)
	}
	batch.SetInternal(formatKey, []byte(format))
	batch.SetInternal(totalsKey, sum.encode())
	return batch, nil
}

// totalsWithout returns the totals of snap without the documents with these ids. It reads their lengths
// from the postings of marker.
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
			sum.tokens -= uint64(tokensOfNorm(p.Norm()))
		}
	}
	return sum, nil
}

// An analysedDocument is a document that is ready for a batch.
type analysedDocument struct {
	doc    *document.Document
	tokens int
}

// analyzeAll analyses the memories of changes in the order of ids. It leaves one processor to searches. A
// deletion gives nil.
func analyzeAll(ids []string, changes map[string]*memory.Memory) []*analysedDocument {
	docs := make([]*analysedDocument, len(ids))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(max(1, runtime.GOMAXPROCS(0)-1), len(ids)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(ids)); i = next.Add(1) - 1 {
				if m := changes[ids[i]]; m != nil {
					crash.Catch(func() error { // a memory that cannot be analysed is not indexed
						docs[i] = newDocument(m)
						return nil
					})
				}
			}
		})
	}
	wg.Wait()
	return docs
}

func newDocument(m *memory.Memory) *analysedDocument {
	text, title := searchable(m)
	words := Analyze(text)
	doc := document.NewDocument(m.ID)
	doc.AddField(newField(textField, append(termsOf(words), marker)))
	doc.AddField(newField(titleField, titleTerms(title, words)))
	doc.AddField(newField(projectField, projectTerms(m)))
	doc.AddField(newField(sourceField, []string{string(m.Source)}))
	doc.AddField(newField(activityField, activity.Of(m)))
	doc.AddField(&field{name: sequenceField, stored: newSequence(words)})
	return &analysedDocument{doc, len(words)}
}

func termsOf(tokens []Token) []string {
	terms := make([]string, len(tokens), len(tokens)+1)
	for i, t := range tokens {
		terms[i] = t.Text
	}
	return terms
}

// titleTerms returns the terms of a title that also occur in words, the terms of the text, because a
// shortened title may end in a fragment of a word.
func titleTerms(title string, words []Token) []string {
	in := make(map[string]bool, len(words))
	for _, w := range words {
		in[w.Text] = true
	}
	return slices.DeleteFunc(termsOf(Analyze(title)), func(t string) bool { return !in[t] })
}

// projectTerms returns the name and path of the project, or marker if the memory holds in every project.
func projectTerms(m *memory.Memory) []string {
	if m.Everywhere() {
		return append(projectNames(m), marker)
	}
	return projectNames(m)
}

func projectNames(m *memory.Memory) []string {
	return slices.DeleteFunc([]string{m.Project, m.ProjectPath}, func(p string) bool { return p == "" })
}

// A field is a field of a document, already analysed.
type field struct {
	name   string
	terms  []string
	found  bleveindex.TokenFrequencies
	stored []byte // the stored value of a field without terms
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

// Options tells bleve whether to index or to store the field.
func (f *field) Options() bleveindex.FieldIndexingOptions {
	if f.stored != nil {
		return bleveindex.StoreField
	}
	return bleveindex.IndexField
}

func (f *field) Name() string                                          { return f.name }
func (f *field) Value() []byte                                         { return f.stored }
func (f *field) ArrayPositions() []uint64                              { return nil }
func (f *field) EncodedFieldType() byte                                { return 't' }
func (f *field) Analyze()                                              {}
func (f *field) AnalyzedLength() int                                   { return len(f.terms) }
func (f *field) AnalyzedTokenFrequencies() bleveindex.TokenFrequencies { return f.found }
func (f *field) NumPlainTextBytes() uint64                             { return 0 }
func (f *field) Size() int                                             { return 100*len(f.found) + len(f.stored) }
