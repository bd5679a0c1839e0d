package recall

import (
	"context"

	"recollect/internal/recall/relevance"
)

// An Example is a candidate as the model of relevance sees it.
type Example struct {
	ID       string
	Embedded bool      // the vectors know it
	Features []float64 // named by FeatureNames, in that order
}

// FeatureNames returns the names of the features of an Example.
func FeatureNames() []string { return relevance.Names[:] }

// Examples returns the candidates for a prompt as the model of relevance sees
// them, for its training.
func (r *Recall) Examples(ctx context.Context, req Request) ([]Example, error) {
	t, err := r.scoreQuery(ctx, wholeQuery(&req, hitsOfRetriever))
	if err != nil {
		return nil, err
	}
	out := make([]Example, len(t.relevant))
	for i, c := range t.relevant {
		out[i] = Example{c.id, c.Embedded, append([]float64(nil), c.Features[:]...)}
	}
	return out, nil
}
