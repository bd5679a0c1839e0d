package recall

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"recollect/internal/recall/relevance"
)

// A scored is the third stage: the candidates that are relevant enough to be looked at further, among
// them the turns near the best ones.
type scored struct {
	*candidates
	relevant []*candidate
	leading  *candidate // the best one, if its session leads, or nil
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
	if t.req.Retriever == Vector {
		for _, c := range best {
			c.relevance = c.Features[relevance.Cosine]
		}
	}
	leading, err := r.findLeading(t, best)
	if err != nil {
		return nil, err
	}
	s, floor := &scored{candidates: t, leading: leading}, t.floor()
	s.relevant = slices.DeleteFunc(best, func(c *candidate) bool {
		return c.relevance < floor && !s.ofLeading(c) || !r.readMemory(c)
	})
	return s, nil
}

// alwaysConsidered is how many candidates are looked at further at least; beyond them only those that are relevant
// enough by themselves.
const alwaysConsidered = 24

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
	floor := t.floor()
	for i, c := range found {
		if i >= alwaysConsidered && c.relevance < floor {
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
	z := t.modelFor(c).Logit(&c.Features)
	if t.isElsewhere(c) {
		z += t.otherOdds
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
