package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"recollect/internal/memory"
	"recollect/internal/text/activity"
)

// Bounds of what bears on the activities that a prompt asks for.
const (
	bearingRelevance = 0.7 // what a memory has that bears on one, whatever words it shares with the prompt
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
		if c := t.candidateOf(id); r.readMemory(c) && c.superseded == "" && t.req.applies(c.memory) {
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

// bearingSources are the sources of what bears on activities, in the order in which they count.
var bearingSources = []memory.Source{memory.Preferences, memory.Patterns, memory.Failures}

// byBearing puts what the user wants first, then what weighs more.
func byBearing(a, b *candidate) int {
	return cmp.Or(
		cmp.Compare(slices.Index(bearingSources, a.memory.Source), slices.Index(bearingSources, b.memory.Source)),
		byWeight(a.memory, b.memory),
		cmp.Compare(a.id, b.id),
	)
}
