package extract

import (
	"fmt"
	"slices"
	"strings"

	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/memory"
	"recollect/internal/text/consolidate"
	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// The probabilities that a sentence is meant to last, as package sentence gives them, from which on a decision or wish that
// a rule recognized stands, or is a candidate. They were chosen on histories of real work; see docs/benchmarks.md.
const (
	lasts     = 0.5  // it stands
	lastsBare = 0.7  // a wish stands that is worded like any order
	lastsEver = 0.25 // a wish stands that is worded like a rule for ever: "each commit should be small"
	mayLast   = 0.05 // it is a candidate; below, it is nothing
	saidSo    = 0.85 // the confidence of what words say that leave no doubt ("always", "we decided"): it stands
)

// JudgementVersion is increased when what stands changes, so that old memories are judged anew.
const JudgementVersion = 2

// weighSuggestions decides what becomes of the decisions and wishes that sentences of the user's suggest. Each stands, is a
// candidate until something else speaks for it, or is dropped. Rules recognize what is worded like one, but most of
// that is an order for now. The model tells those apart, but alone it is no better than the rules.
func (s *Turn) weighSuggestions(drafts []memory.Draft) []memory.Draft {
	before, out := s.saidBefore(), drafts[:0]
	for _, d := range drafts {
		if !s.Memo && isSuggested(&d.Memory) {
			lasting := lastingIn(wordsOf(&d.Memory), before)
			if consolidate.IsWithdrawal(d.Evidence) {
				lasting = max(lasting, mayLast) // what was stored before decides
			}
			if lasting < mayLast {
				continue
			}
			if lasting < leastToStand(&d.Memory) {
				d.Candidate = min(lasting, maxCandidate)
			}
		}
		out = append(out, d)
	}
	return out
}

// Reconsider returns a memory that an earlier version stored as it is to be, and whether that is a candidate: nothing but a
// sentence suggests it, which is not meant to last. What was said more than once, approved or edited stays.
func Reconsider(m memory.Memory) (memory.Memory, bool) {
	isSettled := m.Stands != "" || len(m.ConfirmedBy) > 0 || m.Turn == ""
	if isSettled || !isSuggested(&m) {
		return m, false
	}
	lasting := lastingIn(wordsOf(&m), "")
	if lasting >= leastToStand(&m) {
		return m, false
	}
	m.SetPending(true)
	m.Candidate = min(max(lasting, leastCandidate), maxCandidate)
	return m, true
}

// The probability of a candidate is between these: 0 says that a memory is none, 1 that it is certain.
const (
	leastCandidate = 0.01
	maxCandidate   = 0.99
)

// WhyStands returns in words why a decision or a wish stands, "" for a memory of another kind.
func WhyStands(m *memory.Memory) string {
	isOfUser := m.Origin == memory.OriginUser && m.Turn != ""
	isDecision := m.Source == memory.Journal && slices.Contains(m.Tags, memory.TagDecision)
	isStated := isDecision || m.Source == memory.Preferences
	switch {
	case m.Stands != "":
		return m.Stands
	case !isOfUser || !isStated:
		return ""
	case !isSuggested(m):
		return "its words leave no doubt"
	}
	if lasting := lastingIn(wordsOf(m), ""); lasting >= leastToStand(m) {
		return fmt.Sprintf("a rule and the model of sentences agree, with a probability of %.2f", lasting)
	}
	return ""
}

// forEver is the confidence from which on the words of a wish are those of a rule for ever.
const forEver = 0.8

// leastToStand returns the probability from which on m stands: more for a wish that is worded like any order, with nothing
// that says that it holds longer, and less for one that is worded like a rule.
func leastToStand(m *memory.Memory) float64 {
	switch {
	case m.Source != memory.Preferences:
		return lasts
	case m.Confidence <= statements.ByWishSigns.Confidence:
		return lastsBare
	case m.Confidence >= forEver:
		return lastsEver
	}
	return lasts
}

// isSuggested reports whether m is a decision or a wish that only a sentence of the user's suggests, in words that leave
// doubt. What was remembered on purpose, approved or chosen in a dialog is none.
func isSuggested(m *memory.Memory) bool {
	isDecision := m.Source == memory.Journal && slices.Contains(m.Tags, memory.TagDecision)
	isWish := m.Source == memory.Preferences
	isExplicit := m.Confidence >= saidSo || dialogue.AnnouncesChange(m.Evidence)
	inDoubt := m.Origin == memory.OriginUser && m.Evidence != "" && !isExplicit
	return inDoubt && (isDecision || isWish)
}

// wordsOf returns the words that suggest m: the user's, and of an answer of a word what it takes up of Claude's.
func wordsOf(m *memory.Memory) string {
	what, asked, isAnswer := strings.Cut(m.Title, memory.TitleAsked)
	switch {
	case !isAnswer:
		return m.Evidence
	case what == "yes" || what == "no":
		_, what, _ = strings.Cut(strings.TrimRight(asked, "?)…"), " ") // without "should"
		return m.Evidence + "\n" + strings.TrimPrefix(what, "we ")     // what is to be done now is an order
	case strings.Contains(strings.ToLower(m.Evidence), strings.ToLower(what)):
		return m.Evidence
	}
	return m.Evidence + "\n" + what
}

// lastingIn returns the probability that one of the sentences in words of the user's is meant to last. before is what Claude
// had said last.
func lastingIn(words, before string) float64 {
	most := 0.0
	for _, said := range prose.Sentences(words) {
		scores := sentence.New(said).Scores(before)
		most = max(most, scores.Lasting())
	}
	return most
}

// saidBefore returns the last sentence that Claude said before the turn, "" for none.
func (s *Turn) saidBefore() string {
	if s.before == nil {
		return ""
	}
	return prose.LastSentence(s.before.Reply)
}
