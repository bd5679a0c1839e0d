package bench

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
)

// A Pairing compares two rankings of the same queries by their NDCG@10, query by query.
type Pairing struct {
	Retriever, Other string
	Wins             int // queries that Retriever answers better
	Losses           int
	Ties             int
	Gain             float64 // mean NDCG@10 of Retriever minus that of Other
	// Chance is the probability of wins and losses at least as uneven as these if neither ranking is
	// better: the two-sided sign test.
	Chance float64
}

func (p Pairing) String() string {
	return fmt.Sprintf("%s against %s: %d better, %d worse, %d equal; NDCG@10 %+.1f, p %.3f",
		p.Retriever, p.Other, p.Wins, p.Losses, p.Ties, p.Gain*100, p.Chance)
}

// Pairs compares the first retriever of r with each of the others.
func (r *Report) Pairs() []Pairing {
	var pairs []Pairing
	names := r.names()
	for _, other := range names[1:] {
		pairs = append(pairs, pair(names[0], other, r.Retrievers[names[0]].PerQuery, r.Retrievers[other].PerQuery))
	}
	return pairs
}

// Against compares each retriever of r with the same retriever in a stored report.
func (r *Report) Against(stored *Report) ([]Pairing, error) {
	if r.Set != stored.Set || r.Field != stored.Field {
		return nil, fmt.Errorf("compare %s (%s) with a run of %s (%s): must be the same", r.Set, r.Field, stored.Set, stored.Field)
	}
	var pairs []Pairing
	for _, name := range r.names() {
		if was := stored.Retrievers[name]; was != nil {
			pairs = append(pairs, pair(name, "stored "+name, r.Retrievers[name].PerQuery, was.PerQuery))
		}
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("compare %s: the stored run has none of the legs", r.Set)
	}
	return pairs, nil
}

// Stored reads a report that was printed as JSON with all queries.
func Stored(path string) (*Report, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read stored run: %w", err)
	}
	var r Report
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("read stored run %s: %w", path, err)
	}
	for name, s := range r.Retrievers {
		if s == nil || len(s.PerQuery) == 0 {
			return nil, fmt.Errorf("read stored run %s: leg %s has no queries: it must be made with --per-query", path, name)
		}
	}
	return &r, nil
}

// pair compares the outcomes of the queries in both a and b.
func pair(retriever, other string, a, b map[string]Outcome) Pairing {
	p := Pairing{Retriever: retriever, Other: other}
	for _, id := range slices.Sorted(maps.Keys(a)) { // sorted, because floating-point sums depend on the order
		was, ok := b[id]
		if !ok {
			continue
		}
		diff := a[id].NDCG10 - was.NDCG10
		p.Gain += diff
		switch {
		case diff > 1e-9:
			p.Wins++
		case diff < -1e-9:
			p.Losses++
		default:
			p.Ties++
		}
	}
	if n := p.Wins + p.Losses + p.Ties; n > 0 {
		p.Gain /= float64(n)
	}
	p.Chance = signTest(p.Wins, p.Losses)
	return p
}

// signTest returns the probability that throws of a fair coin give wins and losses at least as uneven as
// these.
func signTest(wins, losses int) float64 {
	n := wins + losses
	sum := 0.0
	for k := range min(wins, losses) + 1 {
		sum += math.Exp(logChoose(n, k) - float64(n)*math.Ln2)
	}
	return min(1, 2*sum)
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}
