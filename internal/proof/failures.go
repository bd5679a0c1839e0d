package proof

import (
	"slices"
	"strings"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/outcomes"
	"recollect/internal/capture/toolcall"
)

// countFailures finds the commands of a turn that failed as in an earlier session, which had got past it.
// It is the same failure if outcomes counts it as the same, which leaves out what fails by the code that it checks.
// Strictly it is met again if this session found the same fix as the earlier one. Loosely, if it found another or
// none, or if the earlier one found none, but the call itself was wrong. later are the calls of the turn after.
func (r *replay) countFailures(t *turn, later []claudecode.Action) {
	runs, places := toolcall.RunsByCall(t.Actions, later, toolcall.NewPaths(t.project, t.Cwd))
	for i, run := range runs {
		id := outcomes.FailureOf(run)
		if id == "" || run.Kind == toolcall.FailedCode || r.failedBefore[id] {
			continue
		}
		r.failedBefore[id] = true
		r.out.Failures++
		call := t.Actions[places[i]]
		r.facts.Failures = append(r.facts.Failures, failed{t.key, id, run, at(call, t)})
		known, match := sameFix(r.ledger.failures[t.key+"\x00"+id], run)
		if match == NoMatch {
			continue
		}
		f := r.finding(Failure, t, known.At)
		f.At, f.Match = at(call, t), match
		f.What, f.Answer = run.Line+": "+run.Error, known.Run.Fix.Line
		f.Known, f.Said = r.said.find(place{t.place, places[i]}, false, func(l line) Match { return l.tellsFix(known.Run) })
		f.Seconds, f.Tokens = untilFixed(t.Actions, places[i], run.Fix)
		r.add(f)
	}
}

// sameFix returns the earlier failure to compare with: the last one with this run's fix, with a fix, or of a wrong call.
func sameFix(earlier []failed, run toolcall.Run) (known failed, match Match) {
	for _, e := range slices.Backward(earlier) {
		fixed := e.Run.Fix != toolcall.Fix{}
		switch {
		case fixed && e.Run.Fix.Way == run.Fix.Way && e.Run.Fix.Kind == run.Fix.Kind:
			return e, Strict
		case fixed && known.Run.Fix == toolcall.Fix{}, match == NoMatch && isCallWrong(e.Run):
			known, match = e, Loose
		}
	}
	return known, match
}

// isCallWrong reports whether a run failed by how or where it was called.
func isCallWrong(run toolcall.Run) bool {
	return run.Kind == toolcall.FailedUsage || run.Kind == toolcall.FailedSetup
}

// tellsFix reports whether a line says what fixed a run. Loosely it does if it only says how the run fails.
func (l line) tellsFix(run toolcall.Run) Match {
	fix, was := strings.Fields(strings.ToLower(run.Fix.Line)), strings.Fields(strings.ToLower(run.Line))
	fresh, left := without(fix, was), without(was, fix)
	switch {
	case len(fix) == 0:
	case len(fresh) > 0 && l.hasAll(fresh):
		return Strict
	case len(fresh) == 0 && len(left) > 0 && strings.Contains(l.lower, "without") && l.hasAll(left):
		return Strict
	}
	if part, n := share(wordList(run.Error), l.words); n >= 2 && part >= 0.6 {
		return Loose
	}
	return NoMatch
}

func (l line) hasAll(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(l.lower, w) })
}

// without returns the words that are not among others.
func without(words, others []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(others, w) })
}

// untilFixed returns what passed between a call that failed and the end of the one that fixed it.
func untilFixed(actions []claudecode.Action, from int, fix toolcall.Fix) (seconds float64, tokens int) {
	if fix == (toolcall.Fix{}) {
		return 0, 0
	}
	for i := from + 1; i < len(actions); i++ {
		if a := actions[i]; !a.Failed && strings.Contains(a.Command, lastCommand(fix.Line)) {
			return spent(actions[from : i+1]), max(0, a.Tokens-actions[from].Tokens)
		}
	}
	return 0, 0
}

// lastCommand returns the last command of a line, as much of it as was kept.
func lastCommand(line string) string {
	if i := strings.LastIndex(line, "&& "); i >= 0 {
		line = line[i+len("&& "):]
	}
	return strings.TrimSuffix(line, "…")
}

// longestGap is the longest time between two calls that counts: after more than that, somebody was away.
const longestGap = 5 * time.Minute

// spent returns the seconds from the first call to the end of the last one, without long gaps.
func spent(actions []claudecode.Action) float64 {
	var sum time.Duration
	last := time.Time{}
	for _, a := range actions {
		for _, t := range []time.Time{a.At, a.End} {
			if !last.IsZero() && t.After(last) {
				sum += min(t.Sub(last), longestGap)
			}
			if !t.IsZero() {
				last = t
			}
		}
	}
	return sum.Seconds()
}

// at returns when a call was made.
func at(a claudecode.Action, t *turn) time.Time {
	if a.At.IsZero() {
		return t.At
	}
	return a.At
}
