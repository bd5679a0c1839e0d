package toolcall

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/activity"
)

// isRule reports whether a memory is a standing rule: what the user wants, or a convention of the project.
func isRule(m *memory.Memory) bool {
	return m.Source == memory.Preferences || m.Source == memory.Patterns && m.Fields["solution"] == ""
}

// The confidence that a rule binds a call.
const (
	namesPlace   = 0.8  // it names the file, its folder or its kind
	namesCommand = 0.75 // it refuses the command, or says how it is run
	sameActivity = 0.75 // it is about what the call does: "sign every commit" on "git commit"
)

// boundBy returns the confidence that a rule, which applies here, binds the call by what it is about.
func (c *Call) boundBy(rule *standingRule) float64 {
	switch s := &rule.subject; {
	case slices.ContainsFunc(c.files, s.HasFile):
		return namesPlace
	case slices.ContainsFunc(c.starts, func(run start) bool { return run.isBoundBy(s) }):
		return namesCommand
	case c.sharesActivity(rule):
		return sameActivity
	}
	return 0
}

// isBoundBy reports whether a rule names what a command runs, or a file that it may not be run on.
func (s start) isBoundBy(rule *activity.Subject) bool {
	if asksForItself(s.line) {
		return false
	}
	named := slices.ContainsFunc(rule.Refused, s.isRunAs) || slices.ContainsFunc(rule.Of, s.isRunAs)
	return named || rule.Forbids && slices.ContainsFunc(s.operands, rule.HasFile)
}

// runs are activities that a command does by running what was written.
var runs = []string{"test", "build", "run"}

// sharesActivity reports whether a rule is about an activity of the call: not one that names another file, nor how
// something is written if it only is run.
func (c *Call) sharesActivity(rule *standingRule) bool {
	changes := len(c.files) > 0
	if changes && rule.subject.Named {
		return false
	}
	shared := activity.Shared(c.activities, rule.activities)
	isOnlyRun := !changes && rule.subject.Writing && slices.Contains(runs, shared)
	return shared != "" && !isOnlyRun
}

// isRunAs reports whether a rule that names a command, such as "npm" or "go build", names this one.
func (s start) isRunAs(command string) bool {
	return command == s.program || strings.Contains(command, " ") && hasWords(strings.ToLower(s.line), command)
}

// follows reports whether the call does already what a rule asks for, so that it need not be said.
func (c *Call) follows(s *activity.Subject) bool {
	if slices.ContainsFunc(c.files, s.HasPlaceOf) {
		return true
	}
	for _, start := range c.starts {
		line := strings.ToLower(start.line)
		if slices.ContainsFunc(s.Asked, func(way string) bool { return hasWords(line, way) }) {
			return true
		}
	}
	return false
}
