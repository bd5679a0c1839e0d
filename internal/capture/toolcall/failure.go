package toolcall

import (
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
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
	Added      []string // variables and options of the fix that the call did not have
	Brief      []string // the fix as a title says it, the longest first
	Hints      []string // the same with something left out
	Title      string   // the line without who says it and where
	Missing    string   // the program or module that it says is missing
	Output     string   // what the call said, for the names in it
	Said       int      // how many replies of its turn came before it
	Confidence float64  // in the fix
	Files      []string // what was edited for the fix, and what the fault names

	Telling bool // without a fix the fault says what is missing
	Setup   bool // a program, module, permission, connection or option is missing
	Red     bool // a test failed, or what was run raised an exception
	Code    bool // the same, or a compiler or a linter, that no hook of git ran, says where the code is wrong
	OneOff  bool // it was run by a script that was only made to be run
	Slip    bool // the call was written wrongly, and put right
	Last    bool // nothing else was tried in its turn
	Machine bool // it is the machine's, whatever the project
	Edited  bool // edits of the same turn put it right, and nothing else
}

// Lasts reports whether a failure says something of the project that is worth
// knowing later. Whoever asks knows whether its cause was said.
func (f *Failure) Lasts(caused bool) bool {
	switch {
	case f.Slip:
		return false
	case f.Fix == "" && f.OneOff:
		return f.Telling || caused && f.Setup
	case f.Fix == "":
		return caused || f.Telling
	case f.OneOff && f.Red && !f.Edited:
		return false
	}
	return caused || !(f.Code && f.Edited)
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
		r := repair{calls: calls, failed: i, end: len(actions), project: p}
		if r.followCalls(); r.unmask() {
			if calls[i].fault.kind == faultUnclear {
				continue
			}
			r = repair{calls: calls, failed: i, end: len(actions), project: p}
			r.followCalls()
		}
		f, ok := r.failureOf()
		isFixedLater := f.Fix != "" && r.until >= len(actions)
		if ok && (len(later) == 0 || isFixedLater) {
			out = append(out, f)
		}
	}
	slices.Reverse(out)
	return out
}

// failureOf returns the failed call, if it is worth reporting: not if it passed
// later and nothing that was seen explains why.
func (r *repair) failureOf() (Failure, bool) {
	failed := r.calls[r.failed]
	fix, confidence := r.fixFound()
	subject := failed.try.goal
	switch {
	case failed.fault.old:
		subject = "python"
	case failed.fault.isAnywhere():
		subject = failed.try.program
	}
	f := Failure{
		Tool: failed.Tool, Call: r.title(), Subject: subject, Output: failed.Output, Said: failed.Said,
		Sign: failed.fault.sign, Error: failed.fault.String(), Line: failed.fault.line, Title: failed.fault.title(),
		Missing: failed.fault.missingThing(), Test: failed.fault.test, Evidence: failed.fault.message, Rule: nameOf(failed.fault.by),
		Fix: fix, Confidence: confidence, Files: r.filesOf(),
		Machine: failed.fault.old, Setup: failed.fault.kind == faultSetup, Red: failed.fault.isRed(), Code: failed.fault.ofCode() && failed.try.program != "git", OneOff: r.oneOff(), Slip: r.isSlip(), Edited: changesOnly(fix),
	}
	f.Edited = f.Edited && r.until < r.end
	f.Telling = f.Fix == "" && failed.tells() && r.isLasting()
	f.Telling = f.Telling && len(strings.Fields(f.Title)) > 1
	r.describe(&f)
	f.Last = failed.fault.kind != faultRed && !slices.ContainsFunc(r.calls[r.failed+1:r.end], func(c pastCall) bool { return c.counts || c.file != "" })
	return f, fix != "" || !r.passed || failed.fault.old
}

// isRed reports whether the fault shows that the code at hand is wrong, as long as one works
// on it.
func (f fault) isRed() bool {
	return f.kind == faultRed || f.kind == faultOther && f.by == faultRules().ExceptionLine
}

// ofCode reports whether the fault is one that also a compiler or a linter reports, which names the place.
func (f fault) ofCode() bool {
	if f.kind != faultOther {
		return f.isRed()
	}
	return f.isRed() || f.by == faultRules().CodedError || faultRules().PositionLine.MatchString(f.line)
}

// describe fills in what the fix of a failure has that the failed call had not,
// and how a title says it.
func (r *repair) describe(f *Failure) {
	failed := r.calls[r.failed].try
	f.Brief, f.Hints = briefFix(r.project.Within(f.Fix))
	for _, part := range partsOf(f.Fix) {
		if _, change, ok := strings.Cut(part, ": `"); ok && changesOnly(part) && len(change) < maxChange {
			f.Added = append(f.Added, strings.TrimSuffix(change, "`"))
		}
	}
	worked, ok := workedIn(f.Fix)
	if !ok {
		return
	}
	names := worked.operandsBeyond(failed)
	f.Added = append(f.Added, names...)
	runner := worked.runner()
	switch {
	case worked.wrapsAttempt(failed):
		words := strings.Fields(worked.whole)
		inner := worked.innermost(strings.Fields(unquoted.Replace(worked.whole)), failed.program)
		f.Hints = []string{"`" + strings.Join(words[:inner+1], " ") + " …`", "`" + runner + "`"}
		f.Added = append(f.Added, strings.Join(words[:inner], " "))
	case runner != failed.runner():
		f.Brief = append(f.Brief, "`"+runner+"`")
		if r.calls[r.failed].fault.isOfImport() && worked.program == failed.program && strings.HasPrefix(f.Fix, "`") {
			f.Brief = f.Brief[1:] // whatever it is run on
		}
		if more, ok := strings.CutSuffix(runner, " "+failed.runner()); ok {
			f.Added = append(f.Added, more)
		}
	case len(names) > 0:
		f.Brief = append(f.Brief, "with `"+worked.values(names)+"`")
		f.Hints = []string{"with `" + strings.Join(names, "`, `") + "`", "with `" + names[0] + "`"}
	default:
		if changed := worked.changedOperand(failed); changed != "" {
			f.Hints = append(f.Hints, "with `"+changed+"`")
		}
	}
}

// changedOperand returns the only word that t has and was does not, behind its option.
func (t attempt) changedOperand(was attempt) string {
	var out []string
	before := strings.Fields(was.whole)
	words := strings.Fields(t.whole)
	for i, w := range words {
		if slices.Contains(before, w) {
			continue
		}
		if i > 0 && strings.HasPrefix(words[i-1], "-") {
			w = words[i-1] + " " + w
		}
		out = append(out, w)
	}
	if len(out) != 1 {
		return ""
	}
	return out[0]
}

// maxChange bounds, in bytes, a change that a sentence may quote.
const maxChange = 40

// changesOnly reports whether a fix consists of changes to files.
func changesOnly(fix string) bool {
	for _, part := range partsOf(fix) {
		switch verb, rest, _ := strings.Cut(part, " "); verb {
		case "edited", "wrote":
		case "ran":
			if !strings.HasPrefix(rest, "`sed -i") {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// tells reports whether the failure of a command says something of the machine without a fix. Where
// an import failed, the next run says the same.
func (c pastCall) tells() bool {
	isOfMachine := c.fault.old || c.fault.kind == faultSetup && !c.fault.isMisuse()
	return isOfMachine && c.Command != "" && !c.fault.isOfImport()
}
