package dialogue

import (
	_ "embed"
	"fmt"

	"recollect/internal/text/rule"
)

//go:embed rules/reasoning.toml
var reasoningText string

// reasoningRules are how reasoning concludes, narrates and supposes.
var reasoningRules = rule.Read[reasoningTables](reasoningText)

type reasoningTables struct {
	rule.Header
	Conclusion []*conclusion `toml:"conclusion"`

	StatedCause *rule.Rule `toml:"stated-cause"`

	LeadIn     *rule.Rule `toml:"lead-in"`
	Narrating  rule.Set   `toml:"narrating"`
	Tentative  rule.Set   `toml:"tentative"`
	Leaning    rule.Set   `toml:"leaning"`
	Following  rule.Set   `toml:"following"`
	Fragment   *rule.Rule `toml:"fragment"`
	Dangling   *rule.Rule `toml:"dangling"`
	Unnamed    *rule.Rule `toml:"unnamed"`
	Option     *rule.Rule `toml:"option"`
	Retracting *rule.Rule `toml:"retracting"`
	Remedy     *rule.Rule `toml:"remedy"`
	Placed     *rule.Rule `toml:"placed"`
	Fault      *rule.Rule `toml:"fault"`
	Joined     *rule.Rule `toml:"joined"`
	Lines      rule.Set   `toml:"lines"`
	Restating  rule.Set   `toml:"restating"`
	Located    *rule.Rule `toml:"located"`
	Explained  *rule.Rule `toml:"explained"`
	Supposed   *rule.Rule `toml:"supposed"`

	Binding   []*binding `toml:"binding" rule:"each"`
	Measured  *rule.Rule `toml:"measured"`
	Reporting rule.Set   `toml:"reporting"`
	Seeking   *rule.Rule `toml:"seeking"`
	Cheering  *rule.Rule `toml:"cheering"`
	Assigning *rule.Rule `toml:"assigning"`
	Glued     *rule.Rule `toml:"glued"`
	Named     *rule.Rule `toml:"named"`
}

// A conclusion is a way in which reasoning comes to an end. Each sentence that
// has its form has one of its signs: to look for them first saves most of the
// time.
type conclusion struct {
	rule.Rule
	Weight weight
	Signs  []string
}

// A weight is how informative a conclusion is. A reason by itself is the least.
type weight int

const (
	plainReason weight = iota + 1
	rejection
	cause
)

// UnmarshalText reads a weight as the tables write it.
func (w *weight) UnmarshalText(text []byte) error {
	switch string(text) {
	case "plain":
		*w = plainReason
	case "rejection":
		*w = rejection
	case "cause":
		*w = cause
	default:
		return fmt.Errorf("weight %q: must be plain, rejection or cause", text)
	}
	return nil
}

// A binding is a way in which a sentence binds what it says together.
type binding struct {
	rule.Rule
	Signs []string // one of which it has
}
