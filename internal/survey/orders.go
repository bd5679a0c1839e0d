package survey

import (
	_ "embed"
	"strings"

	"recollect/internal/prose"
	"recollect/internal/rule"
)

// described returns the beginning of what a project's own file says of it, up
// to the first sentence that gives orders: whoever wrote the file may describe
// the project, but may neither give Claude orders nor speak for the user.
func described(text string) string {
	end := 0
	for _, s := range prose.Whole(prose.Sentences(text)) {
		if givesOrders(s) {
			return strings.TrimSpace(text[:end])
		}
		if i := strings.Index(text[end:], s); i >= 0 {
			end += i + len(s)
		}
	}
	return text
}

//go:embed rules/orders.toml
var orderText string

// orderRules find the sentences that have no place in a description.
var orderRules = rule.Read[orderTables](orderText)

type orderTables struct {
	rule.Header
	Order rule.Set `toml:"order"`
}

// givesOrders reports whether a text gives orders or speaks for the user.
func givesOrders(text string) bool { return orderRules().Order.MatchString(text) }

// maxName bounds the name of a project, a dependency or a folder, in bytes.
const maxName = 80

// nameOnly returns a name that is one, and "" for a sentence in its place.
func nameOnly(name string) string {
	if len(name) > maxName || strings.Count(name, " ") > 4 || strings.Contains(name, " ") && givesOrders(name) {
		return ""
	}
	return name
}
