package config

import (
	"fmt"
	"slices"
	"strings"
)

// events are Claude Code's events that recollect takes part in, in the order
// of a session.
var events = []string{
	"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure",
	"SubagentStart", "SubagentStop", "Stop", "PreCompact", "SessionEnd",
}

// Hooks say which of Claude Code's events recollect takes part in, and how.
type Hooks struct {
	Off              []string `toml:"off"`                // events that recollect leaves alone
	AllowMemoryTools bool     `toml:"allow_memory_tools"` // let Claude look memories up without asking the user
}

// On reports whether recollect takes part in an event. It knows nothing of
// events that are not its own.
func (h Hooks) On(event string) bool {
	return slices.Contains(events, event) && !slices.Contains(h.Off, event)
}

// turn switches one event on or off, whatever the list said before.
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
