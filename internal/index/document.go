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

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"recollect/internal/memory"
)

// The fields of a document. Neither is stored, has positions or doc values:
// the store has the text, and scores need frequencies and lengths only.
const (
	textField  = "text"  // everything that is searched, the title included
	titleField = "title" // the title alone
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
func newBatch(g *generation, snap *scorch.IndexSnapshot, put []memory.Memory, deleted []string) (*bleve.Batch, error) {
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
	batch := g.idx.NewBatch()
	for i, d := range documents(ids, changes) {
		if d == nil {
			batch.Delete(ids[i])
			continue
		}
		if err := batch.IndexAdvanced(d.doc); err != nil {
			return nil, err
		}
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
		list, err := postings(seg, textField, marker)
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
	doc.AddField(field(textField, append(stream(words), &analysis.Token{Term: []byte(marker)})))
	doc.AddField(field(titleField, stream(Analyze(title))))
	return &analysed{doc, len(words)}
}

// field makes a field whose analysis is done already.
func field(name string, tokens ready) *document.TextField {
	return document.NewTextFieldCustom(name, nil, nil, bleveindex.IndexField, tokens)
}

func stream(tokens []Token) ready {
	backing := make([]analysis.Token, len(tokens))
	s := make(ready, len(tokens), len(tokens)+1)
	for i, t := range tokens {
		backing[i].Term = []byte(t.Text)
		s[i] = &backing[i]
	}
	return s
}

// A ready is a token stream as an analyser that gives just it.
type ready analysis.TokenStream

// Analyze returns r.
func (r ready) Analyze([]byte) analysis.TokenStream { return analysis.TokenStream(r) }
