package fit

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"recollect/internal/recall"
	"recollect/lab/bench"
)

// cosine is the name of the feature that is the cosine alone.
const cosine = "cosine"

// A result says how well one scorer answers a set's queries.
type result struct {
	bench.Metrics
	bound float64   // relevance that one in twenty queries without an answer exceeds
	ndcg  []float64 // for each query with an answer
}

func evaluate(cases []bench.Case, score func(recall.Example) float64) result {
	var yes, no []bench.Outcome
	var r result
	for i := range cases {
		o := cases[i].Measure(score)
		if len(cases[i].Relevant) == 0 {
			no = append(no, o)
			continue
		}
		yes = append(yes, o)
		r.ndcg = append(r.ndcg, o.NDCG10)
	}
	r.Metrics, r.bound = bench.Summary(yes, no)
	return r
}

// against counts the queries that r answers better and worse than other.
func (r result) against(other result) (wins, losses int) {
	const same = 1e-9
	for i, n := range r.ndcg {
		switch {
		case n > other.ndcg[i]+same:
			wins++
		case n < other.ndcg[i]-same:
			losses++
		}
	}
	return wins, losses
}

// probability returns the model's relevance of a candidate.
func (m *Model) probability(e recall.Example) float64 { return probability(m.logit(e.Features)) }

// Report writes how well the models rank the sets, in per cent. It also writes the numbers of queries
// that fused ranks better and worse than words alone and than the cosine alone, by NDCG@10.
func Report(w io.Writer, sets []Set, names []string, fused, words *Model) error {
	fmt.Fprintln(w, "* fitted on; p: probability that one in twenty queries without an answer exceeds")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	const measures = "R@5\tR@10\tNDCG@10\tAUC\tkept@5\tp\t"
	fmt.Fprintln(t, "set\t"+measures+"words: "+measures+"won-lost words\tcosine\t")
	for _, s := range sets {
		f, l := evaluate(s.Cases, fused.probability), evaluate(s.Cases, words.probability)
		c := f
		if i := slices.Index(names, cosine); i >= 0 {
			c = evaluate(s.Cases, func(e recall.Example) float64 { return e.Features[i] })
		}
		mark := ""
		if s.Weight > 0 {
			mark = "*"
		}
		fmt.Fprintf(t, "%s%s\t%s%s%s\t%s\t\n", mark, s.Name, f, l, score(f.against(l)), score(f.against(c)))
	}
	return t.Flush()
}

func score(wins, losses int) string { return fmt.Sprintf("%d-%d", wins, losses) }

// String returns the measures as cells of a table.
func (r result) String() string {
	cells := fmt.Sprintf("%.1f\t%.1f\t%.1f\t", 100*r.R5, 100*r.R10, 100*r.NDCG10)
	if r.AUC == nil {
		return cells + "-\t-\t-\t"
	}
	return cells + fmt.Sprintf("%.1f\t%.1f\t%.0f\t", 100**r.AUC, 100**r.Kept, 100*r.bound)
}

// Coefficients writes the coefficients of both models.
func Coefficients(w io.Writer, names []string, fused, words *Model) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "feature\tfused\twords\t")
	fmt.Fprintf(t, "bias\t%.2f\t%.2f\t\n", fused.Bias, words.Bias)
	for i, name := range names {
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t\n", name, fused.Weights[i], words.Weights[i])
	}
	return t.Flush()
}
