package toolcall

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

// A Run is how one command ended.
type Run struct {
	Way    string      `json:"way"`            // in which it was called; see wayOf
	Line   string      `json:"line,omitempty"` // the command as it can be run again, at most MaxCommand bytes
	Failed bool        `json:"failed,omitempty"`
	Kind   FailureKind `json:"kind,omitempty"`  // of one that failed
	Error  string      `json:"error,omitempty"` // the line that names its error, "" if none does
	Word   string      `json:"word,omitempty"`  // the part of the call that the error is about: an option, a subcommand, a missing program
	Fix    Fix         `json:"fix,omitzero"`
}

// A FailureKind says what a failure is bound to, which decides what may be its fix.
type FailureKind string

// The kinds of failures.
const (
	FailedUsage FailureKind = "usage" // the call: it has an option, a command or a name that is not known
	FailedSetup FailureKind = "setup" // the machine: something is missing
	FailedCode  FailureKind = "code"  // a line of code, a test or a file
	FailedOther FailureKind = "other"
)

// A Fix is the command with which a failure ended, the zero value for none: edits are none.
type Fix struct {
	Way  string  `json:"way"` // in which it was called
	Line string  `json:"line"`
	Kind FixedBy `json:"kind"`
}

// FixedBy says how a command fixed a failure.
type FixedBy string

// How commands fix failures.
const (
	FixedInstead FixedBy = "instead" // it passed in place of what failed
	FixedBefore  FixedBy = "before"  // once it had run, the same passed
	FixedBehind  FixedBy = "behind"  // it prepares the shell, and the same passed in one line with it
)

// Narrows reports whether a run was only of a part, or had things corrected: not what a project builds or checks
// itself with.
func (run Run) Narrows() bool {
	for w := range strings.FieldsSeq(run.Line) {
		last := w[strings.LastIndexAny(w, ":-")+1:]
		if fixers[last] || narrowing[optionName(w)] || partly[w] {
			return true
		}
	}
	return strings.HasSuffix(run.Line, "…")
}

// partly are options that name a part of what there is to run.
var partly = prose.WordSet("-run -k -t -p")

// maxRuns bounds the runs of one turn, the last ones.
const maxRuns = 200

// Runs returns how the commands of a turn ended, in their order. A fix may be found among later, the
// calls of the turn after.
func Runs(actions, later []claudecode.Action, p Paths) []Run {
	runs, _ := RunsByCall(actions, later, p)
	return runs
}

// RunsByCall is Runs, with the place of each run's call among actions.
func RunsByCall(actions, later []claudecode.Action, p Paths) (runs []Run, places []int) {
	calls := make([]ranCall, 0, len(actions))
	for i, a := range slices.Concat(actions, later) {
		if c, ok := ranCallOf(a, p); ok {
			c.later, c.place = i >= len(actions), i
			calls = append(calls, c)
		}
	}
	var written []string
	for i, c := range calls {
		if c.later {
			break
		}
		prose.AddOnce(&written, c.writes)
		for _, run := range c.runs {
			if isOneOff := c.failed.script != "" && slices.Contains(written, path.Base(c.failed.script)); isOneOff && run.Word == "" {
				continue // the next script of its name is another one
			}
			if run.Failed {
				run.Fix = fixAmong(run, c.failed, calls[i+1:])
			}
			if n := len(runs); n > 0 && runs[n-1] == run {
				continue // said once is enough
			}
			runs, places = append(runs, run), append(places, c.place)
		}
	}
	first := max(0, len(runs)-maxRuns)
	return runs[first:], places[first:]
}

// A ranCall is a tool call as the search for fixes sees it.
type ranCall struct {
	runs   []Run // how its commands ended, of those whose end is known
	failed attempt
	tries  []attempt // of those that passed, or may have
	ways   []string  // of tries
	env    string    // what prepared the shell for them
	shown  string    // what it printed, if its status is a filter's
	edits  bool      // it changed a file
	writes string    // the name of the file that it wrote
	later  bool
	place  int // among the calls of the turn
}

// ranCallOf reads a call; ok is false for one that tells nothing.
func ranCallOf(a claudecode.Action, p Paths) (c ranCall, ok bool) {
	if ChangesFile(a.Tool) {
		c.edits = true
		if a.Tool == "Write" {
			c.writes = path.Base(withSlashes(clean.Text(a.File)))
		}
		return c, !a.Failed && !a.Refused
	}
	command := clean.Text(a.Command)
	if command == "" || a.Refused || running(a.Output) {
		return c, false
	}
	r := runReader{command: command, steps: stepsOf(command), project: p}
	switch filtered := r.isFiltered(); {
	case a.Failed:
		r.readFailure(a, &c)
	case filtered && len(a.Output) < maxUsageError && r.readHidden(a, &c):
	default:
		r.readPassed(&c)
		if filtered {
			c.shown = a.Output
		}
	}
	return c, len(c.runs)+len(c.tries) > 0
}

// maxUsageError is how much a program prints, in bytes, that only says how it is to be called.
const maxUsageError = 1 << 10

// isFiltered reports whether the status of a command line is that of a filter.
func (r *runReader) isFiltered() bool {
	if len(r.steps) == 0 {
		return false
	}
	last := r.steps[len(r.steps)-1].calls
	return len(last) > 1 && filters[last[len(last)-1].words[0]]
}

// A runReader reads the runs of a command line.
type runReader struct {
	command string
	steps   []step
	project Paths
}

// run returns a simple command as a run, in the folder that the line changed to before it, and behind what
// prepared the shell.
func (r *runReader) run(c simple, step int) Run {
	line := strings.Join(c.words, " ")
	if env := r.environment(r.steps[:step]); env != "" {
		line = env + " && " + line
	}
	if first := r.steps[0].calls[0].words; step > 0 && first[0] == "cd" && len(first) == 2 {
		dir := strings.ReplaceAll(strings.Trim(first[1], `"'`), `\ `, " ")
		if dir = r.project.Relative(strings.TrimSuffix(dir, "/") + "/"); dir != "" {
			line = "cd " + strings.TrimSuffix(dir, "/") + " && " + line
		}
	}
	return Run{Way: wayIn(r.steps[:step], c), Line: shortenLine(r.project.Within(line), MaxCommand)}
}

// environment returns the steps that prepare the shell, as one line.
func (r *runReader) environment(steps []step) string {
	var out []string
	for _, s := range steps {
		if s.preparesShell() {
			out = append(out, r.command[s.start:s.end])
		}
	}
	return strings.Join(out, " && ")
}

// readPassed takes the commands whose status is the line's: the last step, and what "&&" joins to it. Of a pipe
// the status is that of its last command; the first may have passed.
func (r *runReader) readPassed(c *ranCall) {
	c.env = shortenLine(r.project.Within(r.environment(r.steps)), MaxCommand)
	for i := len(r.steps) - 1; i >= 0; i-- {
		s := r.steps[i]
		if i < len(r.steps)-1 && strings.TrimSpace(r.command[s.end:r.steps[i+1].start]) != "&&" {
			break
		}
		first, last := s.calls[0], s.calls[len(s.calls)-1]
		if first.asksForHelp() {
			continue
		}
		if try, ok := tryCommand(r.command[s.start:first.end]); ok || !first.isActing() {
			c.add(r.run(first, i), try, len(s.calls) == 1 && !first.runsNothing())
		}
		if len(s.calls) > 1 && !filters[last.words[0]] {
			c.add(r.run(last, i), attempt{}, true)
		}
	}
	slices.Reverse(c.runs)
	slices.Reverse(c.tries)
	slices.Reverse(c.ways)
}

// add adds what passed, or may have.
func (c *ranCall) add(run Run, try attempt, passed bool) {
	c.tries, c.ways = append(c.tries, try), append(c.ways, run.Way)
	if passed {
		c.runs = append(c.runs, run)
	}
}

// runsNothing reports whether a command is one of the shell's own that runs no program.
func (c simple) runsNothing() bool {
	first := c.words[0]
	sets := strings.Contains(first, "=") && len(c.words) == 1
	return sets || preparesAnother(first) || slices.Contains([]string{"cd", "echo", "true", "sleep", "pwd", "["}, first)
}

// readFailure takes the command that failed, if it is known which one did.
func (r *runReader) readFailure(a claudecode.Action, c *ranCall) {
	f := readFault(a.Output, r.project)
	if strings.TrimSpace(a.Output) == "" || noFolder.MatchString(a.Output) {
		return
	}
	failed, step, ok := r.blame(f)
	if filtered := r.isFiltered() && !f.isBy(failed); ok && !filtered {
		r.addFailure(f, failed, step, c)
	}
}

// readHidden is readFailure for a call whose status a filter hides, and whose output only says that the call has a
// word that is not known, or that its program is missing. It reports whether there was such a failure.
func (r *runReader) readHidden(a claudecode.Action, c *ranCall) bool {
	f := readFault(a.Output, r.project)
	if f.by == nil {
		return false
	}
	if failed, step, ok := r.blame(f); ok {
		r.addFailure(f, failed, step, c)
	}
	if len(c.runs) > 0 && c.runs[0].Word == "" {
		c.runs = nil
	}
	return len(c.runs) > 0
}

// addFailure adds the command that a fault is of.
func (r *runReader) addFailure(f fault, failed simple, step int, c *ranCall) {
	run := r.run(failed, step)
	run.Failed = true
	run.Kind, run.Word = f.kindOf(strings.Fields(run.Way))
	c.failed, _ = tryCommand(strings.Join(failed.words, " "))
	varies := c.failed.isImprovised() || !failed.isActing() // another script, or another thing to look at, has other faults
	if failed.asksForHelp() || varies && run.Word == "" {
		return
	}
	if f.kind != faultUnclear && !general(strings.ToLower(f.line)) {
		run.Error = f.title()
	}
	c.runs = []Run{run}
}

// blame returns the command of a line that has failed: the one that the error names, else the only one that
// does something.
func (r *runReader) blame(f fault) (simple, int, bool) {
	var only simple
	at, acting := 0, 0
	for i, s := range r.steps {
		for _, c := range s.calls {
			if f.isBy(c) {
				return c, i, true
			}
		}
		c := s.calls[0]
		if does := c.isActing() || len(r.steps) == 1; does && !c.runsNothing() {
			only, at = c, i
			acting++
		}
	}
	return only, at, acting == 1
}

// isBy reports whether an error names the program of a command as the one that has it, or that is missing.
func (f fault) isBy(c simple) bool {
	if len(c.words) == 0 {
		return false
	}
	named := firstGroup(faultRules().MissingProgram.FindStringSubmatch(f.line))
	if named == "" {
		named, _, _ = strings.Cut(f.message, ": ")
	}
	program, _ := programOf(c.words)
	return program == named
}

// kindOf returns what a failure is bound to, and the word of the call that it is about.
func (f fault) kindOf(way []string) (FailureKind, string) {
	if program := firstGroup(faultRules().MissingProgram.FindStringSubmatch(f.line)); program != "" && f.missingThing() != "" {
		if !slices.Contains(way, program) {
			program = "" // something else lacks it
		}
		return FailedSetup, program
	}
	lower := strings.ToLower(f.line)
	switch {
	case f.old && len(way) > 0:
		return FailedSetup, way[0]
	case f.kind == faultRed || f.kind == faultOther && f.ofCode(), f.test != "":
		return FailedCode, ""
	case f.isMisuse() || prose.ContainsAny(lower, unknowns[:]):
		if word := f.wordOf(way); word != "" {
			return FailedUsage, word
		}
	}
	if f.kind == faultSetup {
		return FailedSetup, ""
	}
	return FailedOther, "" // or about what it was run on
}

// unknowns are what an error says of a word of the call that is not known.
var unknowns = [...]string{
	"unknown", "unrecognized", "unrecognised", "invalid", "illegal", "unexpected", "unsupported", "no such", "not found", "not defined", "does not exist", "doesn't exist",
	"missing script", "not a ", "ambiguous",
}

// wordOf returns the option or subcommand of a call that an error names, "" for none. A subcommand, which may be any
// word, is named in quotes where the error does not say what it is about.
func (f fault) wordOf(way []string) string {
	named := strings.FieldsFunc(f.line, func(r rune) bool { return strings.ContainsRune(" '\"`“”‘’,;()[]<>", r) })
	for i, n := range named {
		named[i] = strings.TrimSuffix(n, ":")
	}
	misuse := f.isMisuse()
	for _, w := range slices.Backward(way[min(1, len(way)):]) {
		bare, isOption := strings.TrimLeft(w, "-"), strings.HasPrefix(w, "-")
		quoted := strings.ContainsAny(f.line, "'\"`“‘") && !strings.Contains(" "+f.line+" ", " "+w+" ")
		isMeant := misuse || quoted
		switch {
		case bare == "":
		case isOption && slices.Contains(named, bare), isOption && slices.Contains(named, w):
			return w
		case !isOption && isMeant && slices.Contains(named, w):
			return w
		}
	}
	return ""
}

// lookAhead is how many calls after a failure may fix it.
const lookAhead = 12

// fixAmong returns the command after which, or with which, what had failed passed, if no file was changed
// before. An error that names a word of the call is no matter of files.
func fixAmong(failed Run, try attempt, calls []ranCall) Fix {
	var before Fix
	edited := false
	for _, c := range calls[:min(len(calls), lookAhead)] {
		edited = edited || c.edits
		for _, run := range c.runs {
			if run.Failed && run.Way == failed.Way {
				return Fix{} // that one is followed itself
			}
		}
		if len(c.ways) > 0 && c.shown != "" && readFault(c.shown, Paths{}).by != nil {
			continue // a filter hides that it failed
		}
		for i, way := range c.ways {
			ends := edited && failed.Kind != FailedUsage
			switch t := c.tries[i]; {
			case way == failed.Way && ends:
				return Fix{}
			case way == failed.Way:
				return before
			case strings.TrimSuffix(way, InEnvironment) == failed.Way && !ends:
				return Fix{Way: way, Line: c.env, Kind: FixedBehind}
			case failed.isReplacedBy(way, try, t) && !ends:
				return Fix{Way: way, Line: c.lineOf(way, t), Kind: FixedInstead}
			case t.maySetUp() && !ends:
				before = Fix{Way: way, Line: t.line, Kind: FixedBefore}
			}
		}
	}
	return Fix{}
}

// maySetUp reports whether an attempt may put in place what another one lacks.
func (a attempt) maySetUp() bool {
	if fetching[a.goal] {
		return true
	}
	return a.program != "" && !handling[a.program] && !a.isImprovised()
}

// lineOf returns the line of one of the call's commands.
func (c *ranCall) lineOf(way string, t attempt) string {
	for _, run := range c.runs {
		if run.Way == way {
			return run.Line
		}
	}
	return t.line
}

// isReplacedBy reports whether what passed in another way does what had failed.
func (run Run) isReplacedBy(way string, failed, passed attempt) bool {
	was, is := strings.Fields(run.Way), strings.Fields(way)
	if run.Kind == FailedCode {
		return isFixer(was, is)
	}
	switch {
	case isSuffix(was, is), isSuffix(is, was), isFixer(was, is):
		return true
	case passed.program == "" || failed.program == "":
		return min(len(is), len(was)) > 1 && slices.Equal(is[:2], was[:2])
	case failed.goal == passed.goal:
		return failed.sameAs(passed, true)
	}
	kindred := slices.ContainsFunc(standIns, func(kind map[string]bool) bool { return kind[failed.program] && kind[passed.program] })
	if kindred && failed.sharesGoal(passed) {
		return true
	}
	return passed.wrapsAttempt(failed) || failed.wrapsAttempt(passed)
}

// isSuffix reports whether one way is the end of another: the same without what runs it.
func isSuffix(way, end []string) bool {
	return len(end) > 1 && len(way) > len(end) && slices.Equal(way[len(way)-len(end):], end)
}

// fixers are words of commands that correct what the same command without them reports.
var fixers = prose.WordSet("fix write format fmt autofix autocorrect apply")

// isFixer reports whether a way is the failed one with a word that has things corrected: "lint:fix" for "lint", "--fix".
func isFixer(was, is []string) bool {
	if len(was) == 0 || len(is) < len(was) || is[0] != was[0] {
		return false
	}
	fixes := false
	for i, w := range is {
		stem, last := w, strings.TrimLeft(w, "-")
		if at := strings.LastIndexAny(last, ":-"); at >= 0 {
			stem, last = last[:at], last[at+1:]
		}
		added := i >= len(was) || strings.HasPrefix(w, "-")
		switch {
		case i < len(was) && w == was[i]:
		case fixers[last] && (added || stem == was[i]):
			fixes = true
		default:
			return false
		}
	}
	return fixes
}
