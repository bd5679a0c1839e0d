package consolidate

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// A subject is what a decision or a preference is about.
type subject struct {
	memory.Memory
	question string // that it answers, or ""
	topic    string // that it names, or ""
	claim    claim
}

// subjectOf returns what a memory is about, nil if it is neither a decision
// nor a preference. What was done stays done: a commit is neither.
func subjectOf(m memory.Memory) *subject {
	if m.Source != memory.Journal && m.Source != memory.Preferences || slices.Contains(m.Tags, memory.TagCommit) {
		return nil
	}
	return &subject{Memory: m, question: questionOf(m), topic: topicOf(m), claim: claimOf(m)}
}

// isSameAs reports whether two decisions, or two preferences, of one project are on
// one subject, so that the newer one takes the place of the older. Their order
// makes no difference. In doubt they are not.
func (s *subject) isSameAs(o *subject) bool {
	switch {
	case s == nil || o == nil || s.Source != o.Source, !isSameHome(s.Home(), o.Home()):
		return false
	case s.isPlan() || o.isPlan():
		return s.isPlan() && o.isPlan() && strings.EqualFold(s.Title, o.Title)
	case s.question != "" && o.question != "":
		isOtherTurn := s.Turn == "" || s.Turn != o.Turn
		return isOtherTurn && s.question == o.question && len(wordsOf(s.question)) > 1
	case s.topic != "" && o.topic != "":
		return s.topic == o.topic
	}
	return s.claim.rivalsClaim(o.claim)
}

// isSameHome reports whether two memories are of one project, or neither is of any.
func isSameHome(a, b memory.Project) bool { return a.Same(b) || a.Zero() && b.Zero() }

func (s *subject) isPlan() bool { return slices.Contains(s.Tags, memory.TagPlan) }

// questionOf returns the question that the title of a decision names, "" if it
// names none.
func questionOf(m memory.Memory) string {
	_, question, _ := strings.Cut(strings.ToLower(withoutFrame(m)), memory.TitleAsked)
	return question
}

// maxValue is the number of words that say something, beside those with a number,
// above which what follows a colon is no value of what stands before it: "docs:
// add a page" is no choice.
const maxValue = 2

// topicOf is what an answer answers, or what stands before the colon of a short
// "database: Postgres".
func topicOf(m memory.Memory) string {
	text := strings.ToLower(withoutFrame(m))
	if question, _, ok := strings.Cut(text, " → "); ok {
		return question
	}
	label, value, ok := strings.Cut(text, ": ")
	isLabel := ok && len(strings.Fields(label)) <= 3 && !generalLabels[label]
	if !isLabel || !isValue(value) {
		return ""
	}
	return label
}

func isValue(text string) bool {
	n := 0
	for _, t := range tokensOf(text) {
		if !t.joins && t.number == "" {
			n++
		}
	}
	return n <= maxValue
}

// generalLabels announce anything.
var generalLabels = map[string]bool{
	"note": true, "decision": true, "decided": true, "important": true, "remember": true, "reminder": true, "rule": true, "fix": true, "todo": true, "plan": true,
	"from now on": true, "in future": true, "in the future": true, "warning": true, "convention": true, "policy": true, "style": true, "in this repo": true, "in this project": true,
}

// withoutFrame returns what a memory says, without how its title is framed.
func withoutFrame(m memory.Memory) string {
	text := m.Title
	if m.Text != "" && strings.HasSuffix(m.Title, "…") {
		text = m.Text
	}
	for _, frame := range []string{memory.TitleWants, memory.TitleSaid, memory.TitleDecided} {
		text = strings.TrimPrefix(text, frame)
	}
	return text
}

// A claim is what a decision or a wish says: what shall be, instead of what,
// and where. Words that say nothing are left out.
type claim struct {
	chosen, rejected []string
	scope            []string // for what it holds only
	negative         bool
}

func claimOf(m memory.Memory) claim {
	text, _, _ := strings.Cut(strings.ToLower(withoutFrame(m)), memory.TitleAsked)
	text, _, _ = strings.Cut(text, memory.TitleTopic)
	if at := prose.FindReason(text); at != nil && at[0] > 8 {
		text = text[:at[0]]
	}
	text = claimRules().TongueIn.ReplaceAllString(claimRules().NoScope.ReplaceAllString(text, ""), "$1")
	var c claim
	left, right := text, ""
	if at := claimRules().Rejections.FindStringIndex(text); at != nil && !claimRules().Negative.MatchString(text[:at[1]][:at[0]]) && !endsInDo(text[:at[0]]) {
		left, right = text[:at[0]], text[at[1]:]
	}
	c.negative = claimRules().Negative.MatchString(left)
	c.chosen, c.scope = splitScope(left)
	var more []string
	c.rejected, more = splitScope(right)
	c.scope = prose.SortedSet(append(c.scope, more...))
	if other := m.Fields["alternatives"]; other != "" && len(c.rejected) == 0 {
		c.rejected, _ = splitScope(strings.ToLower(other))
	}
	return c
}

// endsInDo: the "not" behind it is one of "do not".
func endsInDo(s string) bool { return strings.HasSuffix(s, "do") || strings.HasSuffix(s, "does") }

// splitScope returns the words of a part of a sentence, and of its scope.
func splitScope(part string) (text, scope []string) {
	head, tail := " "+strings.TrimSpace(part)+" ", ""
	if at := claimRules().Scopes.FindStringIndex(head); at != nil {
		head, tail = head[:at[0]], head[at[1]:]
	}
	return prose.SortedSet(prose.SubjectWords(head)), prose.SortedSet(prose.SubjectWords(tail))
}

// rivalsClaim reports whether two claims are about the same: the opposite of each
// other, one instead of the other, or two of which one excludes the other.
func (c claim) rivalsClaim(d claim) bool {
	if len(c.chosen) == 0 || len(d.chosen) == 0 || !slices.Equal(c.scope, d.scope) {
		return false
	}
	switch {
	case slices.Equal(c.chosen, d.chosen):
		return true
	case c.negative || d.negative:
		return false
	}
	return slices.Equal(c.chosen, d.rejected) || slices.Equal(c.rejected, d.chosen) || areExclusive(c.chosen, d.chosen)
}

// areExclusive reports whether a and b differ in one word, of which only one
// thing is chosen.
func areExclusive(a, b []string) bool {
	one, restA := pickOfFamily(a)
	other, restB := pickOfFamily(b)
	if one == "" || other == "" {
		return false
	}
	return prose.FamilyOf(one) == prose.FamilyOf(other) && slices.Equal(restA, restB)
}

// pickOfFamily takes the only word of a family out of a list.
func pickOfFamily(list []string) (word string, rest []string) {
	for _, w := range list {
		switch {
		case prose.FamilyOf(w) < 0:
			rest = append(rest, w)
		case word != "":
			return "", nil
		default:
			word = w
		}
	}
	return word, rest
}
