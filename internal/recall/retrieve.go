package recall

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"recollect/internal/index"
	"recollect/internal/index/vectors"
	"recollect/internal/recall/terms"
	"recollect/internal/system/crash"
)

// meaningOf finds the memories nearest to a prompt by meaning.
func (r *Recall) meaningOf(ctx context.Context, prompt string, t *terms.Thesaurus, req Request) meaning {
	v := r.vectors.Load()
	if v == nil || req.Retriever == Lexical {
		return meaning{}
	}
	query, err := v.Embedder.EmbedQuery(ctx, r.embedded(prompt, t))
	if err != nil {
		return meaning{err: err}
	}
	search := vectors.Query{
		Vector: query, Limit: req.Settings.Recall.Candidates,
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

// leastOdds are odds that are as good as 0, with a logarithm that an explanation can state.
const leastOdds = 1e-9

// retrieve finds the candidates for a query and sets their relevance. share
// scales it.
func (r *Recall) retrieve(ctx context.Context, q *terms.Query, req Request, share float64) (*retrieval, error) {
	synonyms := &terms.Thesaurus{}
	if req.Settings.Recall.SynonymWeight > 0 {
		synonyms = r.synonymsOf(req.Settings.Synonyms)
	}
	answer := make(chan meaning, 1)
	go func() {
		var m meaning
		err := crash.Catch(func() error {
			m = r.meaningOf(ctx, q.Prompt, synonyms, req)
			return nil
		})
		if err != nil {
			m = meaning{err: err}
		}
		answer <- m
	}()
	search, scorer, err := r.prepare(ctx, q, synonyms, req)
	if err != nil {
		<-answer
		return nil, err
	}
	hits, err := r.Index.Search(ctx, search, req.Settings.Recall.Candidates)
	t := &retrieval{
		fitted: map[string]bool{}, texts: &r.texts, pairs: search.Pairs, verdicts: &r.verdicts, req: req, synonyms: synonyms, scorer: scorer, meaning: <-answer, share: share,
		otherOdds: math.Log(max(leastOdds, req.Settings.Project.OtherOdds)),
	}
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
	first := t.found
	t.found = nil // none has been judged yet
	t.found = r.judge(t, first)
	if err := r.inContext(ctx, t, search); err != nil {
		return nil, err
	}
	return t, r.decide(t)
}

// prepare makes the search for a query, and the scorer of what it finds.
func (r *Recall) prepare(ctx context.Context, q *terms.Query, t *terms.Thesaurus, req Request) (index.Query, scorer, error) {
	settings := req.Settings.Recall
	weighed, err := q.Weigh(t, settings.SynonymWeight, settings.Terms, r.Index.Frequencies)
	if err != nil {
		return index.Query{}, scorer{}, err
	}
	docs := weighed.Docs
	*q = weighed.Query
	search := index.Query{Terms: weighed.Terms, Pairs: weighed.Pairs, Filter: index.Filter{Sources: req.Filter.Sources}}
	chances := float64(docs)
	if project := req.Filter.Project; project != "" {
		search.Filter.Projects = []string{project}
	} else if search.Own = req.Project; !search.Own.Zero() {
		own, err := r.Index.HeldIn(ctx, search.Own)
		if err != nil {
			return index.Query{}, scorer{}, fmt.Errorf("count memories of the project: %w", err)
		}
		chances = float64(own) + req.Settings.Project.OtherOdds*float64(docs-own)
	}
	return search, newScorer(q, chances, search.Pairs, weighed.Owners), nil
}

// choose chooses the models for the embedder that answered.
func (t *retrieval) choose() {
	t.byID = map[string]*candidate{}
	t.words = modelOf(wordsOnly)
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
			c = t.newCandidate(h.ID)
			c.lexicalRank = i + 1
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

// rest returns the candidates that were dropped on the way, with their
// outcomes, for an explanation.
func (r *Recall) rest(t *retrieval, q terms.Query) []*candidate {
	found := make(map[string]bool, len(t.found))
	for _, c := range t.found {
		found[c.id] = true
	}
	var rest []*candidate
	for _, id := range slices.Sorted(maps.Keys(t.byID)) {
		if c := t.byID[id]; !found[id] && r.read(c) {
			t.check(c, q)
			rest = append(rest, c)
		}
	}
	return rest
}

// decide sets the relevance of every candidate, drops those below the floor, and reads the rest.
func (r *Recall) decide(t *retrieval) error {
	floor := t.req.floor()
	setBehind(t.found)
	for _, c := range t.found {
		t.scorer.around(c, t.req.Agent)
		c.relevance = t.relevance(c)
	}
	if err := r.compareParts(t, floor); err != nil {
		return err
	}
	if t.req.Retriever == Vector {
		for _, c := range t.found {
			c.relevance = c.features[featCosine]
		}
	}
	if err := r.findLeading(t); err != nil {
		return err
	}
	t.found = slices.DeleteFunc(t.found, func(c *candidate) bool {
		return c.relevance < floor && !t.ofLeading(c) || !r.read(c)
	})
	return nil
}
