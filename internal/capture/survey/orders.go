package survey

import (
	_ "embed"
	"strings"

	"recollect/internal/text/instruction"
	"recollect/internal/text/rule"
)

//go:embed rules/orders.toml
var orderText string

// orderRules find the sentences that have no place in a description.
var orderRules = rule.Read[orderTables](orderText)

type orderTables struct {
	rule.Header
	Order  rule.Set `toml:"order"`
	NoFact rule.Set `toml:"no-fact"`

	Kind   *rule.Rule `toml:"kind"`
	Noun   rule.Set   `toml:"noun"`
	Does   *rule.Rule `toml:"does"`
	DoneBy *rule.Rule `toml:"done-by"`
	End    rule.Set   `toml:"end"`
	Work   *rule.Rule `toml:"work"`

	Article *rule.Rule `toml:"article"`
}

// givesOrders reports whether a text gives orders or speaks for the user.
func givesOrders(text string) bool {
	return orderRules().Order.MatchString(text) || instruction.In(text)
}

// maxName bounds the name of a project, a dependency or a folder, in bytes.
const maxName = 80

// nameOnly returns a name that is one, and "" for a sentence in its place.
func nameOnly(name string) string {
	if len(name) > maxName || strings.Count(name, " ") > 4 {
		return ""
	}
	if strings.Contains(name, " ") && givesOrders(name) {
		return ""
	}
	return name
}
