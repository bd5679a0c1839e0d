package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/orientation"
	"recollect/internal/text/activity"
	"recollect/rankers"
)

// A chosen is the fourth stage: all that was found to matter to a prompt, in order of rank, with why some of
// it is held back.
type chosen struct {
	*scored
	ranked []*candidate // those that are held back last
	passed []string     // memories that passed the gates, or were injected before, in order of rank
}

// chooseCandidates adds what matters to a prompt for another reason than its words, holds back what may
// not be injected, and puts the rest in order.
func (r *Recall) chooseCandidates(ctx context.Context, t *scored) (*chosen, error) {
	found, err := r.addForActivities(ctx, t, slices.Clone(t.relevant))
	if err != nil {
		return nil, err
	}
	found = r.addSuccessors(t, found)
	t.holdBack(found)
	rankCandidates(found, &t.query)
	passed := t.holdSame(found, r.onSameTopic(t.candidates))
	if t.req.All {
		rest, err := r.explainRest(ctx, t, found)
		if err != nil {
			return nil, err
		}
		found = append(found, rest...)
	}
	return &chosen{scored: t, ranked: found, passed: passed}, nil
}

// explainRest returns the candidates that are not among the found ones, with why they are not.
func (r *Recall) explainRest(ctx context.Context, t *scored, found []*candidate) ([]*candidate, error) {
	rest, err := r.readRest(ctx, t, found, t.limit)
	for _, c := range rest {
		if t.holdBackOne(c); !slices.Contains(t.examined, c) {
			c.outcome = api.OutcomeNotExamined
		}
	}
	rankCandidates(rest, &t.query)
	return rest, err
}

// readRest returns the candidates that are not among the found ones: what was looked at and dropped, and then what a
// prompt does not look at closely, looked at as closely for whoever wants to see it, when each retriever hands on so
// many.
func (r *Recall) readRest(ctx context.Context, t *scored, found []*candidate, limit int) (rest []*candidate, err error) {
	q := t.query
	q.all, q.limit = true, limit
	whole, err := r.scoreQuery(ctx, &q)
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(found))
	for _, c := range found {
		known[c.id] = true
	}
	for _, c := range slices.Concat(t.examined, whole.relevant) {
		if !known[c.id] && r.readMemory(c) {
			known[c.id], t.byID[c.id] = true, c
			rest = append(rest, c)
		}
	}
	return rest, nil
}

// samePrompt holds back what passed the gates at the prompt before on the same topic, was
// not injected then, and is no better an answer now.
const samePrompt = "ranks no better than for the prompt before, on the same topic"

// holdSame holds back what ranks no better than at the prompt before, if that was on the same topic,
// and returns the ids of what passed the gates, in order of rank. What was injected before
// takes its place among them.
func (t *scored) holdSame(found []*candidate, sameTopic bool) []string {
	var passed []string
	for _, c := range slices.SortedFunc(slices.Values(found), func(a, b *candidate) int { return a.rank - b.rank }) {
		if c.outcome != "" && c.outcome != api.OutcomeAlready {
			continue
		}
		before := slices.Index(t.req.Session.Passed, c.id)
		noBetter := before >= 0 && len(passed) >= before
		if c.outcome == "" && sameTopic && noBetter {
			c.outcome = samePrompt
		}
		passed = append(passed, c.id)
	}
	holdLast(found)
	return passed
}

// topicCosine is the cosine of two prompts from which on they are on the same topic: they say nearly the
// same, such as one asked again in other words. With less, a new question on a topic would go without an answer.
const topicCosine = 0.85

// onSameTopic reports whether the prompt goes on with the topic of the one before it: their
// cosine is above topicCosine. The embedder must still have the vector of that prompt.
func (r *Recall) onSameTopic(t *candidates) bool {
	if t.meaning.from == nil || len(t.req.Session.Passed) == 0 {
		return false
	}
	last, ok := t.meaning.from.Embedder.Known(r.embeddedText(t.req.LastPrompt, t.synonyms))
	if !ok {
		return false
	}
	cos := 0.0
	for i, x := range t.meaning.query {
		cos += float64(x) * float64(last[i])
	}
	return cos > topicCosine
}

// rankCandidates sorts candidates by score, those that a gate held back after the rest.
func rankCandidates(found []*candidate, q *query) {
	req := q.req
	byID := make(map[string]*candidate, len(found))
	in := make([]rankers.Candidate, len(found))
	for i, c := range found {
		project := c.memory.Home()
		source := req.Settings.Sources.Of(c.memory.Source)
		c.tokens = block.WholeTokens(c.memory)
		byID[c.memory.ID] = c
		in[i] = rankers.Candidate{
			ID:        c.memory.ID,
			Relevance: c.relevance,
			Weight:    source.Weight,
			Age:       req.AgeOf(c.memory),
			Uses:      req.UsesOf(c.memory.ID),
			Tokens:    c.tokens,

			HalfLife:    time.Duration(source.HalfLife),
			Importance:  c.memory.Importance,
			SameProject: project.Zero() || req.Applies(c.memory),
			Latest:      q.Latest,
		}
	}
	for i, r := range rankers.Rank(req.Settings.Rank.Ranker(), in) {
		found[i] = byID[r.ID]
		found[i].rank, found[i].score = i+1, r.Score
		if found[i].outcome == "" && r.Score.Value < req.Settings.Rank.Threshold {
			found[i].outcome = fmt.Sprintf("score below %v", req.Settings.Rank.Threshold)
		}
	}
	holdLast(found)
}

// holdLast moves what a gate held back behind the rest.
func holdLast(found []*candidate) {
	slices.SortStableFunc(found, func(a, b *candidate) int {
		return boolOrder(a.outcome != "", b.outcome != "")
	})
}

// Bounds of what matters to the activities that a prompt asks for.
const (
	bearingRelevance = 0.7 // what a memory has that matters to one, whatever words it shares with the prompt
	bearingRead      = 100 // memories that are read
	bearingItems     = 4   // that may be injected with one prompt
)

// addForActivities makes candidates of the wishes, patterns and failures of the project that bear
// on the activities that a prompt asks for: "never push" on "get it into the repo".
func (r *Recall) addForActivities(ctx context.Context, t *scored, found []*candidate) ([]*candidate, error) {
	if len(t.activities) == 0 || t.req.Retriever != "" {
		return found, nil
	}
	ids, err := r.Index.Bearing(ctx, t.activities, t.req.Project, bearingRead)
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	var bearing []*candidate
	for _, id := range ids {
		c := t.candidateOf(id)
		if r.readMemory(c) && c.superseded == "" && t.req.Applies(c.memory) && !t.isStale(c.memory) {
			bearing = append(bearing, c)
		}
	}
	slices.SortStableFunc(bearing, byBearing)
	for _, c := range bearing[:min(len(bearing), bearingItems)] {
		c.activity = activity.Shared(t.activities, activity.Of(c.memory))
		c.relevance = max(c.relevance, bearingRelevance)
		if !slices.Contains(found, c) {
			found = append(found, c)
		}
	}
	return found, nil
}

// mostStale is the age from which on a failure is told only at the call that it is about: most are mended by then.
const mostStale = 30 * 24 * time.Hour

// isStale reports whether a memory is a failure of long ago.
func (q *query) isStale(m *memory.Memory) bool {
	return m.Source == memory.Failures && q.req.AgeOf(m) > mostStale
}

// bearingSources are the sources of what matters to activities, in the order in which they count.
var bearingSources = []memory.Source{memory.Preferences, memory.Patterns, memory.Failures}

// byBearing puts what the user wants first, then what weighs more.
func byBearing(a, b *candidate) int {
	return cmp.Or(
		cmp.Compare(slices.Index(bearingSources, a.memory.Source), slices.Index(bearingSources, b.memory.Source)),
		orientation.ByWeight(a.memory, b.memory),
		cmp.Compare(a.id, b.id),
	)
}
