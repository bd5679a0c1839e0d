// Package sentence reads what a person or an assistant said in a turn, once: a Text is kept with the turn and has the
// sentences that its author wrote, without what was pasted, quoted or forwarded; a Sentence has its words without what
// leads in to it, and says whether it asks, doubts or tells what others say, and what kind it is: a rule, a choice, an
// order. Whoever reads a turn asks here, so that a prompt is taken apart once and in one way.
package sentence

import (
	"strings"

	"recollect/internal/text/prose"
)

// A Sentence is one that somebody wrote themselves, or a part of one.
type Sentence struct {
	Text string // as it was written
	Bare string // lower case, without what only leads in to it and what it quotes
	Lead string // what leads in to it: "ok, agreed:", in lower case
	Next string // the sentence after it
}

// New returns a sentence that nothing leads in to.
func New(text string) Sentence {
	return Sentence{Text: text, Bare: strings.ToLower(prose.WithoutQuotes(text))}
}

// Part returns a part of a sentence as one of its own.
func (s Sentence) Part(text string) Sentence {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, ")") && !strings.Contains(text, "(") {
		text = strings.TrimSuffix(text, ")")
	}
	part := New(text)
	part.Next = s.Next
	return part
}

// With returns the sentence and the one behind it as one.
func (s Sentence) With(next Sentence) Sentence {
	s.Text, s.Bare, s.Next = s.Text+" "+next.Text, s.Bare+" "+next.Bare, next.Next
	return s
}

// Precedes reports whether other stands right behind the sentence.
func (s Sentence) Precedes(other Sentence) bool { return strings.HasSuffix(s.Next, other.Text) }

// Asks reports whether the sentence is a question.
func (s Sentence) Asks() bool { return strings.HasSuffix(s.Bare, "?") }

// Length counts the words.
func (s Sentence) Length() int { return len(strings.Fields(s.Bare)) }

// IsFlat reports whether a place in Bare is the same place in Text: nothing was quoted, and no letter has another length
// in lower case.
func (s Sentence) IsFlat() bool { return len(s.Bare) == len(s.Text) }

// hedges make of a decision or a wish a thought.
var hedges = []string{"maybe", "perhaps", "might ", "i guess", "not sure", "wonder", "what if", "could we", "should we", "should i", "vielleicht", "peut-être", "quizás", "tal vez"}

// IsHedged reports whether the sentence is only a thought.
func (s Sentence) IsHedged() bool { return Hedged(s.Bare) }

// Hedged reports whether words in lower case are only a thought.
func Hedged(bare string) bool { return prose.ContainsAny(bare, hedges) }

// IsOfOthers reports whether the sentence says what somebody else says: "Tom writes that we use tabs".
func (s Sentence) IsOfOthers() bool { return prose.Attributed(s.Text) }
