package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"recollect/internal/index"
	"recollect/internal/index/vectors"
	"recollect/internal/memory"
)

// Legs name the retrievers that a request may ask for alone.
const (
	Lexical = "lexical" // words
	Vector  = "vector"  // meaning
)

// UseVectors makes v the retriever by meaning; nil leaves the words alone. It
// may be called while recalls are under way.
func (r *Recall) UseVectors(v *Vectors) { r.vectors.Store(v) }

// A meaning is what the vectors say about a prompt.
type meaning struct {
	from  *Vectors  // nil where there is none, or it failed
	query []float32 // the prompt's embedding
	hits  []vectors.Hit
	mean  float64 // see meanOf
	err   error
}

// The mean cosine of a few hits says little: where there are two memories, one
// of which repeats the prompt, it makes the other look far off. So some more
// are counted in, with the cosine that memories near a topic often have, as
// rarity counts other memories in.
const (
	strangers      = 10
	strangerCosine = 0.3
)

// meanOf returns the mean cosine of hits and strangers.
func meanOf(hits []vectors.Hit) float64 {
	sum := strangers * strangerCosine
	for _, h := range hits {
		sum += h.Cosine
	}
	return sum / float64(len(hits)+strangers)
}

// meaningOf finds what is near to a prompt by meaning.
func (r *Recall) meaningOf(ctx context.Context, prompt string, req Request) meaning {
	v := r.vectors.Load()
	if v == nil || req.Leg == Lexical {
		return meaning{}
	}
	query, err := v.Embedder.EmbedQuery(ctx, meant(prompt))
	if err != nil {
		return meaning{err: err}
	}
	hits, err := v.File.Search(ctx, query, vectors.LabelOf(req.Filter.Project), req.Settings.Recall.Candidates, r.admits(req.Filter))
	if err != nil {
		return meaning{err: fmt.Errorf("search vectors: %w", err)}
	}
	return meaning{from: v, query: query, hits: hits, mean: meanOf(hits)}
}

// maxMeant is how much of a prompt its meaning is taken from, in bytes.
const maxMeant = 4 << 10

func meant(prompt string) string { return memory.Clip(prompt, maxMeant) }

// admits returns the check of a filter by id. It reads the store, so it is nil
// where the filter has no source: a project is told by the vectors' labels.
func (r *Recall) admits(f Filter) func(id string) bool {
	if f.Source == "" {
		return nil
	}
	return func(id string) bool {
		m, err := r.Store.Get(id)
		return err == nil && f.admits(&m)
	}
}

// A retrieval is what the retrievers found for one prompt.
type retrieval struct {
	req     Request
	scorer   scorer
	meaning meaning
	model   *model
	words   *model // for memories without a vector
	share   float64
	topic   bool // the prompt goes on with the topic of the one before it
	found   []*candidate
	byID    map[string]*candidate
}

// retrieve finds the candidates for a query and sets their relevance. share
// scales it.
func (r *Recall) retrieve(ctx context.Context, q *query, req Request, share float64) (*retrieval, error) {
	answer := make(chan meaning, 1)
	go func() { answer <- r.meaningOf(ctx, q.prompt, req) }()
	search, scorer, err := r.prepare(q, req)
	if err != nil {
		<-answer
		return nil, err
	}
	hits, err := r.Index.Search(ctx, search, req.Settings.Recall.Candidates)
	t := &retrieval{req: req, scorer: scorer, meaning: <-answer, share: share}
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	t.choose()
	if len(hits) > 0 {
		t.scorer.compareWith(hits[0].Order())
	}
	t.add(hits)
	if search.Also = t.unknown(); len(search.Also) > 0 {
		if hits, err = r.Index.Search(ctx, search, 0); err != nil {
			return nil, fmt.Errorf("search index: %w", err)
		}
		t.add(hits)
	}
	t.compare(t.found)
	t.found = r.load(t, t.found)
	if err := r.inContext(ctx, t, search); err != nil {
		return nil, err
	}
	t.decide()
	return t, nil
}

// prepare makes the search for a query, and the scorer of what it finds.
func (r *Recall) prepare(q *query, req Request) (index.Query, scorer, error) {
	settings := req.Settings.Recall
	q.shorten()
	if settings.SynonymWeight > 0 {
		q.widen(r.synonymsOf(req.Settings.Synonyms))
	}
	frequencies, docs, err := r.Index.Frequencies(q.terms())
	if err != nil {
		return index.Query{}, scorer{}, fmt.Errorf("count terms: %w", err)
	}
	q.weigh(frequencies, docs)
	q.trim(settings.Terms)
	terms, owner := searchTerms(q, settings.SynonymWeight)
	search := index.Query{Terms: terms, Pairs: q.searchPairs(), Filter: index.Filter{Project: req.Filter.Project, Sources: req.Filter.Sources}}
	return search, newScorer(q, search.Pairs, owner, settings.SynonymWeight), nil
}

// choose takes the models for the embedder that answered.
func (t *retrieval) choose() {
	t.byID = map[string]*candidate{}
	t.words = modelOf(wordsAlone)
	t.model = t.words
	if t.meaning.from != nil {
		t.model = modelOf(t.meaning.from.Embedder.Kind())
	}
}

// add makes candidates of what the index found.
func (t *retrieval) add(hits []index.Hit) {
	for i, h := range hits {
		c := t.byID[h.ID]
		if c == nil {
			c = &candidate{id: h.ID, lexicalRank: i + 1}
			t.byID[h.ID] = c
			t.found = append(t.found, c)
		}
		t.scorer.words(c, h)
	}
}

// unknown lists the memories that only the vectors found.
func (t *retrieval) unknown() []string {
	var ids []string
	for i, h := range t.meaning.hits {
		c := t.byID[h.ID]
		if c == nil {
			c = t.newCandidate(h.ID)
			t.found = append(t.found, c)
			ids = append(ids, h.ID)
		}
		c.vectorRank = i + 1
	}
	return ids
}

// newCandidate makes a candidate of a memory that the words did not find.
func (t *retrieval) newCandidate(id string) *candidate {
	c := &candidate{id: id, met: make([]float64, len(t.scorer.q.clauses))}
	t.byID[id] = c
	return c
}

// compare sets the features that the vectors give.
func (t *retrieval) compare(found []*candidate) {
	m := t.meaning
	if m.from == nil {
		return
	}
	ids := make([]string, len(found))
	for i, c := range found {
		ids[i] = c.id
	}
	for i, cos := range m.from.File.Cosines(m.query, ids) {
		c := found[i]
		if c.embedded = !math.IsNaN(cos); c.embedded {
			c.cosine, c.closeness = cos, cos-m.mean
		}
	}
}

// considered is how many candidates are looked at more closely besides those
// that are relevant enough by themselves. Reading a memory costs more than
// finding it.
const considered = 24

// load reads the memories of the candidates that may be told, and returns
// those.
func (r *Recall) load(t *retrieval, found []*candidate) []*candidate {
	for _, c := range found {
		t.scorer.finish(c)
		c.relevance = probability(t.modelOf(c).logit(&c.features)) * t.share
	}
	slices.SortStableFunc(found, func(a, b *candidate) int { return cmp.Compare(b.relevance, a.relevance) })
	floor := t.req.floor()
	kept := found[:0]
	for i, c := range found {
		if i >= considered && c.relevance < floor {
			break
		}
		if r.read(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// read reads the memory of a candidate and reports whether it is there: it may
// have been deleted, or become unreadable, since it was indexed.
func (r *Recall) read(c *candidate) bool {
	var err error
	if c.memory, err = r.Store.Get(c.id); err != nil {
		return false
	}
	c.superseded = r.Store.SupersededBy(c.id)
	return true
}

// rest returns the candidates that were dropped on the way, with their
// outcomes, for an explanation.
func (r *Recall) rest(t *retrieval, q query) []*candidate {
	for _, c := range t.found {
		delete(t.byID, c.id)
	}
	var rest []*candidate
	for _, id := range slices.Sorted(maps.Keys(t.byID)) {
		if c := t.byID[id]; c.memory.ID != "" || r.read(c) {
			t.check(c, q)
			rest = append(rest, c)
		}
	}
	return rest
}

func (t *retrieval) modelOf(c *candidate) *model {
	if c.embedded {
		return t.model
	}
	return t.words
}

// decide sets the relevance of every candidate, and drops those below the
// least that is told.
func (t *retrieval) decide() {
	floor := t.req.floor()
	for _, c := range t.found {
		t.scorer.around(c, t.req.Speaker)
		c.relevance = probability(t.modelOf(c).logit(&c.features)) * t.share
		if t.req.Leg == Vector {
			c.relevance = c.features[featCosine]
		}
	}
	t.found = slices.DeleteFunc(t.found, func(c *candidate) bool { return c.relevance < floor })
}
