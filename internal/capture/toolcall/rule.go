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
)

// boundBy returns the confidence that a rule binds the call by what it says of programs and files.
func (c *Call) boundBy(s *activity.Subject) float64 {
	if slices.ContainsFunc(c.files, s.HasFile) {
		return namesPlace
	}
	for _, start := range c.starts {
		if asksForItself(start.line) {
			continue
		}
		if s.Forbids && slices.ContainsFunc(start.operands, s.HasFile) {
			return namesPlace
		}
		if slices.ContainsFunc(slices.Concat(s.Refused, s.Of), start.isRunAs) {
			return namesCommand
		}
	}
	return 0
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
