package dialogue

import (
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// An Option is one of those from which a reply lets the user choose.
type Option struct {
	Label string // its number, or its letter in lower case
	Text  string
}

// Options returns the last options in a reply that have labels: what "Option A:" begins, or else the items of a list with
// numbers or letters.
func Options(reply string) []Option {
	var named, listed []Option
	for line := range strings.Lines(reply) {
		line = withoutBullet(line)
		for at := agreementRules().Label.FindStringSubmatchIndex(line); at != nil; {
			label, text := line[at[2]:at[3]], line[at[1]:]
			isNamed := strings.TrimLeft(line[at[0]:at[2]], " (") != ""
			at, line = agreementRules().Label.FindStringSubmatchIndex(text), text
			if at != nil {
				text = text[:at[0]]
			}
			if o := (Option{strings.ToLower(label), optionText(text)}); isNamed {
				named = addOption(named, o)
			} else {
				listed = addOption(listed, o)
			}
		}
	}
	out := named
	if len(named) < 2 {
		out = listed
		if len(listed) < 2 || slices.ContainsFunc(listed, Option.isQuestion) {
			return nil
		}
	}
	for i := range out {
		out[i].Text = strings.TrimRight(out[i].Text, "?")
	}
	return out
}

// addOption adds an option to a list. One with the first one's label begins another list; any other that the list has already is
// only mentioned again.
func addOption(list []Option, o Option) []Option {
	at := slices.IndexFunc(list, func(other Option) bool { return other.Label == o.Label })
	switch {
	case at == 0:
		list = nil
	case at > 0:
		return list
	}
	return append(list, o)
}

// isQuestion reports whether o is a question of its own. "Revise the plan?" only proposes what may be chosen.
func (o Option) isQuestion() bool {
	words := prose.PlainWords(strings.ToLower(o.Text))
	return strings.HasSuffix(o.Text, "?") && slices.ContainsFunc(words, func(w string) bool { return interrogative[w] })
}

// interrogative are words of questions.
var interrogative = prose.WordSet("should shall do does is are can could would what which how where when who why different else")

// IsOrder reports whether an option begins like an order: "start with the parser".
func (o Option) IsOrder() bool {
	return agreementRules().Order.MatchString(o.Text) || strings.HasPrefix(strings.ToLower(o.Text), "use ")
}

// withoutBullet returns a line of a reply without what marks it as bold, a heading or an item.
func withoutBullet(line string) string {
	return strings.TrimLeft(prose.Unmark(strings.TrimSpace(line)), "-*•( ")
}

// optionText returns what an option is, without what is said about it in further sentences.
func optionText(said string) string {
	first := prose.FirstSentence(strings.Trim(said, ".):*- –—"))
	if open := strings.LastIndexByte(first, '('); open > minWhat && !strings.Contains(first[open:], ")") {
		first = first[:open] // the sentence ended in brackets
	}
	return prose.Clip(strings.TrimSuffix(strings.TrimRight(first, " .;,"), ", or"), maxAsked)
}

// isOption reports whether a line is one of the labelled options.
func (o Proposal) isOption(line string) bool {
	return len(o.labelled) > 0 && agreementRules().Label.MatchString(withoutBullet(line))
}

// taken returns the place of the option whose label a clause consists of, and what else the clause says; −1 for none.
func (o Proposal) taken(clause string) (place int, rest string) {
	at := agreementRules().Taken.FindStringSubmatch(clause)
	if at == nil {
		return -1, ""
	}
	label := strings.ToLower(at[1])
	return slices.IndexFunc(o.labelled, func(o Option) bool { return o.Label == label }), strings.TrimLeft(at[2], " ,;:.)-–—")
}

// isChoice reports whether the reply lets the user choose how something is to be, and not only what is done next.
func (o Proposal) isChoice() bool {
	n := len(o.questions)
	return n > 0 && o.waits && !agreementRules().Steering.MatchString(o.questions[n-1])
}

// chosen returns the decision for an option, given why it was taken and the sentence that takes it.
func (o Proposal) chosen(place int, why, sentence string) Decision {
	var others []string
	for i, option := range o.labelled {
		isOfList := isDigit(option.Label) == isDigit(o.labelled[place].Label)
		if i != place && isOfList {
			others = append(others, option.Text)
		}
	}
	return Decision{
		What: o.labelled[place].Text, Why: prose.Clip(why, maxReason), Not: prose.Clip(strings.Join(others, "; "), maxReason),
		Asked: o.questionFor("", true), Evidence: sentence,
	}
}

// isDigit reports whether a label is a number.
func isDigit(label string) bool { return label < "a" }
