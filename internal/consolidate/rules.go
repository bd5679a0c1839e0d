package consolidate

import (
	_ "embed"

	"recollect/internal/rule"
)

//go:embed rules/claims.toml
var claimText string

// claimRules take apart what a decision or a wish says.
var claimRules = rule.Read[claimTables](claimText)

type claimTables struct {
	rule.Header
	Scopes     *rule.Rule `toml:"scopes"`
	TongueIn   *rule.Rule `toml:"tongue-in"`
	NoScope    rule.Set   `toml:"no-scope"`
	Rejections *rule.Rule `toml:"rejections"`
	Negative   rule.Set   `toml:"negative"`
}
