package toolcall

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// The confidence that a failure is relevant to a command with the same goal.
const (
	sameLine     = 1.0
	sameOperands = 0.9  // or some of them
	sameGoal     = 0.75 // where it does not matter what it is run on
	noFixNeeded  = 0.95 // factor: no fix is known, but the error says what is missing
)

// failedAs returns the confidence that a failure will happen to t too. In another
// project only what is wrong with the machine can happen again.
func (t attempt) failedAs(m *memory.Memory, here bool) float64 {
	line, ok := triedIn(m)
	was, same := tryCommand(line)
	fix, f := m.Fields["fix"], fault{line: m.Fields["error"]}
	sort := f.sort()
	confidence := 0.0
	switch {
	case !ok, !f.mayHappenAgain(fix), !here && !faultRules().MachineFault.MatchString(f.line), same && t.hasFix(fix, was):
	case line == t.line, same && was.line == t.line:
		confidence = sameLine
	case !same || was.isImprovised() || f.isMisuse():
	case was.goal != t.goal:
		if was.program == t.program && was.runner() == t.runner() && f.isOfProgram(was, fix) {
			confidence = sameGoal
		}
	case unvalued(was.line) == unvalued(t.line), line == t.title(MaxCommand/2): // a long one without its variables
		confidence = sameOperands
	case sort == faultSetup && unvalued(was.lead) != unvalued(t.lead): // another interpreter has other modules
	case len(was.operands) > 0 && len(t.operands) > 0 && was.sameAs(t, true):
		confidence = sameOperands
	case sort == faultSetup, len(was.operands)+len(t.operands) == 0:
		confidence = sameGoal
	}
	return confidence * weightOfFix(fix)
}

// mayHappenAgain reports whether a fault is one of the machine, or of how a command is called, which a command
// puts right. What edits put right is history, and a test fails for what it tests.
func (f fault) mayHappenAgain(fix string) bool {
	if fix == "" {
		return f.sort() == faultSetup
	}
	return f.sort() != faultRed && !changesOnly(fix)
}

// weightOfFix returns the factor for what is known of a fault besides that it happens.
func weightOfFix(fix string) float64 {
	if fix != "" {
		return 1
	}
	return noFixNeeded
}

// triedIn returns the command that a failure's title quotes.
func triedIn(m *memory.Memory) (string, bool) {
	_, title, _ := strings.Cut(m.Title, "`")
	line, _, ok := strings.Cut(title, "`")
	return strings.TrimRight(line, " …"), ok
}

// isMisuse reports whether an error only tells how a call was written.
func (f fault) isMisuse() bool {
	return f.missingThing() == "" && faultRules().Misuse.MatchString(strings.ToLower(f.line))
}

// isOfProgram reports whether all calls of a program share the fault: what is wrong with
// the program itself, and a module that another interpreter has.
func (f fault) isOfProgram(was attempt, fix string) bool {
	if faultRules().WholeProgram.MatchString(strings.ToLower(f.line)) {
		return true
	}
	if !scripted[was.program] || !faultRules().MissingModule.MatchString(f.line) {
		return false
	}
	worked, ok := workedIn(fix)
	return ok && worked.runner() != was.runner()
}

// workedIn returns the command that a fix says works.
func workedIn(fix string) (attempt, bool) {
	for _, part := range partsOf(fix) {
		if line, ok := strings.CutSuffix(part, "` works"); ok {
			return tryCommand(strings.TrimPrefix(line, "`"))
		}
	}
	return attempt{}, false
}

// hasFix reports whether t has already what put an earlier attempt right: the
// same words, the variables and options that were added, or the program that
// was run instead.
func (t attempt) hasFix(fix string, was attempt) bool {
	if strings.Contains(fix, "`"+t.whole+"`") {
		return true
	}
	worked, ok := workedIn(fix)
	if !ok {
		return false
	}
	if added := worked.operandsBeyond(was); len(added) > 0 {
		own := settingsOf(t.whole)
		return !slices.ContainsFunc(added, func(s string) bool { return !slices.Contains(own, s) })
	}
	return worked.runner() != was.runner() && worked.runner() == t.runner()
}

// operandsBeyond lists the variables and options that t has and was does not.
func (t attempt) operandsBeyond(was attempt) []string {
	before := settingsOf(was.whole)
	return slices.DeleteFunc(settingsOf(t.whole), func(s string) bool { return slices.Contains(before, s) })
}

// values returns the variables and options of t with these names, with their
// values.
func (t attempt) values(names []string) string {
	var out []string
	words := strings.Fields(t.whole)
	for i, w := range words {
		name, _, sets := strings.Cut(w, "=")
		if !slices.Contains(names, name) {
			continue
		}
		out = append(out, w)
		if !sets && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			out = append(out, words[i+1])
		}
	}
	return strings.Join(out, " ")
}

// settingsOf lists the variables and the long options of a command line, without
// their values.
func settingsOf(line string) []string {
	var out []string
	for _, w := range strings.Fields(line) {
		name, _, sets := strings.Cut(w, "=")
		isOption := strings.HasPrefix(w, "--") && len(name) > 2
		if isOption || sets && isVariable(name) {
			prose.AddOnce(&out, name)
		}
	}
	return out
}

// runner returns what runs the program of an attempt, and in which
// environment: "uv run python", "python3 -m pytest".
func (t attempt) runner() string { return runnerOf(t.lead) }

func runnerOf(lead string) string {
	words := strings.Fields(lead)
	for len(words) > 0 {
		name, _, sets := strings.Cut(words[0], "=")
		if !plainStarters[words[0]] && (!sets || strings.HasSuffix(name, "PATH")) {
			break
		}
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// plainStarters start a program as it would start by itself.
var plainStarters = prose.WordSet(`sudo time nohup env exec nice command`)

// unvalued returns a command with the variables that it sets emptied, but for
// those that say where programs and their modules lie.
func unvalued(command string) string {
	words := strings.Fields(command)
	for i, w := range words {
		name, _, sets := strings.Cut(w, "=")
		switch {
		case sets && !strings.HasPrefix(w, "-") && !strings.HasSuffix(name, "PATH"):
			words[i] = name + "="
		case !sets && !starters[w]:
			return strings.Join(words, " ")
		}
	}
	return strings.Join(words, " ")
}

// A start is a program that a command line starts, wherever it stands in it.
type start struct {
	program  string
	runner   string // with what runs it
	line     string
	operands []string
	imports  []string // by a script that stands in the command line itself
}

// startsOf lists the programs that a command line starts and that a machine may
// lack.
func startsOf(command string) []start {
	var out []start
	for _, step := range stepsOf(command) {
		for _, c := range step.calls {
			program, rest := programOf(c.words)
			if len(out) == 2*maxSteps || !c.isActing() && !optionalPrograms[program] {
				continue
			}
			s := start{program: program, runner: runnerOf(strings.Join(c.words[:len(c.words)-len(rest)], " ")), line: strings.Join(c.words, " ")}
			s.operands = slices.DeleteFunc(slices.Clone(rest), func(w string) bool { return strings.HasPrefix(w, "-") })
			if scripted[program] {
				s.imports = importsIn(command[step.start:])
			}
			out = append(out, s)
		}
	}
	return out
}

// optionalPrograms only read, but are not on every machine, or are replaced by others where somebody wants that.
var optionalPrograms = prose.WordSet(`jq rg fd tree grep find`)

// maxImports bounds the modules that are read from a script in a command line.
const maxImports = 8

// importsIn lists the modules that a script in a command line imports.
func importsIn(script string) []string {
	var out []string
	for _, match := range faultRules().ImportIn.FindAllStringSubmatch(script, maxImports) {
		prose.AddOnce(&out, firstGroup(match))
	}
	return out
}

// needsMissing returns the confidence that the call needs the program or module
// that a failure says is missing.
func (c *Call) needsMissing(m *memory.Memory, here bool) float64 {
	line, _ := triedIn(m)
	was, _ := tryCommand(line)
	f, fix := fault{line: m.Fields["error"]}, m.Fields["fix"]
	if !here && !faultRules().MachineFault.MatchString(f.line) {
		return 0
	}
	program := firstGroup(faultRules().MissingProgram.FindStringSubmatch(f.line))
	module := firstGroup(faultRules().MissingModule.FindStringSubmatch(f.line))
	for _, s := range c.starts {
		isSameRunner := s.program == was.program && s.runner == was.runner()
		imported := isSameRunner && module != "" && slices.Contains(s.imports, module)
		if imported || program != "" && s.runner == program {
			return sameGoal * weightOfFix(fix)
		}
	}
	return 0
}

// isVariable reports whether name is the name of a variable of the environment.
func isVariable(name string) bool {
	return name != "" && !strings.HasPrefix(name, "-") && strings.ToUpper(name) == name
}
