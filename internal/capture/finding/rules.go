package finding

import (
	_ "embed"

	"recollect/internal/text/rule"
)

//go:embed rules/orders.toml
var orderText string

// orderRules are how a text wants to be obeyed or taken for something else.
var orderRules = rule.Read[orderTables](orderText)

type orderTables struct {
	rule.Header
	Order rule.Set `toml:"order"`
}
