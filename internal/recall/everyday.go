package recall

import (
	"slices"
	"strings"

	"recollect/internal/embed/builtin"
)

const (
	beginningWords = 2  // with which a prompt says what it wants: "rename the", "why does"
	mostKnownWords = 60 // prompts of more are not like any example, and many of them are pasted

	// unknownKind is the probability that a prompt is an everyday one where nothing tells.
	unknownKind = 0.5
)

// PromptVector returns what the kind of a prompt is recognized by: its vector by the built-in
// embedder, then that of its beginning. It returns nil if the prompt has none, or is so long
// that its kind does not show.
func PromptVector(prompt string) []float32 {
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

// everyday returns the probability, in [0, 1], that a prompt is complete in itself: thanks, a
// question about the world or a language, a mechanical edit. No memory bears on it, whatever
// words they share by chance. It is a logistic regression, fitted on prompts of both kinds.
func everyday(prompt string) float64 {
	vector := PromptVector(prompt)
	if len(vector) != len(everydayWeights) {
		return unknownKind
	}
	z := everydayBias
	for i, v := range vector {
		z += everydayWeights[i] * float64(v)
	}
	return probability(z)
}
