package sessions

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync/atomic"

	"recollect/internal/index"
	"recollect/internal/memory"
)

// Prompts find the same sessions again and again, and to analyse the lines of one takes longer than
// anything else about it, so the terms of those met last are kept: most take a kilobyte.
const (
	keptTexts   = 2048
	longestText = 1 << 10 // in bytes, of those kept
)

var textSeed = maphash.MakeSeed()

// Texts holds the texts that were analysed last. The zero value is empty. It is safe for concurrent use.
type Texts [keptTexts]atomic.Pointer[Text]

// A Text is what a memory says, as it is compared with prompts and with other texts.
type Text struct {
	whole string
	terms []string // sorted, each once
	pairs []uint64 // hashes of the pairs of adjacent terms, each once
}

// Of returns a text with its terms.
func (t *Texts) Of(whole string) *Text {
	if len(whole) > longestText {
		return NewText(whole)
	}
	slot := &t[maphash.String(textSeed, whole)%keptTexts]
	kept := slot.Load()
	if kept == nil || kept.whole != whole {
		kept = NewText(strings.Clone(whole))
		slot.Store(kept)
	}
	return kept
}

// Forget drops all texts.
func (t *Texts) Forget() {
	for i := range t {
		t[i].Store(nil)
	}
}

// termsOf returns the terms that any of some texts has, sorted, each once.
func (t *Texts) termsOf(all ...string) []string {
	var terms []string
	for _, whole := range all {
		terms = append(terms, t.Of(whole).terms...)
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// NewText returns a text with its terms, which it does not hold for the next time.
func NewText(whole string) *Text {
	tokens := index.Analyze(whole)
	t := &Text{whole: whole, terms: make([]string, len(tokens))}
	for i := range tokens {
		t.terms[i] = tokens[i].Text
	}
	slices.Sort(t.terms)
	t.terms = slices.Clip(slices.Compact(t.terms))
	for _, p := range index.Pairs(tokens) {
		t.pairs = append(t.pairs, maphash.Comparable(textSeed, [2]string{p.First, p.Second}))
	}
	return t
}

// Has reports whether a text has a term.
func (t *Text) Has(term string) bool {
	_, has := slices.BinarySearch(t.terms, term)
	return has
}

// ShareIn returns the share, in [0, 1], of its different terms that another text has too.
func (t *Text) ShareIn(other *Text) float64 {
	if len(t.terms) == 0 {
		return 0
	}
	n := 0
	for _, term := range t.terms {
		if other.Has(term) {
			n++
		}
	}
	return float64(n) / float64(len(t.terms))
}

// Said are the pairs of words that the chosen lines have.
type Said map[uint64]bool

func (s Said) Add(t *Text) {
	for _, p := range t.pairs {
		s[p] = true
	}
}

// repeated is the share of a line's pairs of words that the lines before it must
// have for it to repeat them. Words alone do not do: "percent, not millibar" has those
// of "millibar, not percent".
const repeated = 0.7

// repeats reports whether nearly all of a text has been said.
func (s Said) repeats(t *Text) bool {
	known := 0
	for _, p := range t.pairs {
		if s[p] {
			known++
		}
	}
	return len(t.pairs) > 0 && float64(known) >= repeated*float64(len(t.pairs))
}

// RepeatsLine reports whether nearly all of a line of a brief has been said. The matter of a decision
// may have been, and the decision not.
func (s Said) RepeatsLine(line string, texts *Texts) bool {
	if !s.repeats(texts.Of(line)) {
		return false
	}
	decided, _, on := strings.Cut(line, memory.TitleTopic)
	own := texts.Of(decided)
	return !on || len(own.pairs) == 0 || s.repeats(own)
}
