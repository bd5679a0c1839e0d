// Package crash turns a panic into an error. Code that reads foreign input is called through it, so that
// a mistake in this program costs only that input, and not the daemon.
package crash

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

const (
	maxReason = 200     // bytes of a panic's message
	maxStack  = 4 << 10 // bytes of the stack that are kept
	maxFrames = 32      // frames that are searched for the place of the panic
)

// An Error is a panic that was caught.
type Error struct {
	Reason string // its message, in one line, and its place
	Stack  string // the beginning of the stack
}

// Error implements error.
func (e *Error) Error() string { return "panic: " + e.Reason }

// Catch calls f. It returns an *Error if f panics.
func Catch(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			reason := strings.Join(strings.Fields(fmt.Sprint(r)), " ")
			if len(reason) > maxReason {
				reason = strings.ToValidUTF8(reason[:maxReason], "") + "…"
			}
			stack := debug.Stack()
			err = &Error{Reason: reason + where(), Stack: string(stack[:min(len(stack), maxStack)])}
		}
	}()
	return f()
}

// where names the function that panicked, its file and line.
func where() string {
	pcs := make([]uintptr, maxFrames)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicked := false
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			panicked = true
		case panicked && !strings.HasPrefix(frame.Function, "runtime."):
			return fmt.Sprintf(", in %s (%s:%d)", path.Base(frame.Function), path.Base(frame.File), frame.Line)
		}
	}
	return ""
}
