// Package everyday tells prompts that are complete in themselves from those to which past work may
// matter: thanks, a question about the world or a language, a mechanical edit. No memory bears on
// such a prompt, whatever words they share by chance.
package everyday

import (
	"math"
	"slices"
	"strings"

	"recollect/internal/embed/builtin"
)

const (
	beginningWords = 2  // with which a prompt says what it wants: "rename the", "why does"
	mostKnownWords = 60 // prompts of more are not like any example, and many of them are pasted
)

// Unknown is the probability that a prompt is an everyday one where nothing tells.
const Unknown = 0.5

// Vector returns what the kind of a prompt is recognized by: its vector by the built-in embedder,
// then that of its beginning. It returns nil if the prompt has none, or is so long that its kind
// does not show.
func Vector(prompt string) []float32 {
	m, err := builtin.Load()
	if err != nil {
		return nil
	}
	words := strings.Fields(prompt)
	if len(words) > mostKnownWords {
		return nil
	}
	whole, beginning := make([]float32, m.Dims()), make([]float32, m.Dims())
	if !m.Embed(whole, prompt) {
		return nil
	}
	m.Embed(beginning, strings.Join(words[:min(len(words), beginningWords)], " "))
	return slices.Concat(whole, beginning)
}

// Probability returns the probability, in [0, 1], that a prompt is an everyday one. It is a logistic
// regression over its Vector, fitted on prompts of both kinds (package fit).
func Probability(prompt string) float64 {
	vector := Vector(prompt)
	if len(vector) != len(weights) {
		return Unknown
	}
	z := bias
	for i, v := range vector {
		z += weights[i] * float64(v)
	}
	return 1 / (1 + math.Exp(-z))
}
