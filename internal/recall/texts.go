package recall

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

// texts holds the texts that were analysed last. The zero value is empty. It is safe for concurrent use.
type texts [keptTexts]atomic.Pointer[analyzedText]

// An analyzedText is what a memory says, as it is compared with prompts and with other texts.
type analyzedText struct {
	whole string
	terms []string // sorted, each once
	pairs []uint64 // hashes of the pairs of adjacent terms, each once
}

// of returns a text with its terms.
func (t *texts) of(whole string) *analyzedText {
	if len(whole) > longestText {
		return analyzeText(whole)
	}
	slot := &t[maphash.String(textSeed, whole)%keptTexts]
	kept := slot.Load()
	if kept == nil || kept.whole != whole {
		kept = analyzeText(strings.Clone(whole))
		slot.Store(kept)
	}
	return kept
}

// ForgetTexts drops the lines and parts of memories that are held to compare them with prompts:
// nothing of what was forgotten may stay.
func (r *Recall) ForgetTexts() {
	r.parts.Forget()
	r.verdicts.Forget()
	for i := range r.texts {
		r.texts[i].Store(nil)
	}
}

// terms returns the terms that any of some texts has, sorted, each once.
func (t *texts) terms(all ...string) []string {
	var terms []string
	for _, whole := range all {
		terms = append(terms, t.of(whole).terms...)
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

func analyzeText(whole string) *analyzedText {
	tokens := index.Analyze(whole)
	t := &analyzedText{whole: whole, terms: make([]string, len(tokens))}
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

// has reports whether a text has a term.
func (t *analyzedText) has(term string) bool {
	_, has := slices.BinarySearch(t.terms, term)
	return has
}

// spoken are the pairs of words that the chosen lines have.
type spoken map[uint64]bool

func (s spoken) add(t *analyzedText) {
	for _, p := range t.pairs {
		s[p] = true
	}
}

// repeated is the share of a line's pairs of words that the lines before it must
// have for it to repeat them. Words alone do not do: "percent, not millibar" has those
// of "millibar, not percent".
const repeated = 0.7

// repeats reports whether nearly all of a text has been said.
func (s spoken) repeats(t *analyzedText) bool {
	known := 0
	for _, p := range t.pairs {
		if s[p] {
			known++
		}
	}
	return len(t.pairs) > 0 && float64(known) >= repeated*float64(len(t.pairs))
}

// repeatsLine reports whether nearly all of a line of a brief has been said. The matter of a decision
// may have been, and the decision not.
func (s spoken) repeatsLine(line string, texts *texts) bool {
	if !s.repeats(texts.of(line)) {
		return false
	}
	decided, _, on := strings.Cut(line, memory.TitleTopic)
	own := texts.of(decided)
	return !on || len(own.pairs) == 0 || s.repeats(own)
}
