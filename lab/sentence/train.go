// Package sentence fits the model of package text/sentence. It is run by hand, through scripts/train.
package sentence

import (
	"math"
	"math/rand/v2"
	"slices"

	"recollect/internal/text/sentence"
)

// Settings of the fit: stochastic gradient descent with a rate for each weight (AdaGrad; Duchi, Hazan and
// Singer, 2011) on the logistic loss.
const (
	epochs = 10
	rate   = 0.03
	decay  = 1e-3 // L2
	alsoAs = 0.3  // share of the other kinds of a sentence
)

// Limits on words and features, because what only one or two writers use identifies the writer and not
// the kind of sentence.
const (
	leastUses    = 5 // uses of a common word
	leastWriters = 4 // writers who use a common word
	leastOfNgram = 3 // writers whose sentences have a feature
)

// An example is a sentence as the model sees it.
type example struct {
	features []uint32
	target   sentence.Scores
}

// Fit returns the common words and the weights for written sentences.
func Fit(written []Sentence) (words []string, weights []byte) {
	words = commonWords(written)
	examples := examplesOf(words, written)
	random := rand.New(rand.NewPCG(1, 2))
	n := sentence.Kinds * sentence.Buckets
	fitted, squares := make([]float64, n), make([]float64, n)
	for range epochs {
		random.Shuffle(len(examples), func(i, j int) { examples[i], examples[j] = examples[j], examples[i] })
		for _, e := range examples {
			e.step(fitted, squares)
		}
	}
	weights = make([]byte, n)
	for i, w := range fitted {
		weights[i] = byte(int8(math.RoundToEven(min(max(w*sentence.Scale, -127), 127))))
	}
	return words, weights
}

// commonWords returns the words that many writers use, in the order of the alphabet.
func commonWords(written []Sentence) []string {
	uses, writers := map[string]int{}, map[string]map[string]bool{}
	for _, w := range written {
		for _, word := range sentence.Words(w.Text) {
			uses[word]++
			addTo(writers, word, w.Writer)
		}
	}
	var out []string
	for word, n := range uses {
		if n >= leastUses && len(writers[word]) >= leastWriters {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return out
}

// examplesOf returns the sentences with the features that several writers' sentences have.
func examplesOf(words []string, written []Sentence) []example {
	common, writers := map[string]bool{}, map[uint32]map[string]bool{}
	for _, w := range words {
		common[w] = true
	}
	all := make([]example, len(written))
	for i, w := range written {
		all[i] = example{sentence.Features(common, w.Text, w.Before), w.target()}
		for _, f := range all[i].features {
			addTo(writers, f, w.Writer)
		}
	}
	for i := range all {
		all[i].features = slices.DeleteFunc(all[i].features, func(f uint32) bool { return len(writers[f]) < leastOfNgram })
	}
	return all
}

func addTo[K comparable](sets map[K]map[string]bool, key K, member string) {
	if sets[key] == nil {
		sets[key] = map[string]bool{}
	}
	sets[key][member] = true
}

// step moves the weights towards the target of an example.
func (e example) step(weights, squares []float64) {
	var s sentence.Scores
	scale := sentence.Length(len(e.features))
	for k := range s {
		for _, f := range e.features {
			s[k] += scale * weights[int(f)*sentence.Kinds+k]
		}
	}
	s.Normalize()
	for k := range s {
		slope := scale * (s[k] - e.target[k])
		for _, f := range e.features {
			i := int(f)*sentence.Kinds + k
			g := slope + decay*weights[i]
			squares[i] += g * g
			weights[i] -= rate * g / math.Sqrt(squares[i]+1e-6)
		}
	}
}
