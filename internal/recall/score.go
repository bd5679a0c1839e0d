package recall

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"recollect/internal/api"
	"recollect/internal/index/vectors"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/request"
)

// A scored is the third stage: the candidates that are relevant enough to be looked at further, among
// them the turns near the best ones.
type scored struct {
	*candidates
	examined []*candidate // those that were looked at closely, the most relevant first
	relevant []*candidate
	worth    *api.Worth // of saying something
	noted    bool       // something that was stored on purpose is relevant
}

// scoreCandidates sets the relevance of candidates, drops those below the floor, and reads the rest.
func (r *Recall) scoreCandidates(ctx context.Context, t *candidates) (*scored, error) {
	best, err := r.scoreInContext(ctx, t, t.scoreAlone(nil, t.found))
	if err != nil {
		return nil, err
	}
	relevance.SetBehind(evidenceOf(best))
	for _, c := range best {
		t.scorer.SetWhoAndWhen(&c.Evidence, c.made.Agent, c.made.OccurredAt, t.req.Agent)
		c.relevance = t.relevanceOf(c)
	}
	if err := r.compareParts(t, best); err != nil {
		return nil, err
	}
	if sortByRelevance(best); len(best) > mostRead && !t.all {
		best = best[:mostRead]
	}
	s, floor := &scored{candidates: t, examined: best, worth: r.worthOf(t, best)}, t.floor()
	s.noted = slices.ContainsFunc(best, (*candidate).isNoted)
	if s.isSilent() {
		return s, nil // nothing of them is read
	}
	s.relevant = slices.DeleteFunc(slices.Clone(best), func(c *candidate) bool {
		return c.relevance < floor || !r.readMemory(c)
	})
	return s, nil
}

// mostRead is how many memories are looked at further, and read for what they say, the most relevant: of those that
// answer a prompt nearly all are among them.
const mostRead = 28

// scoreAlone scores candidates by themselves, beside others that were scored before, and returns
// these and, best first, those that are to be looked at further.
func (t *candidates) scoreAlone(before, found []*candidate) []*candidate {
	for _, c := range found {
		t.scorer.SetRest(&c.Evidence)
	}
	all := slices.Concat(before, found)
	relevance.SetBehind(evidenceOf(all))
	found = all[len(before):]
	for _, c := range found {
		c.relevance = t.relevanceOf(c)
	}
	sortByRelevance(found)
	for i, c := range found {
		if i == mostRead && !t.all {
			return all[:len(before)+i]
		}
		c.considered = true
	}
	return all
}

// evidenceOf goes through the evidence for candidates.
func evidenceOf(found []*candidate) iter.Seq[*relevance.Evidence] {
	return func(yield func(*relevance.Evidence) bool) {
		for _, c := range found {
			if !yield(&c.Evidence) {
				return
			}
		}
	}
}

func sortByRelevance(found []*candidate) {
	slices.SortStableFunc(found, func(a, b *candidate) int { return cmp.Compare(b.relevance, a.relevance) })
}

// modelFor returns the model by which a candidate is scored.
func (t *candidates) modelFor(c *candidate) *relevance.Model {
	if c.Embedded {
		return t.model
	}
	return t.words
}

// relevanceOf returns how relevant a candidate is by its features and its project.
func (t *candidates) relevanceOf(c *candidate) float64 {
	if t.req.Retriever == request.Vector {
		return c.Features[relevance.Cosine]
	}
	z := t.modelFor(c).Logit(&c.Features)
	if t.isElsewhere(c) {
		z += t.otherLogOdds
	}
	return relevance.Probability(z) * t.share
}

// isElsewhere reports whether a candidate is of another project, which the prompt does not name.
func (t *candidates) isElsewhere(c *candidate) bool {
	req, project := t.req, c.made.Project
	if req.Filter.Project != "" || req.Project.Zero() || project.Zero() {
		return false
	}
	return !project.Same(req.Project) && !project.Above(req.Project) && !t.Names(project.Name)
}

// mostCompared is how many candidates of a prompt are compared by their parts, the best.
const mostCompared = 12

// leastCompared is the relevance below which a candidate is not compared, because that takes time and few gain much.
const leastCompared = 0.15

// compareParts sets how far parts of candidates are like the prompt, and with it the relevance,
// where that can matter. The features are fitted for memories that the vectors know.
func (r *Recall) compareParts(t *candidates, scored []*candidate) error {
	isOut := func(c *candidate) bool { return !c.Embedded || c.relevance < leastCompared && !t.all }
	best := slices.DeleteFunc(slices.Clone(scored), isOut)
	if len(best) > mostCompared && !t.all {
		sortByRelevance(best)
		best = best[:mostCompared]
	}
	if len(best) == 0 {
		return nil
	}
	with, err := r.newComparison(t)
	if err != nil {
		return err
	}
	for _, c := range best {
		if p := r.partsOf(with, c); p != nil {
			with.SetParts(&c.Evidence, p)
			c.relevance = t.relevanceOf(c)
		}
	}
	return nil
}

func (r *Recall) newComparison(t *candidates) (*relevance.Comparison, error) {
	m := &t.meaning
	if m.from == nil {
		return relevance.NewComparison(&t.scorer.Scorer, nil, "", &m.spread, &r.parts)
	}
	return relevance.NewComparison(&t.scorer.Scorer, m.query, m.from.Embedder.Version(), &m.spread, &r.parts)
}

// partsOf returns the parts of a candidate, or nil if its memory cannot be read.
func (r *Recall) partsOf(with *relevance.Comparison, c *candidate) *relevance.Parts {
	return with.PartsOf(c.id, c.made.Line, func() (string, bool) {
		if !r.readMemory(c) {
			return "", false
		}
		return vectors.Passage(c.memory), true
	})
}
