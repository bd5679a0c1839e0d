package classifier

import (
	"fmt"
	"io"
	"strings"

	"recollect/internal/memory/secret/classifier"
)

const folds = 4

// thresholds are the probabilities that Report tries.
var thresholds = []float64{0.9, 0.7, 0.5, 0.3, 0.2, 0.1}

// counts says how many secrets and texts a threshold affects.
type counts struct {
	kept, secrets   int // secrets that remain in the text
	harmed, written int // written texts without a secret that lose something
	lost, ordinary  int // ordinary texts that lose something
}

// Report writes, for each threshold, how many secrets remain in texts and how many texts without one are
// harmed. It tests a quarter of the texts at a time, with weights fitted to the others.
func Report(w io.Writer, texts, ordinary []Text) error {
	results := make([]counts, len(thresholds))
	for fold := range folds {
		var learn, test, usual []Text
		for _, t := range texts {
			if t.fold(folds) == fold {
				test = append(test, t)
			} else {
				learn = append(learn, t)
			}
		}
		for i, t := range ordinary {
			if i%folds == fold {
				usual = append(usual, t)
			} else {
				learn = append(learn, t)
			}
		}
		model := classifier.Model(Fit(learn))
		for _, t := range test {
			for i, threshold := range thresholds {
				results[i].add(t, model.Find(t.Text, threshold))
			}
		}
		for _, t := range usual {
			for i, threshold := range thresholds {
				results[i].ordinary++
				if len(model.Find(t.Text, threshold)) > 0 {
					results[i].lost++
				}
			}
		}
	}
	for i, c := range results {
		if _, err := fmt.Fprintf(w, "from %.1f: %s\n", thresholds[i], c); err != nil {
			return err
		}
	}
	return nil
}

func (c counts) String() string {
	return fmt.Sprintf("%.1f %% of %d secrets kept, %.1f %% of %d written texts without one harmed, %d of %d ordinary texts",
		percent(c.kept, c.secrets), c.secrets, percent(c.harmed, c.written), c.written, c.lost, c.ordinary)
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// add counts the secrets that remain in t without the spans found.
func (c *counts) add(t Text, found []classifier.Span) {
	if len(t.Secrets) == 0 {
		c.written++
		if len(found) > 0 {
			c.harmed++
		}
	}
	left := []byte(t.Text)
	for _, s := range found {
		for i := s.Start; i < s.End; i++ {
			left[i] = 0
		}
	}
	for _, s := range t.Secrets {
		c.secrets++
		if strings.Contains(string(left), t.Text[s.Start:s.End]) {
			c.kept++
		}
	}
}
