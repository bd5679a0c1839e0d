package config

import (
	"fmt"
	"slices"
	"strings"
)

// events are Claude Code's events that recollect handles, in the order of a session.
var events = []string{
	"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure",
	"SubagentStart", "SubagentStop", "Stop", "PreCompact", "SessionEnd",
}

// Hooks says which of Claude Code's events recollect handles, and how.
type Hooks struct {
	Off              []string `toml:"off"`                // events that recollect does not handle
	AllowMemoryTools bool     `toml:"allow_memory_tools"` // whether Claude may look up memories without asking the user
	Withhold         float64  `toml:"withhold"`           // share of the sessions into which nothing is injected, to compare them with the others, 0 to 1
}

// On reports whether recollect handles an event. It returns false for an event that recollect does not
// know.
func (h Hooks) On(event string) bool {
	return slices.Contains(events, event) && !slices.Contains(h.Off, event)
}

// turn switches one event on or off, regardless of the list.
func (h *Hooks) turn(event string, on bool) {
	h.Off = slices.DeleteFunc(slices.Clone(h.Off), func(e string) bool { return e == event })
	if !on {
		h.Off = append(h.Off, event)
	}
}

// hooks checks that only known events are off.
func (v *rules) hooks(h Hooks) {
	for _, event := range h.Off {
		if !slices.Contains(events, event) {
			v.add("hooks.off", fmt.Sprintf("%q", event), "must be one of "+strings.Join(events, ", ")+meant(event, events))
		}
	}
}
