// Package crash turns a panic into an error. What reads foreign input is called
// through it, so that a mistake in this program costs the input that met it, and
// not the daemon.
package crash

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

const (
	maxReason = 200     // of what a panic says, in bytes
	maxStack  = 4 << 10 // of the stack that is kept, in bytes
	maxFrames = 32      // that are looked at to find where it was
)

// An Error is a panic that was caught.
type Error struct {
	Reason string // what it said, in one line, and where it was
	Stack  string // its beginning
}

// Error implements error.
func (e *Error) Error() string { return "panic: " + e.Reason }

// Catch calls f. If f panics it returns an *Error.
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

// where names the function that panicked, the file and the line.
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
