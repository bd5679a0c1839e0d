package sentence

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"
)

// What a sentence does its words do not tell: most rules have no "always", and most sentences that have one describe a
// program. So a small model reads it: a multinomial logistic regression over hashed n-grams of common words, the shape of
// the sentence and what the assistant had said before it. Its weights come from written sentences (lab/sentence,
// scripts/train sentences). It cannot know what became of the sentence, so it decides nothing alone: see package extract.

// A Kind is what a sentence does.
type Kind uint8

// The kinds, in the order of the weights.
const (
	Other    Kind = iota // a fragment, a name, something pasted
	Rule                 // how to work, or how the code is to be, after this task too
	Choice               // how something is to be, of several ways
	Order                // one piece of work, now
	Spec                 // how the product behaves or is to behave
	GoAhead              // agreement, without content
	Report               // what happened
	Feedback             // praise or complaint
	Question             // something to be answered
	Idea                 // a possibility, undecided
	Fact                 // what holds in the project
	Past                 // what was done or said before
	Kinds    = 12
)

// names are the kinds as the written sentences and explanations have them.
var names = [Kinds]string{"other", "rule", "choice", "order", "spec", "goahead", "report", "feedback", "question", "idea", "fact", "past"}

// String returns the name of a kind.
func (k Kind) String() string { return names[k] }

// KindOf returns the kind of a name, and whether there is one.
func KindOf(name string) (Kind, bool) {
	k := slices.Index(names[:], name)
	return Kind(max(k, 0)), k >= 0
}

// Scores are the probabilities of the kinds, in [0, 1]. They sum up to 1.
type Scores [Kinds]float64

// Best returns the most probable kind.
func (s *Scores) Best() Kind {
	best := Other
	for k := range s {
		if s[k] > s[best] {
			best = Kind(k)
		}
	}
	return best
}

// Lasting returns the probability that the sentence is a rule or a choice: that it matters after its task.
func (s *Scores) Lasting() float64 { return s[Rule] + s[Choice] }

// Buckets is the number of weights of each kind. Features share them by their hash.
const Buckets = 1 << 15

// Scale is what a weight of 1 is stored as.
const Scale = 24

//go:embed weights.bin
var weights string

//go:embed words.txt
var words string

var stored = sync.OnceValue(func() Model { return NewModel(strings.Fields(words), weights) })

// Scores returns what a sentence does. before is what the assistant had said last: its last sentence, "" for nothing.
func (s Sentence) Scores(before string) Scores { return stored().Read(s.Text, before) }

// A Model reads sentences.
type Model struct {
	words   map[string]bool // the common words; others are all alike
	weights string          // a signed byte for each bucket and kind
}

// NewModel returns a model with these common words and weights: Buckets times Kinds signed bytes.
func NewModel(words []string, weights string) Model {
	m := Model{map[string]bool{}, weights}
	for _, w := range words {
		m.words[w] = true
	}
	return m
}

// Read returns what a sentence does, as this model sees it.
func (m Model) Read(text, before string) (s Scores) {
	if len(m.weights) != Buckets*Kinds {
		return s
	}
	known := 0
	for _, f := range Features(m.words, text, before) {
		row := m.weights[int(f)*Kinds:][:Kinds]
		if strings.Trim(row, "\x00") == "" {
			continue
		}
		known++
		for k := range s {
			s[k] += float64(int8(row[k])) / Scale
		}
	}
	scale := Length(known)
	for k := range s {
		s[k] *= scale
	}
	s.Normalize()
	return s
}

// Length is what the weights of n features are multiplied by, so that a long sentence is no surer than a short one.
func Length(n int) float64 { return 4 / math.Sqrt(float64(n)+1) }

// Normalize turns sums of weights into probabilities (softmax).
func (s *Scores) Normalize() {
	top, total := slices.Max(s[:]), 0.0
	for k := range s {
		s[k] = math.Exp(s[k] - top)
		total += s[k]
	}
	for k := range s {
		s[k] /= total
	}
}
