package survey

import (
	_ "embed"
	"strings"

	"recollect/internal/instruction"
	"recollect/internal/prose"
	"recollect/internal/rule"
)

// described returns what a project's own file says that the project is: its first sentence, as far
// as that has the form of a description, "" if it has not. Whoever wrote the file may describe the
// project, but may neither give Claude orders nor speak for the user.
func described(text string) string {
	sentences := prose.Sentences(text)
	if len(sentences) == 0 {
		return ""
	}
	first := sentences[0]
	if at := strings.IndexAny(first, ":;—(|"); at >= 0 {
		first = strings.TrimRight(first[:at], " –-,")
	}
	if givesOrders(sentences[0]) || orderRules().NoFact.MatchString(first) {
		return ""
	}
	return first
}

//go:embed rules/orders.toml
var orderText string

// orderRules find the sentences that have no place in a description.
var orderRules = rule.Read[orderTables](orderText)

type orderTables struct {
	rule.Header
	Order  rule.Set `toml:"order"`
	NoFact rule.Set `toml:"no-fact"`
}

// givesOrders reports whether a text gives orders or speaks for the user.
func givesOrders(text string) bool {
	return orderRules().Order.MatchString(text) || instruction.In(text)
}

// maxName bounds the name of a project, a dependency or a folder, in bytes.
const maxName = 80

// nameOnly returns a name that is one, and "" for a sentence in its place.
func nameOnly(name string) string {
	if len(name) > maxName || strings.Count(name, " ") > 4 || strings.Contains(name, " ") && givesOrders(name) {
		return ""
	}
	return name
}
