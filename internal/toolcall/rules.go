package toolcall

import (
	_ "embed"

	"recollect/internal/rule"
)

//go:embed rules/faults.toml
var faultText string

// faultRules are how outputs name an error, and what in it differs from run to
// run.
var faultRules = rule.Read[faultTables](faultText)

type faultTables struct {
	rule.Header

	SummaryLine   *rule.Rule `toml:"summary-line"`
	ExceptionLine *rule.Rule `toml:"exception-line"`
	CodedError    *rule.Rule `toml:"coded-error"`
	ErrorLine     *rule.Rule `toml:"error-line"`
	RejectedPush  *rule.Rule `toml:"rejected-push"`
	PositionLine  *rule.Rule `toml:"position-line"`
	ComplaintLine *rule.Rule `toml:"complaint-line"`
	FailedTest    rule.Set   `toml:"failed-test"`

	Assertion    *rule.Rule `toml:"assertion"`
	StoppedCall  *rule.Rule `toml:"stopped-call"`
	Lacking      *rule.Rule `toml:"lacking"`
	MachineFault *rule.Rule `toml:"machine-fault"`
	TimedOut     *rule.Rule `toml:"timed-out"`
	NewPython    rule.Set   `toml:"new-python"`

	TimeStamp    rule.Set   `toml:"time-stamp"`
	HeapAddress  *rule.Rule `toml:"heap-address"`
	TempFolder   *rule.Rule `toml:"temp-folder"`
	SitePackages *rule.Rule `toml:"site-packages"`
	DigitRun     *rule.Rule `toml:"digit-run"`
	AbsolutePath *rule.Rule `toml:"absolute-path"`
}
