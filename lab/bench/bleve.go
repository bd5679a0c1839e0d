package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/mapping"
	bleveindex "github.com/blevesearch/bleve_index_api"
)

// A bleveIndex is bleve with its own English analysis and its "bm25" over one text field, for comparison.
// It is searched with one match query. It has an index on disk for each scope, because in memory bleve
// scores differently.
type bleveIndex struct {
	dir    string
	scopes map[string]bleve.Index
}

func newBleveIndex(ctx context.Context, c *Collection) (*bleveIndex, error) {
	dir, err := os.MkdirTemp("", "recollect-bench-bleve-")
	if err != nil {
		return nil, fmt.Errorf("create a folder for bleve: %w", err)
	}
	p := &bleveIndex{dir, map[string]bleve.Index{}}
	if err := p.fill(ctx, c); err != nil {
		return nil, errors.Join(fmt.Errorf("fill bleve: %w", err), p.close())
	}
	return p, nil
}

// fill writes each scope as one batch, which is one segment, because bleve's scores depend on the
// distribution of documents over segments.
func (p *bleveIndex) fill(ctx context.Context, c *Collection) error {
	batches := map[string]*bleve.Batch{}
	for _, d := range c.Docs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b := batches[d.Scope]
		if b == nil {
			x, err := p.open(d.Scope)
			if err != nil {
				return err
			}
			b = x.NewBatch()
			batches[d.Scope] = b
		}
		if err := b.Index(d.ID, map[string]string{"text": d.words()}); err != nil {
			return err
		}
	}
	for scope, b := range batches {
		if err := p.scopes[scope].Batch(b); err != nil {
			return err
		}
	}
	return nil
}

func (p *bleveIndex) open(scope string) (bleve.Index, error) {
	x, err := bleve.New(filepath.Join(p.dir, strconv.Itoa(len(p.scopes))), bleveMapping())
	if err == nil {
		p.scopes[scope] = x
	}
	return x, err
}

func bleveMapping() mapping.IndexMapping {
	text := bleve.NewTextFieldMapping()
	text.Analyzer = en.AnalyzerName
	text.Store, text.IncludeTermVectors, text.IncludeInAll, text.DocValues = false, false, false, false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("text", text)
	m := bleve.NewIndexMapping()
	m.DefaultMapping = doc
	m.ScoringModel = bleveindex.BM25Scoring
	return m
}

func (p *bleveIndex) name() string { return Bleve }

func (p *bleveIndex) rank(ctx context.Context, q question) ([]hit, error) {
	x := p.scopes[q.scope]
	if x == nil {
		return nil, nil
	}
	match := bleve.NewMatchQuery(q.prompt)
	match.SetField("text")
	request := bleve.NewSearchRequestOptions(match, rankingDepth, 0, false)
	request.SortBy([]string{"-_score", "_id"}) // otherwise the order of equal scores varies
	found, err := x.SearchInContext(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("search bleve: %w", err)
	}
	hits := make([]hit, len(found.Hits))
	for i, h := range found.Hits {
		hits[i] = hit{h.ID, h.Score}
	}
	return hits, nil
}

func (p *bleveIndex) close() error {
	var errs []error
	for _, x := range p.scopes {
		errs = append(errs, x.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(p.dir))...)
}
