package bench

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// rankingDepth is the number of documents of a ranking that count.
const rankingDepth = 10

// falseShare is the share of queries without an answer that may exceed the bound in kept.
const falseShare = 0.05

// An Outcome says how well one query was answered. Its measures are shares from 0 to 1.
type Outcome struct {
	R1        float64  `json:"R@1"`
	R5        float64  `json:"R@5"`
	R10       float64  `json:"R@10"`
	Hit5      float64  `json:"hit@5"`
	NDCG10    float64  `json:"NDCG@10"`
	RR        float64  `json:"RR"` // reciprocal rank, 0 beyond rank 10
	Relevance float64  `json:"relevance"`
	Docs      []string `json:"docs"` // the first ten documents
}

// measureRanking compares a ranking of documents with the relevant ones. There must be at least one.
func measureRanking(docs []string, relevant map[string]bool) Outcome {
	docs = docs[:min(rankingDepth, len(docs))]
	o := Outcome{
		R1: recallAt(1, docs, relevant), R5: recallAt(5, docs, relevant), R10: recallAt(10, docs, relevant),
		NDCG10: ndcg(docs, relevant), Docs: docs,
	}
	if first := slices.IndexFunc(docs, func(id string) bool { return relevant[id] }); first >= 0 {
		o.RR = 1 / float64(first+1)
	}
	if o.R5 > 0 {
		o.Hit5 = 1
	}
	return o
}

// recallAt returns the share of the relevant documents that are among the first k.
func recallAt(k int, docs []string, relevant map[string]bool) float64 {
	found := 0
	for _, id := range docs[:min(k, len(docs))] {
		if relevant[id] {
			found++
		}
	}
	return float64(found) / float64(len(relevant))
}

// ndcg returns the normalised discounted cumulative gain of a ranking with
// binary relevance: the sum of 1/log2(rank+1) over the relevant documents,
// divided by that of the ideal ranking of the same depth.
func ndcg(docs []string, relevant map[string]bool) float64 {
	gain, ideal := 0.0, 0.0
	for i, id := range docs {
		if relevant[id] {
			gain += discount(i + 1)
		}
	}
	for i := range min(rankingDepth, len(relevant)) {
		ideal += discount(i + 1)
	}
	return gain / ideal
}

func discount(rank int) float64 { return 1 / math.Log2(float64(rank)+1) }

// Metrics are means over the queries with an answer, as shares from 0 to 1. AUC and Kept are nil if there
// are no queries without an answer; Injected and FalselyInjected are nil for a retriever that does not
// inject.
type Metrics struct {
	R1     float64 `json:"R@1"`
	R5     float64 `json:"R@5"`
	R10    float64 `json:"R@10"`
	Hit5   float64 `json:"hit@5"`
	NDCG10 float64 `json:"NDCG@10"`
	MRR    float64 `json:"MRR"`

	// AUC is the probability that the best relevance of a query with an answer exceeds that of one
	// without; equal ones count one half.
	AUC *float64 `json:"AUC,omitempty"`
	// Kept is the share of the queries with an answer whose best relevance exceeds that of all but one in
	// twenty queries without one.
	Kept *float64 `json:"kept@5,omitempty"`
	// Injected and FalselyInjected are the shares of the queries with and without an answer for which
	// anything would be injected.
	Injected        *float64 `json:"told,omitempty"`
	FalselyInjected *float64 `json:"false_told,omitempty"`

	P50 float64 `json:"p50_ms"` // median time of a ranking
	P95 float64 `json:"p95_ms"`
}

// mean averages outcomes.
func mean(outcomes []Outcome) Metrics {
	var m Metrics
	n := float64(len(outcomes))
	for _, o := range outcomes {
		m.R1 += o.R1 / n
		m.R5 += o.R5 / n
		m.R10 += o.R10 / n
		m.Hit5 += o.Hit5 / n
		m.NDCG10 += o.NDCG10 / n
		m.MRR += o.RR / n
	}
	return m
}

// auc returns the area under the ROC curve: the probability that a value of yes exceeds one of no, where
// equal ones count one half.
func auc(yes, no []float64) float64 {
	won := 0.0
	for _, y := range yes {
		for _, n := range no {
			switch cmp.Compare(y, n) {
			case 1:
				won++
			case 0:
				won += 0.5
			}
		}
	}
	return won / float64(len(yes)) / float64(len(no))
}

// kept returns the share of yes above a bound that at most falseShare of no exceed.
func kept(yes, no []float64) float64 {
	bound := percentile(no, 1-falseShare)
	n := 0
	for _, y := range yes {
		if y > bound {
			n++
		}
	}
	return float64(n) / float64(len(yes))
}

// percentile returns the smallest of values that at least a share p of them does not exceed.
func percentile[T cmp.Ordered](values []T, p float64) T {
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(p*float64(len(sorted)) - 1e-9)) // 0.95×20 is a little above 19
	return sorted[max(0, rank-1)]
}

// milliseconds returns a percentile of times in milliseconds.
func milliseconds(took []time.Duration, p float64) float64 {
	return float64(percentile(took, p).Microseconds()) / 1000
}
