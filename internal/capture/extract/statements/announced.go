package statements

import (
	"strings"

	"recollect/internal/text/sentence"
)

// SplitAnnounced divides statements that say two things: a decision or a change beside a wish or a request.
func SplitAnnounced(list []sentence.Sentence, short bool) []sentence.Sentence {
	var out []sentence.Sentence
	for _, say := range list {
		for head, tail, ok := splitHead(say, short); ok; head, tail, ok = splitHead(say, short) {
			out, say = append(out, head), tail
		}
		out = append(out, say)
	}
	return out
}

// splitHead cuts a statement at the first joint behind which it says another thing.
func splitHead(say sentence.Sentence, short bool) (head, tail sentence.Sentence, ok bool) {
	for _, at := range jointsOf(say.Text) {
		head, tail = say.Part(say.Text[:at[0]]), say.Part(say.Text[at[1]:])
		if twoThings(head, tail, short) {
			head.Lead, head.Next = say.Lead, tail.Text
			return head, tail, true
		}
	}
	return say, sentence.Sentence{}, false
}

// twoThings reports whether one part of a sentence announces what was decided, and the other one
// does so too, is a wish or asks for something.
func twoThings(head, tail sentence.Sentence, short bool) bool {
	rules := DecisionRules()
	switch {
	case head.Text == "" || tail.Text == "" || rules.Uncertain.MatchString(head.Bare):
		return false
	case AnnouncesDecision(tail.Bare):
		_, _, wished := WishOf(head, short)
		return wished || AnnouncesDecision(head.Bare)
	case AnnouncesDecision(head.Bare):
		_, wished := WishIn(tail, short)
		return wished || rules.Request.MatchString(tail.Bare)
	}
	return false
}

// AnnouncesDecision reports whether a clause in lower case begins by saying what was decided, or what took
// the place of what.
func AnnouncesDecision(bare string) bool {
	rules := DecisionRules()
	if rules.Announced.MatchString(bare) || rules.LetUs.MatchString(bare) {
		return true
	}
	for _, by := range rules.Switched {
		if by.MatchString(bare) {
			return true
		}
	}
	return false
}

// AnnouncedIn returns the part of a statement that announces something, from a joint on, and the
// label before it that says what it is about: "orders: switched to Postgres". What else stands
// before it only leads in to it, or says why.
func AnnouncedIn(say sentence.Sentence) (label string, clause sentence.Sentence, ok bool) {
	rules := DecisionRules()
	if rules.Uncertain.MatchString(say.Bare) {
		return "", say, false
	}
	for _, at := range jointsOf(say.Text) {
		tail := say.Part(say.Text[at[1]:])
		if !AnnouncesDecision(tail.Bare) {
			continue
		}
		head := say.Text[:at[0]]
		if say.Text[at[0]] == ':' && CountWords(head) <= maxLabel && !rules.News.MatchString(strings.ToLower(head)) {
			label = head + ": "
		}
		return label, tail, true
	}
	return "", say, false
}

// maxLabel is how many words a label has.
const maxLabel = 3

// maxJoints is how many places of a sentence are tried.
const maxJoints = 8

// jointsOf returns where clauses of a sentence may begin, and where the words end that join them.
func jointsOf(text string) [][2]int {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return nil // positions would differ
	}
	var out [][2]int
	for from := 0; len(out) < maxJoints; {
		at := DecisionRules().Joint.FindStringIndex(lower[from:])
		if at == nil {
			break
		}
		out = append(out, [2]int{from + at[0], from + at[1]})
		from += max(at[1], 1)
	}
	return out
}
