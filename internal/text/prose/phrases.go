package prose

import (
	_ "embed"

	"recollect/internal/text/rule"
)

//go:embed rules/phrases.toml
var phraseText string

var phraseRules = rule.Read[phraseTables](phraseText)

type phraseTables struct {
	rule.Header
	Pronominal *rule.Rule `toml:"pronominal"`
	Reason     rule.Set   `toml:"reason"`
}

// Pronominal reports whether a sentence begins with a subject that stands in
// the one before: "It is …".
func Pronominal(sentence string) bool { return phraseRules().Pronominal.MatchString(sentence) }

// FindReason returns where the part of a sentence that says why begins, and
// where its first words end: nil if it says none.
func FindReason(sentence string) []int { return phraseRules().Reason.FindStringIndex(sentence) }
