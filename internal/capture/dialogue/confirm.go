package dialogue

import (
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// Stands reports whether a thought is a conclusion in sentences that say what
// it is about, not only where, and, if it is a cause, what is wrong.
func (t Thought) Stands() bool {
	rules, said := reasoningRules(), withoutStatement(t.Text)
	switch {
	case t.Rule == tersePassage, isFragment(said), rules.Dangling.MatchString(said), rules.Placed.MatchString(said), len(contentWords(said)) < minWords:
		return false
	}
	_, remedy := t.Remedies()
	return !t.Cause || remedy || rules.Fault.MatchString(said)
}

// Explanation returns a text that is to be the cause of something, without what
// leads in to it; "" if it does not say what is wrong, or only where, or cannot
// be understood without what stood before it.
func Explanation(text string) string {
	rules, said := reasoningRules(), withoutStatement(cutOpening(text))
	switch {
	case rules.Dangling.MatchString(said), isFragment(said), !rules.Fault.MatchString(said):
		return ""
	case len(prose.Sentences(said)) == 1 && Locates(said):
		return ""
	case strings.EqualFold(said, text):
		return text
	}
	return said
}

// Locates reports whether a sentence says only where something was wrong.
func Locates(sentence string) bool {
	rules := reasoningRules()
	return rules.Located.MatchString(sentence) && !rules.Explained.MatchString(sentence)
}

// Remedies reports whether a thought says what is to be done, and whether it
// is whole: it says what is wrong, too.
func (t Thought) Remedies() (whole, remedy bool) {
	for _, sentence := range prose.Sentences(t.Text) {
		if reasoningRules().Remedy.MatchString(sentence) {
			remedy = true
		} else if reasoningRules().Fault.MatchString(sentence) || countBinding(sentence) > 0 {
			whole = true
		}
	}
	return whole, remedy
}

// Terms returns the names in code of a thought, in lower case: what has the
// form of one, and the words of a call, of a path or between backticks.
func (t Thought) Terms() []string {
	var out []string
	for i, part := range strings.Split(t.Text, "`") {
		for _, word := range strings.Fields(part) {
			code := i%2 == 1 || reasoningRules().Joined.MatchString(word)
			for _, name := range strings.FieldsFunc(word, prose.NotInName) {
				if code && len(name) >= minTerm || prose.IsIdentifier(name) {
					prose.AddOnce(&out, strings.ToLower(name))
				}
			}
		}
	}
	return out
}

// countNamed counts the names of a thought that are in a sentence.
func (t Thought) countNamed(sentence string) int {
	n, in := 0, Thought{Text: sentence}.Terms()
	for _, name := range t.Terms() {
		if slices.Contains(in, name) {
			n++
		}
	}
	return n
}

const minTerm = 3 // bytes of a word of code that names something

// WithoutLines drops the numbers of lines from a thought, which are soon others,
// and of options, which stood in a list that is gone.
func (t Thought) WithoutLines() Thought {
	for _, s := range []*string{&t.Conclusion, &t.Text} {
		*s = reasoningRules().Option.ReplaceAllString(*s, "to ")
		for _, r := range reasoningRules().Lines.Rules {
			*s = cutOpening(r.ReplaceAllString(*s, ""))
		}
	}
	return t
}
