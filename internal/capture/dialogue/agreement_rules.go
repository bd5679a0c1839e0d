package dialogue

import (
	_ "embed"

	"recollect/internal/text/rule"
)

//go:embed rules/agreement.toml
var agreementText string

var agreementRules = rule.Read[agreementTables](agreementText)

type agreementTables struct {
	rule.Header
	Assent  rule.Set   `toml:"assent"`
	Denial  rule.Set   `toml:"denial"`
	Opening *rule.Rule `toml:"opening"`

	Firm       rule.Set     `toml:"firm"`
	Lasting    rule.Set     `toml:"lasting"`
	Changed    rule.Set     `toml:"changed"`
	Revised    []*rule.Rule `toml:"revised"`
	Order      *rule.Rule   `toml:"order"`
	Asking     *rule.Rule   `toml:"asking"`
	Aside      *rule.Rule   `toml:"aside"`
	Trouble    *rule.Rule   `toml:"trouble"`
	Past       *rule.Rule   `toml:"past"`
	Wondering  *rule.Rule   `toml:"wondering"`
	Pointing   *rule.Rule   `toml:"pointing"`
	Telling    *rule.Rule   `toml:"telling"`
	Idiom      *rule.Rule   `toml:"idiom"`
	Normative  *rule.Rule   `toml:"normative"`
	Fact       *rule.Rule   `toml:"fact"`
	Clausal    *rule.Rule   `toml:"clausal"`
	Musing     *rule.Rule   `toml:"musing"`
	Command    *rule.Rule   `toml:"command"`
	Pointless  *rule.Rule   `toml:"pointless"`
	Regulating *rule.Rule   `toml:"regulating"`
	Remark     *rule.Rule   `toml:"remark"`
	Report     *rule.Rule   `toml:"report"`
	Dangling   *rule.Rule   `toml:"dangling"`
	Explaining *rule.Rule   `toml:"explaining"`
	Place      []*rule.Rule `toml:"place"`
	Label      *rule.Rule   `toml:"label"`
	Taken      *rule.Rule   `toml:"taken"`
	Polar      *rule.Rule   `toml:"polar"`
	OfThings   *rule.Rule   `toml:"of-things"`

	Proposal     *rule.Rule `toml:"proposal"`
	Steering     *rule.Rule `toml:"steering"`
	ListedChoice *rule.Rule `toml:"listed-choice"`

	Acknowledged *rule.Rule `toml:"acknowledged"`
	Recap        rule.Set   `toml:"recap"`
	Outlook      *rule.Rule `toml:"outlook"`
}
