package fit

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Settings of Adam (Kingma and Ba, 2015). The problem is small and nearly convex; the steps only have to
// become small at the end.
const (
	epochs   = 600
	stepSize = 0.05 // initial step size; it falls linearly to a tenth
	lastStep = 0.1
	decay1   = 0.9
	decay2   = 0.99
	tiny     = 1e-8
)

// penalty limits coefficients that make no difference. It adds penalty/2 × the sum of the squares of the
// fitted coefficients to the loss.
const penalty = 1e-4

// Train fits a model of kind k on the sets that have a weight. The same sets give the same model. It
// fails if k names a feature that is not in names, if a set contains nothing to learn from, or if the
// loss did not fall.
func Train(sets []Set, names []string, k Kind) (*Model, error) {
	b, err := k.bounds(names)
	if err != nil {
		return nil, fmt.Errorf("coefficients %s: %w", k.Name, err)
	}
	all, err := material(sets, k, len(names))
	if err != nil {
		return nil, err
	}
	m := &Model{Bias: firstBias, Weights: append([]float64(nil), b.begin...)}
	n := len(names)
	gradient, mean, square := make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
	first := total(all, m, b, gradient)
	for epoch := 1; epoch <= epochs; epoch++ {
		total(all, m, b, gradient)
		step(m, b, gradient, mean, square, epoch)
		m.limitChanges(b)
	}
	last := total(all, m, b, gradient)
	if !m.finite() || last >= first {
		return nil, fmt.Errorf("fit coefficients %s: the loss went from %.3f to %.3f", k.Name, first, last)
	}
	m.round()
	return m, nil
}

// material returns the samples to fit a kind on.
func material(sets []Set, k Kind, features int) ([]sample, error) {
	var all []sample
	for _, s := range sets {
		if s.Weight == 0 {
			continue
		}
		some := samples(s.fitting(k), s.Weight)
		if !slices.ContainsFunc(some, func(one sample) bool { return one.relevant != nil }) {
			return nil, fmt.Errorf("set %s: no answer to any query is among its candidates", s.Name)
		}
		for _, one := range some {
			if len(one.features[0]) != features {
				return nil, fmt.Errorf("set %s: %d features: must be %d", s.Name, len(one.features[0]), features)
			}
		}
		all = append(all, some...)
	}
	if len(all) == 0 {
		return nil, errors.New("there is no set to fit on")
	}
	return all, nil
}

// total returns the loss of m and sets gradient to its derivatives. Those of coefficients that are not
// fitted mean nothing.
func total(all []sample, m *Model, b bounds, gradient []float64) float64 {
	clear(gradient)
	loss := 0.0
	for i := range all {
		loss += all[i].loss(m, gradient)
	}
	for k, w := range m.Weights {
		if !b.held[k] {
			loss += penalty / 2 * w * w
			gradient[k] += penalty * w
		}
	}
	return loss
}

// step performs one of Adam's steps and sets coefficients with the wrong sign to 0.
func step(m *Model, b bounds, gradient, mean, square []float64, epoch int) {
	size := stepSize * (1 - (1-lastStep)*float64(epoch)/epochs)
	for k, g := range gradient {
		mean[k] = decay1*mean[k] + (1-decay1)*g
		square[k] = decay2*square[k] + (1-decay2)*g*g
		direction := mean[k] / (1 - math.Pow(decay1, float64(epoch)))
		scale := math.Sqrt(square[k]/(1-math.Pow(decay2, float64(epoch)))) + tiny
		move := size * direction / scale
		switch {
		case k == len(m.Weights):
			m.Bias -= move
		case !b.held[k]:
			m.Weights[k] -= move
			if b.signs[k]*m.Weights[k] < 0 {
				m.Weights[k] = 0
			}
		}
	}
}

// limitChanges reduces negative modifications until the contribution of the similarity features is not
// negative.
func (m *Model) limitChanges(b bounds) {
	against := 0.0
	for _, k := range b.changes {
		against -= min(0, m.Weights[k])
	}
	if over := -m.sum(b.near) - m.sum(b.changes); over > 0 && against > 0 {
		for _, k := range b.changes {
			m.Weights[k] -= over / against * min(0, m.Weights[k])
		}
	}
}

func (m *Model) sum(features []int) float64 {
	sum := 0.0
	for _, k := range features {
		sum += m.Weights[k]
	}
	return sum
}

// round rounds to two decimals, because more would be noise. It must be called before the evaluation, so
// that the written values are evaluated.
func (m *Model) round() {
	m.Bias = math.Round(100*m.Bias) / 100
	for i, w := range m.Weights {
		m.Weights[i] = math.Round(100*w) / 100
	}
}
