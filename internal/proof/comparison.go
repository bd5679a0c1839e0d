package proof

import (
	"math/rand/v2"
	"slices"

	"recollect/internal/engine/trial"
)

// Withheld returns the sessions of the trial in a data folder, by id: whether memories were withheld from them.
func Withheld(home string) (map[string]bool, error) { return trial.Read(home) }

// A Comparison is that of sessions from which memories were withheld with others of the same time.
type Comparison struct {
	Withheld Group `json:"withheld"`
	Others   Group `json:"others"`
	// The differences are means of the withheld less those of the others: above 0, memories help.
	Failures    Interval `json:"failures_difference"`
	Corrections Interval `json:"corrections_difference"`
}

// A Group has the means of some sessions.
type Group struct {
	Sessions    int      `json:"sessions"`
	Failures    Interval `json:"failures"`    // met again, by the looser rule, a session
	Corrections Interval `json:"corrections"` // all of them, a session
}

// An Interval is a mean with the interval that has it in 95 of 100 samples, by bootstrap.
type Interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// leastCompared is how many sessions a group must have to be compared.
const leastCompared = 5

// A sample has a number for each session of a group.
type sample struct{ failures, corrections []float64 }

// compare compares the sessions of a trial, of which withheld says whether memories were withheld from them. It returns
// nil if there are too few.
func compare(sessions []Replayed, withheld map[string]bool) *Comparison {
	var groups [2]sample
	for _, s := range sessions {
		is, known := withheld[s.Session]
		if !known {
			continue
		}
		g := &groups[0]
		if is {
			g = &groups[1]
		}
		again := 0
		for _, f := range s.Findings {
			if f.Kind == Failure {
				again++
			}
		}
		g.failures, g.corrections = append(g.failures, float64(again)), append(g.corrections, float64(s.Corrections))
	}
	others, without := groups[0], groups[1]
	if min(len(others.failures), len(without.failures)) < leastCompared {
		return nil
	}
	return &Comparison{
		Withheld: without.group(), Others: others.group(),
		Failures:    bootstrap(without.failures, others.failures),
		Corrections: bootstrap(without.corrections, others.corrections),
	}
}

func (s sample) group() Group {
	return Group{len(s.failures), bootstrap(s.failures, nil), bootstrap(s.corrections, nil)}
}

// resamples is how often a sample is drawn anew.
const resamples = 2000

// bootstrap returns the interval of the mean of a, less that of b if there is one. It is the same each time.
func bootstrap(a, b []float64) Interval {
	random := rand.New(rand.NewPCG(1, 2))
	drawn := func(s []float64) float64 {
		sum := 0.0
		for range s {
			sum += s[random.IntN(len(s))]
		}
		return sum / float64(max(1, len(s)))
	}
	means := make([]float64, resamples)
	for i := range means {
		means[i] = drawn(a) - drawn(b)
	}
	slices.Sort(means)
	return Interval{mean(a) - mean(b), means[resamples/40], means[resamples-1-resamples/40]}
}

func mean(s []float64) float64 {
	sum := 0.0
	for _, x := range s {
		sum += x
	}
	return sum / float64(max(1, len(s)))
}
