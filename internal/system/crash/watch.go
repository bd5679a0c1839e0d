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

// maxTrace is the number of bytes that are read about the death of a process.
const maxTrace = 256 << 10

// A Death describes how a process crashed: by a panic that was not caught, or by one that cannot be
// caught, such as a stack overflow.
type Death struct {
	At      time.Time
	Version string // version of the program
	Trace   string // the text that Go printed, see Explain
}

// Watch makes Go write a trace to the file at path if this process crashes, until Unwatch is called. It
// returns the death of the previous process that called Watch with path, or nil if that did not crash.
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

// Unwatch undoes Watch.
func Unwatch() error { return debug.SetCrashOutput(nil, debug.CrashOptions{}) }

// Last returns the death in a file that Watch or Death.Write wrote, or nil if there is none.
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

// Write writes the death of a process, followed by its log, to the file at path.
func (d *Death) Write(path string, log string) error {
	text := d.Version + "\n" + d.Trace + "\n\nThe end of its log:\n\n" + log
	return errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, d.At, d.At))
}

// reasons are the beginnings of the line that says why a process died.
var reasons = []string{"panic: ", "fatal error: ", "SIG"}

// reasonIn returns the last line, or else the first, that says why a process died, or "".
func reasonIn(text string, last bool) (reason string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if prefixed(line, reasons...) && (last || reason == "") {
			reason = line
		}
	}
	return reason
}

// Explain puts the reason before a trace that lacks it. For a panic that cannot be caught Go prints the
// reason only to stderr, which is the log.
func (d *Death) Explain(log string) {
	if reasonIn(d.Trace, false) == "" {
		d.Trace = cmp.Or(reasonIn(log, true), "fatal error") + "\n\n" + d.Trace
	}
}

// Reason returns why and where the process died, in one line.
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

// In reports whether the process died in a package, or in a function that it called.
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
