package recall

import (
	"context"
	"fmt"

	"recollect/internal/index/vectors"
	"recollect/internal/memory"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/request"
	"recollect/internal/recall/terms"
	"recollect/internal/system/crash"
)

// A meaning is what the vectors return for a prompt.
type meaning struct {
	from   *vectors.Retriever // nil where there is none, or it failed
	query  []float32          // the prompt's embedding
	hits   []vectors.Hit
	mean   float64          // see MeanOf
	spread relevance.Spread // of the cosines with all memories
	err    error
}

// maxEmbedded is how much of a prompt is embedded, in bytes.
const maxEmbedded = 4 << 10

// embeddedText returns what is embedded of a prompt: its first part, where the user's own
// synonyms stand for words that no memory has, and whose meaning no embedder can know.
func (r *Recall) embeddedText(prompt string, t *terms.Thesaurus) string {
	return t.Translate(memory.Clip(prompt, maxEmbedded), func(term string) bool {
		found, _, err := r.Index.Frequencies([]string{term})
		return err != nil || found[0] > 0
	})
}

// startMeaning looks for the memories nearest to a query by meaning, while the caller looks for its words,
// and sends them.
func (r *Recall) startMeaning(ctx context.Context, q *query, t *terms.Thesaurus) <-chan meaning {
	answer := make(chan meaning, 1)
	go func() {
		var m meaning
		err := crash.Catch(func() error {
			m = r.findNearest(ctx, q, t)
			return nil
		})
		if err != nil {
			m = meaning{err: err}
		}
		answer <- m
	}()
	return answer
}

// findNearest finds the memories nearest to a query by meaning.
func (r *Recall) findNearest(ctx context.Context, q *query, t *terms.Thesaurus) meaning {
	v, req := r.vectors.Load(), q.req
	if v == nil || req.Retriever == request.Lexical {
		return meaning{}
	}
	query, err := v.Embedder.EmbedQuery(ctx, r.embeddedText(q.Prompt, t))
	if err != nil {
		return meaning{err: err}
	}
	search := vectors.Query{
		Vector: query, Limit: q.limit,
		Label: vectors.LabelOf(req.Filter.Project), Admit: r.admitsByID(req.Filter),
	}
	if req.Filter.Project == "" {
		search.Own = vectors.Labels{vectors.LabelOf(req.Project.Name), vectors.LabelOf(req.Project.Path)}
	}
	found, err := v.File.Search(ctx, search)
	if err != nil {
		return meaning{err: fmt.Errorf("search vectors: %w", err)}
	}
	return meaning{from: v, query: query, hits: append(found.Hits, found.Own...), mean: relevance.MeanOf(found.Hits), spread: relevance.Spread(found.Spread)}
}

// admitsByID returns the check of a filter by id. It reads the store, so it is nil
// where the filter has no source: a project is known by the vectors' labels.
func (r *Recall) admitsByID(f request.Filter) func(id string) bool {
	if f.Source == "" {
		return nil
	}
	return func(id string) bool {
		m, err := r.Store.Get(id)
		return err == nil && f.Admits(&m)
	}
}
