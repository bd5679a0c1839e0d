package toolcall

import (
	"slices"

	"recollect/internal/claudecode"
)

// Bounds of what memories say of failures.
const (
	maxFailed  = 200 // failed calls that are looked at, the last ones
	maxChanges = 3   // edits and commands that a fix names
)

// The confidence in a failure's fix: the same call was seen to pass after it; the
// error was gone, but the call did not pass or one cannot know; there is none.
const (
	sureFixed     = 0.9
	likelyFixed   = 0.6
	unfixedDoubts = 0.4
)

// A Failure is a call that failed, and what is known of it by the end: whether
// and how it was put right.
type Failure struct {
	Tool       string
	Call       string   // what was called, in a line
	Subject    string   // what was tried: of failures with one subject and sign, one is reported
	Sign       string   // the same for the same fault at another time and place
	Error      string   // the fault in a line, with the test that failed
	Line       string   // the line that names the fault, without what differs from run to run
	Test       string   // the first test that failed
	Evidence   string   // the line that names the fault, as it was
	Rule       string   // the name of the rule that took it for such a line, "" for none
	Fix        string   // what put it right, "" for nothing
	Confidence float64  // in the fix
	Files      []string // what was edited for the fix, and what the fault names
}

// Failures finds the calls among actions whose failure teaches something, in
// their order. With later, which are the actions of the turn after, only those
// that these put right.
func Failures(actions, later []claudecode.Action, p Paths) []Failure {
	if !slices.ContainsFunc(actions, func(a claudecode.Action) bool { return a.Failed }) {
		return nil
	}
	calls := pastCalls(slices.Concat(actions, later), p)
	var out []Failure
	tried := 0
	for i := len(actions) - 1; i >= 0 && tried < maxFailed; i-- {
		c := calls[i]
		if !c.Failed || !c.counts || c.fault.kind == faultUnclear {
			continue
		}
		tried++
		r := repair{calls: calls, failed: i, project: p}
		r.follow()
		if f, ok := r.failure(); ok && (len(later) == 0 || f.Fix != "" && r.until >= len(actions)) {
			out = append(out, f)
		}
	}
	slices.Reverse(out)
	return out
}

// failure returns the failed call, if it is worth reporting.
func (r *repair) failure() (Failure, bool) {
	failed := r.calls[r.failed]
	fix, confidence := r.fix()
	if fix == "" && (r.passed && !failed.fault.old || !r.lasting()) {
		return Failure{}, false
	}
	subject := failed.try.goal
	if failed.fault.anywhere() {
		subject = failed.try.program
	}
	return Failure{
		Tool: failed.Tool, Call: failed.try.title(MaxCommand / 2), Subject: subject,
		Sign: failed.fault.sign, Error: failed.fault.String(), Line: failed.fault.line, Test: failed.fault.test, Evidence: failed.fault.message, Rule: nameOf(failed.fault.by),
		Fix: fix, Confidence: confidence, Files: r.files(),
	}, true
}
