package toolcall

import (
	"cmp"
	"path"
	"strings"
	"unicode/utf8"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

const maxFault = 200 // bytes of the line that names a fault

// A fault is what a failed tool call said of its cause.
type fault struct {
	message string     // the line that names it best, as it was
	by      *rule.Rule // that took the line for one that names it, nil for none
	line    string     // the same without what differs from run to run
	test    string     // the first test that failed, if tests were run
	kind    faultKind
	old     bool   // Python 2 ran what was written for Python 3
	sign    string // the same for the same fault at another time and place
}

// A faultKind is what a fault is about, which decides what may be its fix.
type faultKind int

const (
	faultUnclear faultKind = iota // nothing is said, or only that a path was wrong
	faultSetup                    // a program, module, permission, connection or option is missing
	faultRed                      // a test or an assertion
	faultOther
)

// misplaced are words of errors that only say that a path or a state was wrong.
var misplaced = [...]string{
	"no such file or directory", "file or directory not found", "can't open file", "file does not exist", "path does not exist", "directory does not exist", "folder does not exist",
	"file not found", "no files were", "no files match", "cannot find the path", "not a directory", "is a directory", "no tests ran", "pathspec", "cannot find module '/", "not a valid editable requirement",
	"not a git repository", "could not apply", "merge conflict", "nothing to commit", "index.lock", "already exists",
}

// lacking are words of errors that say that something is missing. The rule of
// that name has the others.
var lacking = [...]string{
	"command not found", "not recognized as a", "no module named", "modulenotfounderror", "importerror", "cannot import", "cannot find module", "cannot find package", "can't resolve",
	"could not resolve", "could not connect", "could not find", "could not locate", "cannot resolve", "is not in std", "no required module", "cannot locate",
	"no matching distribution", "no matching version", "unsupported", "permission denied", "operation not permitted", "econnrefused", "connection refused",
	"connection to server", "cannot connect", "can't connect", "failed to connect", "unauthorised", "unauthorized", "forbidden",
	"status code 401", "status code 403", "authentication", "not logged in", "no such host", "eaddrinuse", "already in use", "already allocated", "timed out",
	"unknown option", "unknown flag", "unknown command", "unknown argument", "unrecognized argument", "unrecognized option", "invalid option", "no space left", "out of memory",
	"externally-managed", "eresolve", "peer dep", "lockfile", "not installed", "missing script", "executable doesn't exist", "shared librar", "library not loaded",
	"is the docker daemon", "daemon running", "undefined symbol", "glibc", "wrong architecture", "extension modules",
}

// ranByPython2 says what is wrong where Python 3 was meant.
const ranByPython2 = "Python 2 ran what is written for Python 3"

// readFault finds the line of an output that names its error. Paths below
// the project are made relative.
func readFault(output string, p Paths) fault {
	output = clean.Text(output)
	if lower := strings.ToLower(output); prose.ContainsAny(lower, stopping[:]) && faultRules().StoppedCall.MatchString(lower) {
		return fault{}
	}
	line, by := worstLine(output)
	f := fault{message: strings.TrimSpace(line), by: by}
	f.line = p.Within(tidyLine(f.message))
	f.test = prose.Clip(p.Within(prose.OneLine(firstFailed(output))), MaxCommand)
	if f.line == "" {
		f.line = f.test
	}
	f.kind = f.sort()
	if strings.Contains(output, "SyntaxError: ") && faultRules().NewPython.MatchString(output) {
		f.line, _, _ = strings.Cut(f.line, " in file ")
		f.line, f.kind, f.old = f.line+" ("+ranByPython2+")", faultSetup, true
	}
	f.sign = f.signature()
	return f
}

// firstFailed returns the name of the first test that failed in an output.
func firstFailed(output string) string {
	for line := range strings.Lines(output) {
		if !prose.ContainsAny(line, redMarks[:]) {
			continue
		}
		if name := firstGroup(faultRules().FailedTest.FindStringSubmatch(strings.TrimRight(line, "\r\n"))); name != "" {
			return name
		}
	}
	return ""
}

func (f fault) sort() faultKind {
	lower := strings.ToLower(f.line)
	lacks := prose.ContainsAny(lower, lacking[:]) || faultRules().Lacking.MatchString(lower) || f.missingThing() != ""
	switch {
	case f.line == "":
		return faultUnclear
	case !lacks && prose.ContainsAny(lower, misplaced[:]):
		return faultUnclear
	case lacks:
		return faultSetup
	case f.test != "", faultRules().Assertion.MatchString(lower):
		return faultRed
	}
	return faultOther
}

func firstGroup(match []string) string {
	for i, group := range match {
		if i > 0 && group != "" {
			return group
		}
	}
	return ""
}

// worstLine returns the line that says most of what went wrong: the exception
// that ended a Python traceback, which is its last, else the first line of
// the clearest form, and the rule of that form. Of many lines without such a
// form none is informative.
func worstLine(output string) (string, *rule.Rule) {
	const few = 5
	trace := strings.Contains(output, "Traceback (most recent call last)") || strings.Contains(output, "\nE  ")
	var best string
	var named *rule.Rule
	rank, lines := 0, 0
	for line := range strings.Lines(withoutPathFiles(output)) {
		line = strings.TrimRight(line, " \t\r\n")
		r, by := clarityOf(line)
		lines += min(r, 1)
		isLastOfTrace := trace && r == rank && r == clearest
		if r > rank || isLastOfTrace {
			best, named, rank = line, by, r
		}
	}
	if rank == 1 && lines > few {
		return "", nil
	}
	return best, named
}

// withoutPathFiles drops what Python says of broken .pth files whenever it
// starts.
func withoutPathFiles(output string) string {
	const begin, end = "Error processing line ", "Remainder of file ignored"
	for {
		before, rest, ok := strings.Cut(output, begin)
		_, after, ended := strings.Cut(rest, end)
		if !ok || !ended {
			return output
		}
		output = before + after
	}
}

// RuleOf returns the name of the rule that took a line for one that names an
// error, "" if it was only the first that was not worse than others.
func RuleOf(line string) string {
	_, by := clarityOf(line)
	return nameOf(by)
}

func nameOf(r *rule.Rule) string {
	if r == nil {
		return ""
	}
	return r.Name
}

// clearest is the clarity of a line that cannot be mistaken for anything else
// than the error that ended a run.
const clearest = 6

// clarityOf returns how clearly a line of an output names its error, from 0, not at all,
// to clearest, and by which rule, if any.
func clarityOf(line string) (int, *rule.Rule) {
	text := strings.TrimSpace(line)
	lower, rules := strings.ToLower(text), faultRules()
	thrown, erring := prose.ContainsAny(text, thrown[:]), prose.ContainsAny(lower, erring[:])
	switch {
	case !strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") && utf8.RuneCountInString(text) == len(text),
		rules.SummaryLine.MatchString(text),
		prose.ContainsAny(text, progress[:]) && rules.ProgressLine.MatchString(text),
		strings.HasPrefix(text, "at "),
		strings.ContainsAny(text, "│|") && rules.CodeLine.MatchString(text),
		strings.EqualFold(strings.Trim(text, ": "), "error"):
		return 0, nil
	case erring && strings.Contains(text, "://") && rules.AddressLine.MatchString(text):
		return 1, nil
	case strings.Contains(text, "node_modules/"), strings.Contains(text, "site-packages/") && rules.PositionLine.MatchString(text):
		return 1, nil // of somebody else's code
	case general(lower):
		return 2, nil // the cause stands elsewhere
	case thrown && rules.ExceptionLine.MatchString(line):
		return clearest, rules.ExceptionLine
	case strings.Contains(text, "error") && rules.CodedError.MatchString(line):
		return clearest, rules.CodedError
	case thrown && rules.ExceptionLine.MatchString(text):
		return 5, rules.ExceptionLine
	case erring && rules.ErrorLine.MatchString(line) && !strings.HasPrefix(text, "warning"):
		return 5, rules.ErrorLine
	case erring && rules.RejectedPush.MatchString(line):
		return 5, rules.RejectedPush
	case rules.PositionLine.MatchString(text):
		return 4, rules.PositionLine
	case len(text) < 2*maxFault && prose.ContainsAny(lower, complaints[:]) && rules.ComplaintLine.MatchString(lower):
		return 3, rules.ComplaintLine
	case strings.ContainsAny(text, "×✖✘✗") && rules.MarkedLine.MatchString(text):
		return 3, rules.MarkedLine
	}
	return 1, nil
}

// general reports whether an error only says that something failed.
func general(lower string) bool {
	return prose.ContainsAny(lower, vain[:]) || strings.HasPrefix(lower, "make") && strings.Contains(lower, ": *** ")
}

// Words that a line has if it has one of the forms above: to look for them
// first saves most of the time.
var (
	stopping = [...]string{"interrupted by ", "was aborted", "exit code 1"}
	absent   = [...]string{"not found", "found:", "No module", "Cannot find", "not recognized", "No such file", "locate ", "load such"}
	progress = [...]string{"%]", ": Failed"}
	redMarks = [...]string{"FAIL", "ERROR", "●", "×", "✗"}
	thrown   = [...]string{"Error", "Exception", "Failure", "Interrupt"}
	erring   = [...]string{"error", "fatal", "panic", "npm err", "! ["}
	vain     = [...]string{
		"subprocess-exited-with-error", "metadata-generation-failed", "failed to push some refs", "script failed (code", "build failed with an exception", "build failed",
		"build stopped", "subcommand failed", "lifecycle script", "elifecycle", "could not compile", "there are test failures", "failed to execute goal", "process completed with exit code",
		"command failed with exit code", "returned non-zero exit status", "core dumped", "following tests failed",
		"task failed", "exited with code", "exited with status", "exit status",
	}
	complaints = [...]string{"not ", "no ", "n't", "unable", "denied", "refused", "fail", "invalid", "illegal", "un", "missing", "timed out", "required"}
)

// tidyLine drops from an error what differs from run to run.
func tidyLine(line string) string {
	rules := faultRules()
	line = strings.TrimPrefix(strings.TrimSpace(line), "E   ")
	line = rules.TimeStamp.ReplaceAllString(line, "")
	for rules.LinePrefix.MatchString(line) {
		line = rules.LinePrefix.ReplaceAllString(line, "")
	}
	line = rules.AtAddress.ReplaceAllString(line, "")
	line = rules.ProcessNumber.ReplaceAllString(line, "$1 …")
	line = rules.TempFolder.ReplaceAllString(line, "…/")
	line = rules.SitePackages.ReplaceAllString(line, "…/")
	return prose.Clip(strings.Trim(strings.ReplaceAll(prose.OneLine(line), "`", "'"), "━─═│┃╷╵ "), maxFault)
}

// title returns the line that names the fault, without who says it and where.
func (f fault) title() string {
	if f.old {
		return ranByPython2
	}
	line := f.line
	for {
		short := faultRules().TitlePrefix.ReplaceAllString(line, "$1")
		if short == "" || short == line {
			return line
		}
		line = short
	}
}

// signature returns the part of a fault that distinguishes it from others.
func (f fault) signature() string {
	if f.old {
		return "python 2"
	}
	line := faultRules().AbsolutePath.ReplaceAllStringFunc(faultRules().TitlePrefix.ReplaceAllString(f.line, "$1"), func(s string) string { return " " + path.Base(withSlashes(s)) })
	return strings.ToLower(f.test + " " + faultRules().DigitRun.ReplaceAllString(line, "#"))
}

// missingThing returns the program or module that the fault says is missing, "" for
// none.
func (f fault) missingThing() string {
	if !prose.ContainsAny(f.line, absent[:]) {
		return ""
	}
	return cmp.Or(firstGroup(faultRules().MissingProgram.FindStringSubmatch(f.line)), firstGroup(faultRules().MissingModule.FindStringSubmatch(f.line)))
}

// isOfImport reports whether loading a module failed.
func (f fault) isOfImport() bool { return faultRules().FailedImport.MatchString(f.line) }

// missingIn returns the attempt to start the missing program, wherever it stands in a
// command line.
func (f fault) missingIn(a claudecode.Action) (attempt, bool) {
	if !a.Failed || f.missingThing() == "" {
		return attempt{}, false
	}
	program := firstGroup(faultRules().MissingProgram.FindStringSubmatch(f.line))
	if program == "" {
		return attempt{}, false
	}
	for _, s := range startsOf(clean.Text(a.Command)) {
		if s.program == program {
			return attempt{goal: program, program: program, lead: program, operands: s.operands, line: shortenLine(s.line, MaxCommand), whole: shortenLine(s.line, maxWhole)}, true
		}
	}
	return attempt{}, false
}

// isAnywhere reports whether a fault does not depend on what a program was run on:
// something was missing, or it was the wrong version of the program.
func (f fault) isAnywhere() bool { return f.kind == faultSetup }

// String returns the fault in one line.
func (f fault) String() string {
	if f.test == "" || strings.Contains(f.line, f.test) {
		return f.line
	}
	return f.test + ": " + f.line
}

// maxErrorLine bounds the line that names an error, in bytes.
const maxErrorLine = 300

// ErrorLines returns the last lines of what failed: there the error's name
// stands.
func ErrorLines(actions []claudecode.Action) string {
	var out []string
	for _, a := range actions {
		if a.Failed {
			output := strings.TrimSpace(clean.Text(a.Output))
			out = append(out, prose.Clip(output[strings.LastIndexByte(output, '\n')+1:], maxErrorLine))
		}
	}
	return strings.Join(out, "\n")
}
