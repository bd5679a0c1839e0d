package recall

import (
	"context"
	"fmt"

	"recollect/internal/index/vectors"
	"recollect/internal/memory"
	"recollect/internal/recall/terms"
	"recollect/internal/system/crash"
)

// A meaning is what the vectors return for a prompt.
type meaning struct {
	from   *Vectors  // nil where there is none, or it failed
	query  []float32 // the prompt's embedding
	hits   []vectors.Hit
	mean   float64        // see meanOf
	spread vectors.Spread // of the cosines with all memories
	err    error
}

// The mean cosine of a few hits is unreliable: of two memories, one that repeats the prompt would
// make the other seem unrelated. So assumedHits further hits are counted in, with a cosine that
// memories near a topic often have.
const (
	assumedHits   = 10
	assumedCosine = 0.3
)

// meanOf returns the mean cosine of the hits and the assumed hits.
func meanOf(hits []vectors.Hit) float64 {
	sum := assumedHits * assumedCosine
	for _, h := range hits {
		sum += h.Cosine
	}
	return sum / float64(len(hits)+assumedHits)
}

// distance returns how many standard deviations a cosine is above the mean of the store's. Of a
// few memories both are unreliable, so that it counts less: see known.
func (m *meaning) distance(cosine float64) float64 {
	return (cosine - m.spread.Mean) / max(leastDeviation, m.spread.Deviation) * m.known()
}

// known returns how far the spread of the store's cosines is known, in [0, 1): half where there are
// assumedHits.
func (m *meaning) known() float64 {
	n := float64(m.spread.Rows)
	return n / (n + assumedHits)
}

// leastDeviation keeps a store of the same memory again and again from making anything stand out.
const leastDeviation = 0.01

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
	if v == nil || req.Retriever == Lexical {
		return meaning{}
	}
	query, err := v.Embedder.EmbedQuery(ctx, r.embeddedText(q.Prompt, t))
	if err != nil {
		return meaning{err: err}
	}
	search := vectors.Query{
		Vector: query, Limit: q.limit,
		Label: vectors.LabelOf(req.Filter.Project), Admit: r.admits(req.Filter),
	}
	if req.Filter.Project == "" {
		search.Own = vectors.Labels{vectors.LabelOf(req.Project.Name), vectors.LabelOf(req.Project.Path)}
	}
	found, err := v.File.Search(ctx, search)
	if err != nil {
		return meaning{err: fmt.Errorf("search vectors: %w", err)}
	}
	return meaning{from: v, query: query, hits: append(found.Hits, found.Own...), mean: meanOf(found.Hits), spread: found.Spread}
}

// admits returns the check of a filter by id. It reads the store, so it is nil
// where the filter has no source: a project is known by the vectors' labels.
func (r *Recall) admits(f Filter) func(id string) bool {
	if f.Source == "" {
		return nil
	}
	return func(id string) bool {
		m, err := r.Store.Get(id)
		return err == nil && f.admits(&m)
	}
}
