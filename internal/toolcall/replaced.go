package toolcall

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/prose"
)

// standIns are programs one of which does for another.
var standIns = []map[string]bool{
	prose.WordSet("pytest unittest nose nosetests tox"),
	prose.WordSet("jest vitest mocha ava"),
	prose.WordSet("npm pnpm yarn bun"),
	prose.WordSet("pip uv conda poetry pipenv"),
	prose.WordSet("docker podman nerdctl"),
	prose.WordSet("terraform tofu"),
	prose.WordSet("curl wget http httpie"),
	prose.WordSet("make gmake ninja"),
	prose.WordSet("gradle gradlew mvn mvnw"),
	prose.WordSet("cc gcc clang"),
}

// replaced looks for the call that did with another program what the failed one
// could not, because its own is missing.
func (r *repair) replaced() bool {
	failed := r.calls[r.failed]
	if failed.fault.missing() == "" {
		return false
	}
	for j, c := range r.calls[r.failed+1:] {
		if c.Failed || c.Refused || !c.counts || c.Command == "" || c.try.improvised() || c.try.goal == failed.try.goal || c.try.piped && c.fault.kind == faultSetup {
			continue
		}
		if failed.try.standsIn(c.try) {
			r.until = r.failed + 1 + j
			r.last, r.passed = r.until, true
			return true
		}
	}
	return false
}

// standsIn reports whether b does what a was to do: with a program of the same
// kind, or on the same thing.
func (a attempt) standsIn(b attempt) bool {
	kindred := func(kind map[string]bool) bool { return kind[a.program] && kind[b.program] }
	return slices.ContainsFunc(standIns, kindred) || !handling[b.program] && a.shares(b)
}

// handling are programs that only move things about.
var handling = prose.WordSet("rm mv cp ln mkdir touch chmod chown git sed awk cat ls tar unzip")

// shares reports whether a and b are run on the same thing.
func (a attempt) shares(b attempt) bool {
	return slices.ContainsFunc(a.operands, func(x string) bool {
		return len(x) > 3 && !preparing[x] && slices.ContainsFunc(b.operands, func(y string) bool { return dotted(x) == dotted(y) })
	})
}

// dotted names a file as Python names its module.
func dotted(operand string) string {
	if ext := path.Ext(operand); len(ext) <= maxExtension {
		operand = strings.TrimSuffix(operand, ext)
	}
	return strings.ReplaceAll(operand, "/", ".")
}

// maxExtension is the longest ending of a file's name that is none of a module,
// in bytes.
const maxExtension = len(".html")

// editedLater looks, in the turn after, for edits of a file that the fault's
// output names, and a call after them that passed.
func (r *repair) editedLater() bool {
	if r.end >= len(r.calls) {
		return false
	}
	named := false
	for j, c := range r.calls[r.end:] {
		named = named || c.file != "" && !r.scratch(c.file) && strings.Contains(r.calls[r.failed].Output, path.Base(c.file))
		if named && c.counts && !c.Failed && !c.Refused {
			r.again, r.until = r.end-1, r.end+j
			return true
		}
	}
	return false
}
