package capture

import (
	"slices"

	"recollect/internal/claudecode"
)

// Bounds of what is told of failures.
const (
	maxFailed  = 200 // failed calls that are looked at, the last ones
	maxChanges = 3   // edits and commands that a fix names
)

// How sure a failure's fix is: the same call was seen to pass after it; the
// error was gone, but the call did not pass or one cannot tell; there is none.
const (
	sureFixed     = 0.9
	likelyFixed   = 0.6
	unfixedDoubts = 0.4
)

// A failure is a call that failed, and what is known of it by the end: whether
// and how it was put right.
type failure struct {
	tool    string
	call    string   // what was called, in a line
	subject string   // what was tried: of failures with one subject and sign, one tells it
	sign    string   // the same for the same fault at another time and place
	message string   // the fault in a line, with the test that failed
	line    string   // the line that names the fault, without what differs from run to run
	test    string   // the first test that failed
	said    string   // the line that names the fault, as it was
	fix     string   // what put it right, "" for nothing
	sure    float64  // how sure that is
	files   []string // what was edited for the fix, and what the fault names
}

// failuresOf finds the calls among actions whose failure teaches something, in
// their order. With later, which are the actions of the turn after, only those
// that these put right.
func failuresOf(actions, later []claudecode.Action, p project) []failure {
	if !slices.ContainsFunc(actions, func(a claudecode.Action) bool { return a.Failed }) {
		return nil
	}
	calls := readCalls(slices.Concat(actions, later), p)
	var out []failure
	tried := 0
	for i := len(actions) - 1; i >= 0 && tried < maxFailed; i-- {
		c := calls[i]
		if !c.Failed || !c.counts || c.fault.kind == faultUnclear {
			continue
		}
		tried++
		r := repair{calls: calls, failed: i, project: p}
		r.follow()
		if f, ok := r.failure(); ok && (len(later) == 0 || f.fix != "" && r.until >= len(actions)) {
			out = append(out, f)
		}
	}
	slices.Reverse(out)
	return out
}

// failure tells of the failed call, if it is worth it.
func (r *repair) failure() (failure, bool) {
	failed := r.calls[r.failed]
	fix, sure := r.fix()
	if fix == "" && (r.passed && !failed.fault.old || !r.lasting()) {
		return failure{}, false
	}
	subject := failed.try.goal
	if failed.fault.anywhere() {
		subject = failed.try.program
	}
	return failure{
		tool: failed.Tool, call: failed.try.title(maxCommand / 2), subject: subject,
		sign: failed.fault.sign, message: failed.fault.String(), line: failed.fault.line, test: failed.fault.test, said: failed.fault.said,
		fix: fix, sure: sure, files: r.files(),
	}, true
}
