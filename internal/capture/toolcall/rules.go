package toolcall

import (
	_ "embed"

	"recollect/internal/text/rule"
)

//go:embed rules/faults.toml
var faultText string

// faultRules are how outputs name an error, and what in it differs from run to
// run.
var faultRules = rule.Read[faultTables](faultText)

type faultTables struct {
	rule.Header

	SummaryLine   *rule.Rule `toml:"summary-line"`
	ProgressLine  *rule.Rule `toml:"progress-line"`
	CodeLine      *rule.Rule `toml:"code-line"`
	ExceptionLine *rule.Rule `toml:"exception-line"`
	CodedError    *rule.Rule `toml:"coded-error"`
	AddressLine   *rule.Rule `toml:"address-line"`
	ErrorLine     *rule.Rule `toml:"error-line"`
	RejectedPush  *rule.Rule `toml:"rejected-push"`
	PositionLine  *rule.Rule `toml:"position-line"`
	ComplaintLine *rule.Rule `toml:"complaint-line"`
	MarkedLine    *rule.Rule `toml:"marked-line"`
	FailedTest    rule.Set   `toml:"failed-test"`

	Assertion    *rule.Rule `toml:"assertion"`
	StoppedCall  *rule.Rule `toml:"stopped-call"`
	TitlePrefix  rule.Set   `toml:"title-prefix"`
	Lacking      rule.Set   `toml:"lacking"`
	Misuse       *rule.Rule `toml:"misuse"`
	WholeProgram *rule.Rule `toml:"whole-program"`

	MissingProgram rule.Set   `toml:"missing-program"`
	MissingModule  rule.Set   `toml:"missing-module"`
	ImportIn       rule.Set   `toml:"import-in"`
	FailedImport   rule.Set   `toml:"failed-import"`
	NothingDone    *rule.Rule `toml:"nothing-done"`
	SomethingDone  *rule.Rule `toml:"something-done"`

	Prescribes   *rule.Rule `toml:"prescribes"`
	MachineFault *rule.Rule `toml:"machine-fault"`
	TimedOut     *rule.Rule `toml:"timed-out"`
	BareValue    *rule.Rule `toml:"bare-value"`
	NewPython    rule.Set   `toml:"new-python"`

	TimeStamp     rule.Set   `toml:"time-stamp"`
	LinePrefix    rule.Set   `toml:"line-prefix"`
	AtAddress     *rule.Rule `toml:"at-address"`
	ProcessNumber *rule.Rule `toml:"process-number"`
	TempFolder    *rule.Rule `toml:"temp-folder"`
	SitePackages  *rule.Rule `toml:"site-packages"`
	DigitRun      *rule.Rule `toml:"digit-run"`
	AbsolutePath  *rule.Rule `toml:"absolute-path"`
	Redirection   *rule.Rule `toml:"redirection"`
}
