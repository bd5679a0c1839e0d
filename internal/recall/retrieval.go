package recall

import (
	"cmp"
	"math"
	"recollect/internal/index"
	"slices"

	"recollect/internal/index/vectors"
	"recollect/internal/memory"
	"recollect/internal/recall/brief"
	"recollect/internal/recall/terms"
	"recollect/internal/text/consolidate"
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

// embedded returns what is embedded of a prompt: its first part, where the user's own
// synonyms stand for words that no memory has, and whose meaning no embedder can know.
func (r *Recall) embedded(prompt string, t *terms.Thesaurus) string {
	return t.Translate(memory.Clip(prompt, maxEmbedded), func(term string) bool {
		found, _, err := r.Index.Frequencies([]string{term})
		return err != nil || found[0] > 0
	})
}

// A retrieval is what the retrievers found for one prompt.
type retrieval struct {
	req      Request
	pairs    []index.Pair
	texts    *texts
	verdicts *consolidate.Verdicts
	synonyms *terms.Thesaurus
	scorer   scorer
	meaning  meaning
	model    *model
	words    *model // for memories without a vector
	share    float64
	// otherOdds is the logarithm of project.other_odds, which is added to the logit of what is of
	// another project.
	otherOdds float64
	topic     bool // the prompt goes on with the topic of the one before it
	found     []*candidate
	byID      map[string]*candidate
	free      []candidate            // made, but not in use
	briefs    map[string]brief.Brief // of the sessions that may be injected

	fitted map[string]bool // sessions of which the brief was fitted

	leading *candidate // the best one, if its session leads, or nil
}

// candidatesAtOnce is how many candidates are made at a time, which takes less time than one by one.
const candidatesAtOnce = 32

// newCandidate makes a candidate of a memory.
func (t *retrieval) newCandidate(id string) *candidate {
	if len(t.free) == 0 {
		t.free = make([]candidate, candidatesAtOnce)
		clauses := len(t.scorer.q.Clauses)
		met := make([]float64, candidatesAtOnce*clauses)
		for i := range t.free {
			t.free[i].met = met[i*clauses:][:clauses]
		}
	}
	c := &t.free[0]
	t.free = t.free[1:]
	c.id = id
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
			c.cosine, c.closeness, c.distance = cos, cos-m.mean, m.distance(cos)
		}
	}
}

func (t *retrieval) modelFor(c *candidate) *model {
	if c.embedded {
		return t.model
	}
	return t.words
}

// considered is how many candidates are looked at at least; beyond them only those that are relevant
// enough by themselves.
const considered = 24

// judge sets the relevance of the candidates that are still there, and returns, best first, those
// that are to be looked at further.
func (r *Recall) judge(t *retrieval, found []*candidate) []*candidate {
	found = slices.DeleteFunc(found, func(c *candidate) bool { return !r.locate(c) })
	for _, c := range found {
		t.scorer.finish(c)
	}
	setBehind(slices.Concat(t.found, found))
	for _, c := range found {
		c.relevance = t.relevance(c)
	}
	sortByRelevance(found)
	floor := t.req.floor()
	for i, c := range found {
		if i >= considered && c.relevance < floor {
			return found[:i]
		}
		c.considered = true
	}
	return found
}

func sortByRelevance(found []*candidate) {
	slices.SortStableFunc(found, func(a, b *candidate) int { return cmp.Compare(b.relevance, a.relevance) })
}

// relevance returns how relevant a candidate is by its features and its project.
func (t *retrieval) relevance(c *candidate) float64 {
	z := t.modelFor(c).logit(&c.features)
	if t.elsewhere(c) {
		z += t.otherOdds
	}
	return probability(z) * t.share
}

// elsewhere reports whether a candidate is of another project, which the prompt does not name.
func (t *retrieval) elsewhere(c *candidate) bool {
	req, project := &t.req, c.made.Project
	if req.Filter.Project != "" || req.Project.Zero() || project.Zero() {
		return false
	}
	return !project.Same(req.Project) && !project.Above(req.Project) && !t.scorer.q.Names(project.Name)
}

// locate finds out when, where, for which project and by whom the memory of a candidate was made,
// and reports whether it is there: it may have been deleted since it was indexed. Most
// candidates are dropped for what this tells, and reading a memory takes longer than finding it.
func (r *Recall) locate(c *candidate) (ok bool) {
	c.made, ok = r.Store.Where(c.id)
	return ok
}

// read reads the memory of a candidate, unless it has been read, and reports whether it is there:
// it may have been deleted, or become unreadable, since it was indexed.
func (r *Recall) read(c *candidate) bool {
	if c.memory != nil {
		return true
	}
	m, err := r.Store.Get(c.id)
	if err != nil || !r.locate(c) {
		return false
	}
	c.memory = &m
	c.superseded = r.Store.SupersededBy(c.id)
	c.apart = r.apart(&m)
	return true
}
