// Package instruction recognizes text that wants to be obeyed: that gives orders to an
// assistant, speaks for the user, or has something fetched and run. Whoever wrote a file, a page,
// an error or a commit may say such things; only what the user says is theirs to decide.
package instruction

import (
	_ "embed"
	"slices"
	"strings"

	"recollect/internal/text/disguise"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

//go:embed rules/instructions.toml
var ruleText string

var rules = rule.Read[tables](ruleText)

type tables struct {
	rule.Header
	Order    rule.Set   `toml:"order"`
	Claim    rule.Set   `toml:"claim"`
	Fetch    rule.Set   `toml:"fetch"`
	Mark     rule.Set   `toml:"mark"`
	Spelled  rule.Set   `toml:"spelled"`
	Installs *rule.Rule `toml:"installs"`
}

// In reports whether a text that the user did not write wants to be obeyed: it gives orders,
// claims what the user wants or has agreed to, or has something fetched and run.
func In(text string) bool { return anywhere(text, &rules().Order, &rules().Claim, &rules().Fetch) }

// Disguised is In for what others share on purpose. There a text that imitates what Claude Code,
// recollect or a model's own format marks as somebody's words has no other use, nor has one whose
// words are hidden from a check.
func Disguised(text string) bool {
	if In(text) || anywhere(text, &rules().Mark) {
		return true
	}
	for _, word := range disguise.Spelled(text) {
		if rules().Spelled.MatchString(word) {
			return true
		}
	}
	return false
}

// Orders is In for words that may well report what the user wants.
func Orders(text string) bool { return anywhere(text, &rules().Order, &rules().Fetch) }

// Fetches is In for words that may well be what the user wants.
func Fetches(text string) bool { return anywhere(text, &rules().Fetch) }

// anywhere reports whether one of the sets takes a line of a text, or all of it as one line, in
// one of its readings.
func anywhere(text string, sets ...*rule.Set) bool {
	for _, reading := range disguise.Readings(text) {
		lines := append(strings.Split(reading, "\n"), strings.Join(strings.Fields(reading), " "))
		for _, set := range sets {
			if slices.ContainsFunc(lines, set.MatchString) {
				return true
			}
		}
	}
	return false
}

// Installs reports whether a command installs a package that it names, which runs what somebody
// else put there.
func Installs(command string) bool { return rules().Installs.MatchString(disguise.Plain(command)) }

// Without returns a text without the sentences that want to be obeyed.
func Without(text string) string {
	if !In(text) {
		return text
	}
	var kept []string
	for _, sentence := range prose.Whole(prose.Sentences(text)) {
		if !In(sentence) {
			kept = append(kept, sentence)
		}
	}
	if text = strings.Join(kept, " "); In(text) {
		return "" // it takes more than one sentence to say it
	}
	return text
}
