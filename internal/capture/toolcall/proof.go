package toolcall

import (
	"path"
	"slices"
	"strings"

	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

// isRefuted reports whether a call that had the fix showed the same fault again.
func (r *repair) isRefuted(fix string) bool {
	failed := r.calls[r.failed]
	_, another := workedIn(fix)
	return slices.ContainsFunc(r.calls[max(r.until, r.background)+1:], func(c pastCall) bool {
		if !c.counts || !c.fault.isLike(failed.fault) {
			return false
		}
		if another {
			return c.try.hasFix(fix, failed.try)
		}
		return c.try.runner() == failed.try.runner()
	})
}

// isProven reports whether the call came through once what it lacked was put in place: it
// passed, or got as far as a failing test or an exception of the code. It has not if it next
// stumbled over what had been missing, such as a version that does not fit, or if its output, cut
// by a pipe, names another error.
func (r *repair) isProven() bool {
	next := r.calls[r.until]
	if missing := r.calls[r.failed].fault.missingThing(); next.Failed && missing != "" {
		if strings.Contains(next.fault.line, missing) {
			return false
		}
	}
	if r.passed {
		next = r.calls[r.last]
	}
	if next.fault.isRed() {
		return true
	}
	return r.passed && !(next.try.piped && next.fault.by != nil)
}

// unmask corrects the fault of a failed call whose line the call also wrote when it
// passed, as warnings do. It reports whether there was such a line.
func (r *repair) unmask() bool {
	failed, passed := &r.calls[r.failed], r.calls[r.last].Output
	if line := failed.fault.message; !r.passed || len(line) < minMasked || !strings.Contains(passed, line) {
		return false
	}
	var rest strings.Builder
	for line := range strings.Lines(clean.Text(failed.Output)) {
		if len(line) < minMasked || !strings.Contains(passed, strings.TrimSpace(line)) {
			rest.WriteString(line)
		}
	}
	failed.fault = readFault(rest.String(), r.project)
	return true
}

// minMasked is the length of a line, in bytes, from which on it is no accident that two
// outputs have it.
const minMasked = 12

// leavesStashed reports whether the work at hand lies aside once c has run, and was says
// whether it did before: what passes or fails meanwhile tells nothing of a fix.
func (c pastCall) leavesStashed(was bool) bool {
	for _, o := range c.others {
		if o.goal == "git stash" {
			was = leavesStash(o.operands, was)
		}
	}
	return was
}

// What "git stash" does besides laying the work aside.
var (
	unstashing   = prose.WordSet("pop apply drop clear branch")
	showingStash = prose.WordSet("list show")
)

// coversCall reports whether what c ran includes the test that failed. A part of a
// suite that passes tells nothing of its rest.
func (r *repair) coversCall(c pastCall) bool {
	failed := r.calls[r.failed]
	if failed.fault.test == "" {
		return true
	}
	for _, o := range c.try.operands {
		part := strings.Trim(o, `"'./`)
		whole := func(x string) bool { return strings.Contains(x, part) }
		if strings.Trim(part, "0123456789") != "" && !slices.ContainsFunc(failed.try.operands, whole) && !failed.namesFailed(part) {
			return false
		}
	}
	return true
}

// namesFailed reports whether a line that says what failed names part, which is a test, a file,
// a folder or a package.
func (c pastCall) namesFailed(part string) bool {
	for line := range strings.Lines(c.Output) {
		if prose.ContainsAny(line, redMarks[:]) && strings.Contains(line, part) {
			return true
		}
	}
	return false
}

// isRewritten reports whether a script was only made to be run, and changed before it passed:
// what it needs may have changed with it.
func (r *repair) isRewritten() bool {
	script := r.calls[r.failed].try.script
	return script != "" && r.until > 0 && slices.ContainsFunc(r.calls[r.again+1:r.until], func(c pastCall) bool {
		return c.file != "" && path.Base(c.file) == path.Base(script) && r.isScratch(c.file)
	})
}

// leavesStash reports whether changes are stashed after a call of git stash, where they were or not before.
func leavesStash(operands []string, was bool) bool {
	if len(operands) == 0 {
		return true
	}
	return !unstashing[operands[0]] && (was || !showingStash[operands[0]])
}
