package recall

import (
	"context"
	"fmt"
	"math"
	"slices"

	"recollect/internal/index"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/terms"
)

// candidates are the second stage: every memory that has the words of a query or is near it by meaning,
// with what it has in common with the query by itself.
type candidates struct {
	query              // with its terms weighed
	search index.Query // by which they were found

	synonyms     *terms.Thesaurus
	meaning      meaning
	scorer       scorer
	model        *relevance.Model
	words        *relevance.Model // for memories without a vector
	otherLogOdds float64          // logarithm of project.other_odds, added to the logit of what is of another project
	candidatePool
	found []*candidate
}

// hitsOfRetriever is how many memories each retriever hands on. Each costs a prompt the time of its features, and
// what is behind fifty others both by its words and by its meaning has little to say for itself.
const hitsOfRetriever = 50

// findCandidates finds the candidates for a query, by its words and by its meaning at once.
func (r *Recall) findCandidates(ctx context.Context, q *query) (*candidates, error) {
	synonyms := &terms.Thesaurus{}
	if q.req.Settings.Recall.SynonymWeight > 0 {
		synonyms = r.synonymsOf(q.req.Settings.Synonyms)
	}
	nearest := r.startMeaning(ctx, q, synonyms)
	t, err := r.prepareSearch(ctx, q, synonyms)
	if err != nil {
		<-nearest
		return nil, err
	}
	hits, err := r.searchIndex(ctx, t.search, q.limit)
	t.setMeaning(<-nearest)
	if err != nil {
		return nil, err
	}
	if len(hits) > 0 {
		t.scorer.CompareWith(hits[0].Order())
	}
	t.addHits(hits)
	if also := t.addNearest(); len(also) > 0 {
		if hits, err = r.measureWords(ctx, t, also); err != nil {
			return nil, err
		}
		t.addHits(hits)
	}
	t.found = slices.DeleteFunc(t.found, func(c *candidate) bool { return !r.locate(c) })
	t.compareMeaning(t.found)
	return t, nil
}

// leastOdds are odds that are as good as 0, with a logarithm that an explanation can state.
const leastOdds = 1e-9

// prepareSearch makes the search for a query, and the scorer of what it finds.
func (r *Recall) prepareSearch(ctx context.Context, q *query, synonyms *terms.Thesaurus) (*candidates, error) {
	req := q.req
	weighed, err := q.Weigh(synonyms, req.Settings.Recall.SynonymWeight, r.Index.Frequencies)
	if err != nil {
		return nil, err
	}
	t := &candidates{query: *q, synonyms: synonyms, otherLogOdds: math.Log(max(leastOdds, req.Settings.Project.OtherOdds))}
	t.Query = weighed.Query
	t.search = index.Query{Terms: weighed.Terms, Pairs: weighed.Pairs, Filter: index.Filter{Sources: req.Filter.Sources}}
	chances := float64(weighed.Docs)
	if project := req.Filter.Project; project != "" {
		t.search.Filter.Projects = []string{project}
	} else if t.search.Own = req.Project; !t.search.Own.Zero() {
		own, err := r.Index.HeldIn(ctx, t.search.Own)
		if err != nil {
			return nil, fmt.Errorf("count memories of the project: %w", err)
		}
		chances = float64(own) + req.Settings.Project.OtherOdds*float64(weighed.Docs-own)
	}
	t.scorer = scorer{relevance.NewScorer(&t.Query, chances, weighed.Pairs, weighed.Owners)}
	t.candidatePool = candidatePool{byID: map[string]*candidate{}, clauses: len(t.Clauses)}
	return t, nil
}

func (r *Recall) searchIndex(ctx context.Context, search index.Query, limit int) ([]index.Hit, error) {
	hits, err := r.Index.Search(ctx, search, limit)
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	return hits, nil
}

// measureWords returns what memories have of the words of a query, whatever place that gives them.
func (r *Recall) measureWords(ctx context.Context, t *candidates, ids []string) ([]index.Hit, error) {
	search := t.search
	search.Also = ids
	return r.searchIndex(ctx, search, 0)
}

// setMeaning sets what meaning found, and the models for the embedder that answered.
func (t *candidates) setMeaning(m meaning) {
	t.meaning = m
	t.words = relevance.ModelOf(relevance.WordsOnly)
	t.model = t.words
	if m.from != nil {
		t.model = relevance.ModelOf(m.from.Embedder.Kind())
	}
}

// addHits makes candidates of what the index found.
func (t *candidates) addHits(hits []index.Hit) {
	for i, h := range hits {
		c := t.byID[h.ID]
		if c == nil {
			c = t.addCandidate(h.ID)
			c.lexicalRank = i + 1
			t.found = append(t.found, c)
		}
		t.scorer.SetWords(&c.Evidence, h)
	}
}

// addNearest makes candidates of what meaning found, and lists those that the words did not find.
func (t *candidates) addNearest() []string {
	var ids []string
	for i, h := range t.meaning.hits {
		c := t.byID[h.ID]
		if c == nil {
			c = t.addCandidate(h.ID)
			t.found = append(t.found, c)
			ids = append(ids, h.ID)
		}
		c.vectorRank = i + 1
	}
	return ids
}

// compareMeaning sets the features that the vectors give.
func (t *candidates) compareMeaning(found []*candidate) {
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
		if c.Embedded = !math.IsNaN(cos); c.Embedded {
			c.Cosine, c.Closeness, c.Distance = cos, cos-m.mean, m.spread.Distance(cos)
		}
	}
}
