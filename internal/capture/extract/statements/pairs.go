package statements

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// JoinedWish joins two sentences that make one wish.
func JoinedWish(first, second prose.Statement, short bool) (prose.Statement, *Wish, bool) {
	if both, w, ok := complaintOf(first, second); ok {
		return both, w, true
	}
	isAsked := strings.HasSuffix(first.Bare, "?") || strings.HasSuffix(second.Bare, "?")
	if !isAsked && isRightBehind(second, first) && !isUnclear(first.Bare) {
		if WishRules().ForAll.MatchString(second.Bare) {
			return joinStatements(first, second), aGeneralRule, true
		}
	}
	return PairOf(first, second, short)
}

// complaintOf joins what somebody finds again and that it is not wanted: "Tabs again? We
// don't use them".
func complaintOf(first, second prose.Statement) (prose.Statement, *Wish, bool) {
	if !isRightBehind(second, first) || isUnclear(second.Bare) {
		return prose.Statement{}, nil, false
	}
	if !WishRules().Complaint.MatchString(first.Bare) || !WishRules().NotOurs.MatchString(second.Bare) {
		return prose.Statement{}, nil, false
	}
	return joinStatements(first, second), aComplaint, true
}

// joinStatements returns two sentences as one statement.
func joinStatements(first, second prose.Statement) prose.Statement {
	first.Text, first.Bare, first.Next = first.Text+" "+second.Text, first.Bare+" "+second.Bare, second.Next
	return first
}

// isRightBehind reports whether b is the sentence behind a.
func isRightBehind(b, a prose.Statement) bool { return strings.HasSuffix(a.Next, b.Text) }

// PairOf joins two sentences that make one wish: what not to use, and what
// to use instead.
func PairOf(first, second prose.Statement, short bool) (prose.Statement, *Wish, bool) {
	a, b := first, second
	if PreferenceRules().Instead.MatchString(first.Bare) {
		a, b = b, a
	}
	if !isRightBehind(second, first) || !PreferenceRules().Unwanted.MatchString(a.Bare) || !PreferenceRules().Instead.MatchString(b.Bare) {
		return prose.Statement{}, nil, false
	}
	w, ok := WishIn(a, short)
	isWanted := ok && w.Frame == memory.TitleWants
	return joinStatements(first, second), w, isWanted && !IsPassing(b.Bare) && !WishRules().Pointing.MatchString(b.Bare)
}
