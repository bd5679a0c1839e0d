package crash

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// maxTrace bounds what is read of how a process died, in bytes.
const maxTrace = 256 << 10

// A Death is how a process ended that nobody had asked to end: by a panic that was not
// caught, or one that cannot be, such as a stack that overflows.
type Death struct {
	At      time.Time
	Version string // of the program
	Trace   string // what Go printed, see Explain
}

// Watch makes Go write to the file at path how this process dies, until Unwatch is called. It returns how
// the process died that called Watch with path before, nil if it ended by itself or was killed.
func Watch(path, version string) (*Death, error) {
	died := Last(path)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return died, fmt.Errorf("watch for a crash: %w", err)
	}
	defer f.Close()
	if _, err := f.WriteString(version + "\n"); err != nil {
		return died, fmt.Errorf("watch for a crash: %w", err)
	}
	if err := debug.SetCrashOutput(f, debug.CrashOptions{}); err != nil {
		return died, fmt.Errorf("watch for a crash: %w", err)
	}
	return died, nil
}

// Unwatch ends what Watch began.
func Unwatch() error { return debug.SetCrashOutput(nil, debug.CrashOptions{}) }

// Last returns what stands in a file that a process watched, or to which Death.Write wrote; nil
// if nothing died.
func Last(path string) *Death {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(f, maxTrace))
	version, trace, _ := bytes.Cut(text, []byte("\n"))
	if trace = bytes.TrimSpace(trace); err != nil || len(trace) == 0 {
		return nil
	}
	return &Death{At: fi.ModTime(), Version: string(version), Trace: string(trace)}
}

// Write writes how a process died, and its log behind that, to the file at path.
func (d *Death) Write(path string, log string) error {
	text := d.Version + "\n" + d.Trace + "\n\nThe end of its log:\n\n" + log
	return errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, d.At, d.At))
}

// reasons begin the line that says why a process dies.
var reasons = []string{"panic: ", "fatal error: ", "SIG"}

// reasonIn returns the last line, or the first, that says why a process died, "" if none does.
func reasonIn(text string, last bool) (reason string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if prefixed(line, reasons...) && (last || reason == "") {
			reason = line
		}
	}
	return reason
}

// Explain puts the reason before the trace if that lacks it: of what cannot be caught Go prints it
// to stderr alone, which is the log.
func (d *Death) Explain(log string) {
	if reasonIn(d.Trace, false) == "" {
		d.Trace = cmp.Or(reasonIn(log, true), "fatal error") + "\n\n" + d.Trace
	}
}

// Reason returns why it died, in one line, and where.
func (d *Death) Reason() string {
	reason := cmp.Or(reasonIn(d.Trace, false), "fatal error")
	if len(reason) > maxReason {
		reason = strings.ToValidUTF8(reason[:maxReason], "") + "…"
	}
	frames := d.first()
	for i := 0; i+1 < len(frames); i += 2 {
		function, place := frames[i], strings.TrimSpace(frames[i+1])
		if prefixed(function, "runtime.", "panic(", "internal/") {
			continue
		}
		function = path.Base(function[:max(0, strings.LastIndexByte(function, '('))])
		place, _, _ = strings.Cut(path.Base(place), " ")
		return fmt.Sprintf("%s, in %s (%s)", reason, function, place)
	}
	return reason
}

func prefixed(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
}

// In reports whether it died in a package, or in what that called.
func (d *Death) In(pkg string) bool {
	for _, line := range d.first() {
		if strings.HasPrefix(line, pkg+".") {
			return true
		}
	}
	return false
}

// first returns the frames of the goroutine that died, two lines each.
func (d *Death) first() []string {
	_, frames, _ := strings.Cut("\n"+d.Trace, "\ngoroutine ")
	frames, _, _ = strings.Cut(frames, "\n\n")
	lines := strings.Split(frames, "\n")
	return lines[min(1, len(lines)):]
}
