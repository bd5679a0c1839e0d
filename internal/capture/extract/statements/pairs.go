package statements

import (
	"recollect/internal/memory"
	"recollect/internal/text/sentence"
)

// JoinedWish joins two sentences that make one wish.
func JoinedWish(first, second sentence.Sentence, short bool) (sentence.Sentence, *Wish, bool) {
	if both, w, ok := complaintOf(first, second); ok {
		return both, w, true
	}
	isAsked := first.Asks() || second.Asks()
	if !isAsked && first.Precedes(second) && !isUnclear(first) {
		if WishRules().ForAll.MatchString(second.Bare) {
			return first.With(second), aGeneralRule, true
		}
	}
	return PairOf(first, second, short)
}

// complaintOf joins what somebody finds again and that it is not wanted: "Tabs again? We
// don't use them".
func complaintOf(first, second sentence.Sentence) (sentence.Sentence, *Wish, bool) {
	if !first.Precedes(second) || isUnclear(second) {
		return sentence.Sentence{}, nil, false
	}
	if !WishRules().Complaint.MatchString(first.Bare) || !WishRules().NotOurs.MatchString(second.Bare) {
		return sentence.Sentence{}, nil, false
	}
	return first.With(second), aComplaint, true
}

// PairOf joins two sentences that make one wish: what not to use, and what
// to use instead.
func PairOf(first, second sentence.Sentence, short bool) (sentence.Sentence, *Wish, bool) {
	a, b := first, second
	if PreferenceRules().Instead.MatchString(first.Bare) {
		a, b = b, a
	}
	if !first.Precedes(second) || !PreferenceRules().Unwanted.MatchString(a.Bare) || !PreferenceRules().Instead.MatchString(b.Bare) {
		return sentence.Sentence{}, nil, false
	}
	w, ok := WishIn(a, short)
	isWanted := ok && w.Frame == memory.TitleWants
	return first.With(second), w, isWanted && !IsPassing(b.Bare) && !WishRules().Pointing.MatchString(b.Bare)
}
