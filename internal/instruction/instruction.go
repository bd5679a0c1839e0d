// Package instruction recognizes text that wants to be obeyed: that gives orders to an
// assistant, speaks for the user, or has something fetched and run. Whoever wrote a file, a page,
// an error or a commit may say such things; only what the user says is theirs to decide.
package instruction

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"

	"recollect/internal/prose"
	"recollect/internal/rule"
)

//go:embed rules/instructions.toml
var ruleText string

var rules = rule.Read[tables](ruleText)

type tables struct {
	rule.Header
	Order    rule.Set   `toml:"order"`
	Claim    rule.Set   `toml:"claim"`
	Fetch    rule.Set   `toml:"fetch"`
	Installs *rule.Rule `toml:"installs"`
}

// In reports whether a text that the user did not write wants to be obeyed: it gives orders,
// claims what the user wants or has agreed to, or has something fetched and run.
func In(text string) bool { return anywhere(text, &rules().Order, &rules().Claim, &rules().Fetch) }

// Orders is In for words that may well report what the user wants.
func Orders(text string) bool { return anywhere(text, &rules().Order, &rules().Fetch) }

// Fetches is In for words that may well be what the user wants.
func Fetches(text string) bool { return anywhere(text, &rules().Fetch) }

// anywhere reports whether one of the sets takes a line of a text, or all of it as one line.
func anywhere(text string, sets ...*rule.Set) bool {
	text = readable(text)
	lines := append(strings.Split(text, "\n"), strings.Join(strings.Fields(text), " "))
	for _, set := range sets {
		if slices.ContainsFunc(lines, set.MatchString) {
			return true
		}
	}
	return false
}

// Installs reports whether a command installs a package that it names, which runs what somebody
// else put there.
func Installs(command string) bool { return rules().Installs.MatchString(readable(command)) }

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

// readable returns a text as it reads: in lower case, without characters that are not seen, marks
// of emphasis and odd spaces.
func readable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '*' || unicode.In(r, unicode.Cf, unicode.Cc, unicode.Mn):
			return -1
		case unicode.IsSpace(r):
			return ' '
		case r == '’' || r == 'ʼ' || r == '＇':
			return '\''
		case r >= '！' && r <= '～':
			return unicode.ToLower(r - '！' + '!')
		}
		return unicode.ToLower(r)
	}, text)
}
