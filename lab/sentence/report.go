package sentence

import (
	"fmt"
	"io"
	"slices"

	"recollect/internal/text/sentence"
)

// Report prints how well sentences of each writer are read by a model that was fitted without that writer, and which kinds
// are taken for which.
func Report(out io.Writer, written []Sentence) {
	var confusion [sentence.Kinds][sentence.Kinds]int
	for _, held := range writersOf(written) {
		var train, test []Sentence
		for _, w := range written {
			if w.Writer == held {
				test = append(test, w)
			} else {
				train = append(train, w)
			}
		}
		words, weights := Fit(train)
		model, right := sentence.NewModel(words, string(weights)), 0
		for _, w := range test {
			s := model.Read(w.Text, w.Before)
			k, _ := sentence.KindOf(w.Kind)
			confusion[k][s.Best()]++
			if s.Best() == k {
				right++
			}
		}
		fmt.Fprintf(out, "%-8s %4d sentences, %2.0f %% right\n", held, len(test), 100*float64(right)/float64(len(test)))
	}
	for k, row := range confusion {
		n, taken := 0, 0
		for j := range row {
			n += row[j]
			taken += confusion[j][k]
		}
		fmt.Fprintf(out, "%-9s %5d: precision %3.0f %%, recall %3.0f %%, taken for %v\n", sentence.Kind(k), n, percent(row[k], taken), percent(row[k], n), row)
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

func writersOf(written []Sentence) []string {
	var out []string
	for _, w := range written {
		out = append(out, w.Writer)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
