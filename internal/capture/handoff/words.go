package handoff

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

//go:embed rules/handoff.toml
var ruleText string

var rules = rule.Read[ruleTables](ruleText)

type ruleTables struct {
	rule.Header
	Label         []*label   `toml:"label"`
	Issue         *rule.Rule `toml:"issue"`
	Template      rule.Set   `toml:"template"`
	Aside         rule.Set   `toml:"aside"`
	Onward        rule.Set   `toml:"onward"`
	Request       rule.Set   `toml:"request"`
	Greeting      *rule.Rule `toml:"greeting"`
	Subordinate   *rule.Rule `toml:"subordinate"`
	Obstacle      *rule.Rule `toml:"obstacle"`
	Hanging       *rule.Rule `toml:"hanging"`
	Mention       *rule.Rule `toml:"mention"`
	Clause        *rule.Rule `toml:"clause"`
	Task          *rule.Rule `toml:"task"`
	Between       *rule.Rule `toml:"between"`
	Little        rule.Set   `toml:"little"`
	Problem       rule.Set   `toml:"problem"`
	Contradiction rule.Set   `toml:"contradiction"`
	OtherCause    rule.Set   `toml:"other-cause"`
	Cause         rule.Set   `toml:"cause"`
	Because       rule.Set   `toml:"because"`
	Choice        *rule.Rule `toml:"choice"`
	Resolved      rule.Set   `toml:"resolved"`
	Done          rule.Set   `toml:"done"`
	Left          rule.Set   `toml:"left"`
	Ahead         rule.Set   `toml:"ahead"`
	Lasting       rule.Set   `toml:"lasting"`
	Later         rule.Set   `toml:"later"`
	PutOff        rule.Set   `toml:"put-off"`
	Empty         rule.Set   `toml:"empty"`
	Cheer         rule.Set   `toml:"cheer"`
	Hollow        rule.Set   `toml:"hollow"`
	Polite        rule.Set   `toml:"polite"`
	Failing       rule.Set   `toml:"failing"`
	WrapUp        rule.Set   `toml:"wrap-up"`
	Repair        *rule.Rule `toml:"repair"`
	About         rule.Set   `toml:"about"`
	Usage         rule.Set   `toml:"usage"`
	LeftToUser    *rule.Rule `toml:"left-to-user"`
}

// A label is a rule for a heading, or for what stands before a colon, and the
// kind of what it stands above or before.
type label struct {
	rule.Rule
	Kind string
}

// listedItems returns the items of a part of a summary in one line.
func listedItems(items []string) string {
	var out []string
	for _, text := range items {
		if text = itemOf(statement{text: text}); text != "" && len(out) < maxItems {
			out = append(out, text)
		}
	}
	return strings.Join(out, "; ")
}

// plainText returns a sentence without what only praises: "I've successfully fixed
// the pool" says that the pool is fixed.
func plainText(s string) string { return prose.Tidy(prose.ItemWords(s)) }

// endSentence gives a sentence its period.
func endSentence(s string) string {
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(")`\"'", last) {
		return s + "."
	}
	return s
}

// admitsFailure reports whether a reply says that something does not work, or is empty. After any other
// reply, a command that failed last was meant to fail, such as the test of an error.
func admitsFailure(reply string) bool {
	return reply == "" || rules().Failing.MatchString(strings.ToLower(reply))
}

// isUninformative reports whether a sentence says nothing by itself.
func isUninformative(s string) bool {
	words := prose.LineWords(s)
	switch {
	case len(strings.Fields(words)) < 2, prose.Tidy(s) == "", strings.HasSuffix(s, ":"), strings.HasSuffix(s, "?"), prose.Trivial(words):
		return true
	}
	return rules().Cheer.MatchString(words) || rules().Hollow.MatchString(words)
}

// lastQuestion is the question that a reply ends with, "" if it ends with
// none or only a polite one.
func lastQuestion(reply string) string {
	paragraphs := prose.Paragraphs(reply)
	if len(paragraphs) == 0 {
		return ""
	}
	question := prose.ItemWords(prose.LastSentence(strings.Join(paragraphs[len(paragraphs)-1], "\n")))
	if !strings.HasSuffix(question, "?") && !strings.HasSuffix(question, "？") {
		return ""
	}
	if words := prose.LineWords(question); rules().Polite.MatchString(words) || prose.Trivial(words) {
		return ""
	}
	return prose.Clip(question, maxItem)
}
