package usage

import (
	"math"
	"time"
)

// A histogram counts durations in steps of a factor of 2^(1/4), from 10 µs on, so that
// a quantile is known within a fifth. The key is the number of the step.
type histogram map[int]int

const (
	firstStep = 10 * time.Microsecond
	doubling  = 4  // steps that double a time
	lastStep  = 80 // ten seconds; longer times count as that
)

func (h *histogram) add(took time.Duration) {
	if *h == nil {
		*h = histogram{}
	}
	step := 0
	if took > firstStep {
		step = min(int(math.Ceil(doubling*math.Log2(float64(took)/float64(firstStep)))), lastStep)
	}
	(*h)[step]++
}

func (h histogram) join(other histogram) {
	for step, n := range other {
		h[step] += n
	}
}

// quantile returns the duration, in milliseconds, that a share of the durations do not
// exceed, 0 if there are none. The share is in [0, 1].
func (h histogram) quantile(share float64) float64 {
	all := 0
	for _, n := range h {
		all += n
	}
	rest := int(math.Ceil(share * float64(all)))
	for step := 0; rest > 0 && step <= lastStep; step++ {
		if rest -= h[step]; rest <= 0 {
			return firstStep.Seconds() * 1000 * math.Exp2(float64(step)/doubling)
		}
	}
	return 0
}
