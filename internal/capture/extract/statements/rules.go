// Package statements reads what a sentence states: a wish, a decision, a convention of a project, a goal.
// It has the tables of rules for what people say, and knows neither turns nor memories that are made
// of them.
package statements

import (
	_ "embed"
	"fmt"

	"recollect/internal/memory"
	"recollect/internal/text/rule"
)

// The files of rules, one for each kind of what people say.
var (
	//go:embed rules/wishes.toml
	wishText string
	//go:embed rules/signs.toml
	signText string
	//go:embed rules/preferences.toml
	preferenceText string
	//go:embed rules/conventions.toml
	conventionText string
	//go:embed rules/failures.toml
	failureText string
	//go:embed rules/goals.toml
	goalText string
	//go:embed rules/decisions.toml
	decisionText string
	//go:embed rules/thinking.toml
	thinkingText string
	//go:embed rules/authors.toml
	authorText string
)

var (
	WishRules       = rule.Read[wishTables](wishText)
	SignRules       = rule.Read[signTables](signText)
	PreferenceRules = rule.Read[preferenceTables](preferenceText)
	ConventionRules = rule.Read[conventionTables](conventionText)
	FailureRules    = rule.Read[failureTables](failureText)
	GoalRules       = rule.Read[goalTables](goalText)
	DecisionRules   = rule.Read[decisionTables](decisionText)
	ThinkingRules   = rule.Read[thinkingTables](thinkingText)
	AuthorRules     = rule.Read[authorTables](authorText)
)

type authorTables struct {
	rule.Header
	Role    rule.Set `toml:"role"`
	Form    rule.Set `toml:"form"`
	Lasting rule.Set `toml:"lasting"`
}

type thinkingTables struct {
	rule.Header
	TestFile *rule.Rule `toml:"test-file"`
}

type wishTables struct {
	rule.Header
	TagQuestion *rule.Rule `toml:"tag-question"`
	Wish        []*Wish    `toml:"wish"`
	Vague       rule.Set   `toml:"vague"`
	Passing     rule.Set   `toml:"passing"`
	FromToday   *rule.Rule `toml:"from-today"`
	Pointing    rule.Set   `toml:"pointing"`
	Named       rule.Set   `toml:"named"`
	Reminding   *rule.Rule `toml:"reminding"`

	Complaint *rule.Rule `toml:"complaint"`
	NotOurs   *rule.Rule `toml:"not-ours"`
	ForAll    rule.Set   `toml:"holds-for-all"`

	RulesFollow *rule.Rule `toml:"rules-follow"`

	Joint    []*joint   `toml:"joint" rule:"each"`
	Dangling rule.Set   `toml:"dangling"`
	GoesOn   *rule.Rule `toml:"goes-on"`
	Handling rule.Set   `toml:"handling"`
}

// A joint is where a clause begins that may be a wish by itself, as the pattern's group.
type joint struct {
	rule.Rule
	Short bool // only after a few words
}

// A Wish is a way to say that something shall be so from now on. It is matched
// against a sentence in lower case that begins with it.
type Wish struct {
	rule.Rule
	Confidence float64
	Frame      frame
	Short      bool // in a longer prompt it is about the task at hand
	Question   bool // may be put as a question
	Work       bool // only about an activity: the same words about the product are a decision
}

type signTables struct {
	rule.Header
	Topic    rule.Set    `toml:"topic"`
	OneThing *rule.Rule  `toml:"one-thing"`
	Code     *rule.Rule  `toml:"code"`
	Order    *rule.Rule  `toml:"order"`
	Telling  *rule.Rule  `toml:"telling"`
	Between  *rule.Rule  `toml:"between"`
	Sign     []*wishSign `toml:"sign" rule:"each"`
}

// A wishSign shows how much a clause is like a wish, or, with a negative weight, unlike one.
type wishSign struct {
	rule.Rule
	Weight int
}

// A frame is how the title of a preference begins, before the sentence.
type frame string

// UnmarshalText reads a frame as the tables write it.
func (f *frame) UnmarshalText(text []byte) error {
	switch string(text) {
	case "wants":
		*f = memory.TitleWants
	case "says":
		*f = memory.TitleSaid
	default:
		return fmt.Errorf("frame %q: must be wants or says", text)
	}
	return nil
}

type preferenceTables struct {
	rule.Header
	Instead   *rule.Rule `toml:"instead"`
	Unwanted  *rule.Rule `toml:"unwanted"`
	Repeated  rule.Set   `toml:"said-again"`
	ToAll     rule.Set   `toml:"to-all"`
	ToTalk    rule.Set   `toml:"to-talk"`
	ToProject *rule.Rule `toml:"to-project"`
}

type conventionTables struct {
	rule.Header
	Convention rule.Set   `toml:"convention"`
	Place      *rule.Rule `toml:"place"`
	Thought    rule.Set   `toml:"thought"`
}

type failureTables struct {
	rule.Header
	Cause       rule.Set   `toml:"cause"`
	Blame       rule.Set   `toml:"blame"`
	Announcing  rule.Set   `toml:"announcing"`
	Why         *rule.Rule `toml:"why"`
	Environment *rule.Rule `toml:"environment"`
}

type goalTables struct {
	rule.Header
	Goal []*rule.Rule `toml:"goal"`
	Todo *rule.Rule   `toml:"todo"`
}

type decisionTables struct {
	rule.Header
	Settled      []*rule.Rule `toml:"settled-by-user"`
	Report       *rule.Rule   `toml:"report"`
	ChosenByUser []*rule.Rule `toml:"chosen-by-user"`
	Announced    rule.Set     `toml:"announced"`
	LetUs        *rule.Rule   `toml:"let-us"`
	Framed       *rule.Rule   `toml:"framed"`
	Joint        *rule.Rule   `toml:"joint"`
	Request      *rule.Rule   `toml:"request"`
	Uncertain    rule.Set     `toml:"uncertain"`
	Elsewhere    rule.Set     `toml:"elsewhere"`
	Others       rule.Set     `toml:"others"`
	Change       *rule.Rule   `toml:"change"`
	Switched     []*rule.Rule `toml:"switched"`
	Switching    *rule.Rule   `toml:"switching"`
	Deciding     *rule.Rule   `toml:"deciding"`
	Rearranged   *rule.Rule   `toml:"rearranged"`
	News         *rule.Rule   `toml:"news"`
	ByNumber     *rule.Rule   `toml:"by-number"`
	ByPlace      *rule.Rule   `toml:"by-place"`
	ItIs         *rule.Rule   `toml:"it-is"`
	Stays        *rule.Rule   `toml:"stays"`
	NoThing      rule.Set     `toml:"no-thing"`
	Agreement    rule.Set     `toml:"agreement"`
	AgreedOn     *rule.Rule   `toml:"agreed-on"`
	Ordering     *rule.Rule   `toml:"ordering"`

	ChosenByClaude []*rule.Rule `toml:"chosen-by-claude"`
	DoneByClaude   *rule.Rule   `toml:"done-by-claude"`
	BecauseFirst   *rule.Rule   `toml:"because-first"`
	RejectedFirst  *rule.Rule   `toml:"rejected-first"`
	Labelled       *rule.Rule   `toml:"labelled"`
	PreferredTo    *rule.Rule   `toml:"preferred-to"`
	Finite         *rule.Rule   `toml:"finite"`

	Alternative rule.Set   `toml:"alternative"`
	Consequence *rule.Rule `toml:"consequence"`
	Unnamed     rule.Set   `toml:"unnamed"`
	NextStep    *rule.Rule `toml:"next-step"`

	Reported   rule.Set   `toml:"reported"`
	ChosenOver *rule.Rule `toml:"chosen-over"`
}
