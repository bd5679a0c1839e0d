package consolidate

import (
	_ "embed"

	"recollect/internal/text/rule"
)

//go:embed rules/claims.toml
var claimText string

// claimRules parse what a decision or a wish says.
var claimRules = rule.Read[claimTables](claimText)

type claimTables struct {
	rule.Header
	Scopes     *rule.Rule `toml:"scopes"`
	TongueIn   *rule.Rule `toml:"tongue-in"`
	NoScope    rule.Set   `toml:"no-scope"`
	Rejections *rule.Rule `toml:"rejections"`
	Negative   rule.Set   `toml:"negative"`
}

//go:embed rules/amendments.toml
var amendmentText string

// amendmentRules find what a decision or a wish says about an earlier one.
var amendmentRules = rule.Read[amendmentTables](amendmentText)

type amendmentTables struct {
	rule.Header
	Changing   rule.Set     `toml:"changing"`
	Beside     rule.Set     `toml:"beside"`
	WholeRule  *rule.Rule   `toml:"whole-rule"`
	Superseded *rule.Rule   `toml:"superseded"`
	GivenUp    []*rule.Rule `toml:"given-up" rule:"each"`
	Denied     *rule.Rule   `toml:"denied"`
	Slot       rule.Set     `toml:"slot"`
	Choosing   *rule.Rule   `toml:"choosing"`
	Announcing rule.Set     `toml:"announcing"`
	RestStands rule.Set     `toml:"rest-stands"`
	Unchanged  rule.Set     `toml:"unchanged"`
}
