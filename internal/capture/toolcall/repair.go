package toolcall

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

// A pastCall is a tool call as the search for failures sees it.
type pastCall struct {
	claudecode.Action
	try    attempt
	others []attempt // that the same command line makes
	counts bool      // it is an attempt whose failure may teach something
	fault  fault     // of one that failed, or may have
	file   string    // that it changed, as the project names it
}

func pastCalls(actions []claudecode.Action, p Paths) []pastCall {
	calls := make([]pastCall, len(actions))
	for i, a := range actions {
		c := pastCall{Action: a}
		c.try, c.counts = tryOf(a)
		mayHaveFailed := c.counts && (a.Failed || c.try.piped)
		if mayHaveFailed || a.Failed && a.Command != "" {
			c.fault = readFault(a.Output, p)
		}
		if try, ok := c.fault.missingIn(a); ok {
			c.try, c.counts = try, true
		}
		if c.counts {
			c.others = attemptsOf(clean.Text(a.Command))
		}
		if ChangesFile(a.Tool) && !a.Failed && !a.Refused {
			c.file = p.Relative(clean.Text(a.File))
		}
		calls[i] = c
	}
	return calls
}

// A repair follows what was done after a failed call until the same call
// came out otherwise.
type repair struct {
	calls   []pastCall
	failed  int // the call that failed
	end     int // where the calls of its own turn end
	project Paths

	again  int  // the last call that failed alike
	until  int  // the call after it that came out otherwise, 0 if none did
	last   int  // the call that passed
	passed bool // one did

	background int // a call after it that went on in the background
}

func (r *repair) followCalls() {
	try, fault := r.calls[r.failed].try, r.calls[r.failed].fault
	exact := fault.kind != faultSetup || subcommands[try.program] > 0
	r.again = r.failed
	stashed := false
	for j, c := range r.calls[r.failed+1:] {
		j += r.failed + 1
		stashed = c.leavesStashed(stashed)
		same := try.sameAs(c.try, exact) || slices.ContainsFunc(c.others, func(o attempt) bool { return try.sameAs(o, true) })
		same = same || !c.Failed && c.try.wrapsAttempt(try)
		if stashed || !c.isCompleted() {
			continue
		}
		if !same || !r.coversCall(c) {
			continue
		}
		isOldAgain := fault.old && c.try.runner() == try.runner()
		alike := isOldAgain || c.mayFail() && c.fault.isLike(fault)
		switch {
		case c.Failed && alike:
			r.again, r.until = j, 0
		case alike, c.Failed && c.fault.kind == faultUnclear:
		case running(c.Output):
			r.background = j
		case r.until == 0:
			r.until = j
		}
		if !c.Failed && !alike && !running(c.Output) {
			r.last, r.passed = j, true
			return
		}
	}
}

// isLike reports whether two outputs show the same fault, or that the same is missing.
func (f fault) isLike(o fault) bool {
	if f.line == "" || f.sign == o.sign {
		return f.line != ""
	}
	return f.missingThing() != "" && f.missingThing() == o.missingThing()
}

// running reports whether a command went to the background, by its output: it has not passed.
func running(output string) bool { return strings.HasPrefix(output, "Command running in background") }

// fixFound returns what made the call pass, or at least fail otherwise, and the
// confidence in that; "" where nothing that was seen explains it, or what was seen later
// refutes it.
func (r *repair) fixFound() (string, float64) {
	fix, confidence := r.remedy()
	if fix != "" && r.isRefuted(fix) {
		return "", unfixedDoubts
	}
	return fix, confidence
}

// remedy is the fix as far as the next call of the same kind shows it.
func (r *repair) remedy() (string, float64) {
	if r.until == 0 && r.background > 0 && faultRules().TimedOut.MatchString(r.calls[r.failed].fault.line) {
		return "it runs on and has to be started in the background", likelyFixed
	}
	if r.until == 0 && !r.isReplaced() && !r.editedLater() {
		return "", unfixedDoubts
	}
	confidence := likelyFixed
	if r.passed && !r.calls[r.last].try.piped {
		confidence = sureFixed
	}
	edits := r.editsMade()
	commands := r.commandsRun(true)
	if len(edits)+len(commands) == 0 && r.calls[r.failed].fault.kind != faultRed && r.calls[r.failed].try.lead == r.calls[r.until].try.lead {
		commands = r.commandsRun(false)
	}
	if r.isRewritten() || r.calls[r.failed].fault.kind == faultSetup && !r.isProven() {
		commands = nil
	}
	var parts []string
	if r.isReworded(edits) {
		commands = append(commands, "`"+r.wording()+"` works")
	}
	setup := r.calls[r.failed].fault.kind == faultSetup
	if setup && len(commands) > 0 {
		parts = commands
	} else {
		parts = append(edits, commands...)
	}
	isUnproven := !r.passed && !setup && r.until < r.end
	if len(parts) == 0 || isUnproven {
		return "", unfixedDoubts
	}
	return strings.Join(parts[:min(len(parts), maxChanges)], "; "), confidence
}

// isReworded reports whether it may have been the other words of the command
// that made it pass.
func (r *repair) isReworded(edits []string) bool {
	failed, next, last := r.calls[r.failed], r.calls[r.until], r.calls[r.last]
	was, is := r.project.Within(failed.try.whole), r.project.Within(next.try.whole)
	otherRunner := failed.try.runner() != next.try.runner()
	switch {
	case was == is, next.try.piped && !failed.try.piped, r.isRewritten() && !otherRunner, strings.Contains(is, " --no-verify"):
		return false
	case !r.passed:
		return otherRunner && failed.fault.kind == faultSetup && next.fault.kind == faultOther
	case next.Failed && next.try.lead != last.try.lead:
		return false
	}
	if next.try.wrapsAttempt(failed.try) {
		return len(edits) == 0 || failed.fault.kind == faultSetup
	}
	if failed.fault.kind == faultSetup {
		return otherRunner || len(next.try.operandsBeyond(failed.try)) > 0 || next.try.narrowsTo(failed.try)
	}
	added := slices.DeleteFunc(next.try.operandsBeyond(failed.try), func(s string) bool {
		return narrowing[s] || failed.fault.kind == faultRed && strings.HasPrefix(s, "-")
	})
	switch {
	case len(edits) > 0:
		return false
	case len(added) > 0:
		return true
	case failed.fault.kind != faultOther:
		return false
	}
	return next.try.lead != failed.try.lead || next.countTries(failed.try.program) > failed.countTries(failed.try.program)
}

// countTries counts the attempts of a command line with a program.
func (c pastCall) countTries(program string) int {
	n := 0
	for _, o := range c.others {
		if o.program == program {
			n++
		}
	}
	return n
}

// narrowing are options that change what is run or said of it, not whether it
// works.
var narrowing = prose.WordSet(`--verbose --quiet --tb --no-header --maxfail --lf --last-failed --color --no-color --help --version --verbosity
	--filter --grep --run --only --skip --exclude --count`)

// wording is the command that works, without what it was run on where that
// was something else before.
func (r *repair) wording() string {
	was, is := r.calls[r.failed].try, r.calls[r.until].try
	if is.lead == was.lead || is.wrapsAttempt(was) || was.sharesGoal(is) {
		return is.whole
	}
	isOther := !was.sameAs(is, true) && !was.sharesOperand(is)
	if isOther || r.oneOff() && r.calls[r.failed].fault.kind == faultSetup {
		return is.lead
	}
	return is.whole
}

// title names the failed call in a line. What a script that was only made to be
// run stumbled over is said of the program that ran it, and what is missing of
// the program that needs it, whatever that is run on.
func (r *repair) title() string {
	failed := r.calls[r.failed]
	runner := withoutVariables(failed.try.runner())
	interpreter, _, module := strings.Cut(runner, " -m ")
	switch {
	case runner == "" || failed.fault.kind != faultSetup:
	case failed.fault.old || r.oneOff():
		return prose.Clip(interpreter, MaxCommand/2)
	case module && failed.fault.isOfImport():
		return prose.Clip(runner, MaxCommand/2)
	}
	return failed.try.title(MaxCommand / 2)
}

// withoutVariables returns a command without the variables that it sets.
func withoutVariables(command string) string {
	words := strings.Fields(command)
	for len(words) > 1 && strings.Contains(words[0], "=") {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// oneOff reports whether a script was made up on the spot: in the command itself,
// in a folder for temporary files, or in a file that this turn wrote.
func (r *repair) oneOff() bool {
	try := r.calls[r.failed].try
	if try.isImprovised() || try.script != "" && faultRules().TempFolder.MatchString(try.script) {
		return true
	}
	name := path.Base(try.script)
	return try.script != "" && slices.ContainsFunc(r.calls[:r.failed], func(c pastCall) bool { return c.writesFile(name) })
}

// isSlip reports whether a call was only written wrongly, which its next wording
// put right.
func (r *repair) isSlip() bool {
	if !r.calls[r.failed].fault.isMisuse() {
		return false
	}
	return r.until == 0 || len(r.editsMade()) == 0 && len(r.commandsRun(true)) == 0
}

// isScratch reports whether a file says nothing of the project: one outside of
// it, and a script that this turn made to be run.
func (r *repair) isScratch(file string) bool {
	if strings.HasPrefix(file, "/") || strings.HasPrefix(file, "~") || strings.HasPrefix(file, "../") {
		return true
	}
	name := path.Base(file)
	runs := strings.Contains(r.calls[r.failed].Command, name) || name == file && slices.Contains(scriptEndings, path.Ext(name))
	return runs && slices.ContainsFunc(r.calls, func(c pastCall) bool {
		return c.Tool == "Write" && c.file == file
	})
}

var scriptEndings = []string{"", ".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".rb", ".php", ".pl"}

// preparing are words of commands that put something in place.
var preparing = prose.WordSet(`install add get build build_ext tidy ci sync update upgrade migrate up start init create chmod login rebuild
	generate activate link createdb kill pkill unset ln develop stop down pull`)

// fetching are commands of git that bring something here; what else it does puts nothing in
// place.
var fetching = map[string]bool{"git pull": true, "git submodule": true, "git lfs": true}

// commandsRun returns what was run in between: only what put something in place,
// or whatever did more than read.
func (r *repair) commandsRun(prepared bool) []string {
	var out []string
	for _, c := range r.calls[r.again+1 : r.until] {
		switch {
		case c.Command == "", c.Failed, !c.isCompleted(), c.isIdle(), c.fault.isOfImport(), c.try.goal == r.calls[r.failed].try.goal, c.try.isImprovised():
			continue
		}
		if c.try.program == "git" && !fetching[c.try.goal] {
			continue
		}
		prepares := slices.ContainsFunc(strings.Fields(c.try.line), func(w string) bool { return preparing[w] })
		if prepares || !prepared && !scripted[c.try.program] {
			prose.AddOnce(&out, "ran `"+c.try.line+"`")
		}
	}
	return out
}

// isIdle reports whether a command found nothing to do.
func (c pastCall) isIdle() bool {
	return faultRules().NothingDone.MatchString(c.Output) && !faultRules().SomethingDone.MatchString(c.Output)
}

// isLasting reports whether a failure without a fix says something of the
// project: what it needs was missing to the end, or the turn ended with it;
// and it was not just once for a script that was made up on the spot.
func (r *repair) isLasting() bool {
	failed := r.calls[r.failed]
	if failed.fault.old {
		return true
	}
	isSetup := failed.fault.kind == faultSetup
	switch {
	case failed.fault.kind == faultRed, failed.try.isImprovised() && r.isAlone(), scripted[failed.try.program] && !isSetup:
		return false
	case failed.try.isImprovised():
		return true
	}
	return !slices.ContainsFunc(r.calls[r.failed+1:], func(c pastCall) bool {
		isOfGoal := !isSetup || c.try.goal == failed.try.goal
		return isOfGoal && c.isCompleted() && !c.mayFail()
	})
}

// isAlone reports whether no other call of the turn showed the fault.
func (r *repair) isAlone() bool {
	for i, c := range r.calls {
		if i != r.failed && c.Failed && c.fault.isLike(r.calls[r.failed].fault) {
			return false
		}
	}
	return true
}

// filesOf lists what was edited for the fix, then what the fault names.
func (r *repair) filesOf() []string {
	var out []string
	if r.until > 0 {
		for _, c := range r.calls[r.again+1 : r.until] {
			if c.file != "" && !r.isScratch(c.file) {
				prose.AddOnce(&out, c.file)
			}
		}
	}
	fault := r.calls[r.failed].fault
	for _, word := range strings.FieldsFunc(fault.test+" "+fault.line, notInPath) {
		word, _, _ = strings.Cut(word, ":") // a line or a test follows; of an address no path is left
		word = strings.TrimRight(word, ".")
		dot := strings.LastIndexByte(word, '.')
		slash := strings.IndexByte(word, '/')
		isPath := slash > 0 && dot > slash && len(word)-dot < 6
		if isPath && !strings.HasPrefix(word, "…") {
			prose.AddOnce(&out, word)
		}
	}
	return out[:min(len(out), MaxFiles)]
}

func notInPath(r rune) bool { return strings.ContainsRune(" \t'\"`()[]{}<>,;=", r) }

// isCompleted reports whether a call tried something and was not refused.
func (c pastCall) isCompleted() bool { return c.counts && !c.Refused }

// mayFail reports whether a call failed, or may have where another program took its output.
func (c pastCall) mayFail() bool { return c.Failed || c.try.piped }

// writesFile reports whether a call wrote a file of this name.
func (c pastCall) writesFile(name string) bool {
	if c.Tool == "Write" && path.Base(c.file) == name {
		return true
	}
	return strings.Contains(c.Command, "> "+name) || strings.Contains(c.Command, "/"+name+" <<")
}

// narrowsTo reports whether a tries the same as b, with no more operands, by a program that runs no scripts.
func (a attempt) narrowsTo(b attempt) bool {
	return !scripted[b.program] && len(a.operands) <= len(b.operands) && b.sameAs(a, true)
}
