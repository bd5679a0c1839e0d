package capture

import (
	"slices"
	"strings"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

// Bounds of what one turn says of failures.
const (
	maxFailures = 4
	maxFailed   = 200 // failed calls that are looked at, the last ones
	maxFix      = 300 // bytes
	maxChanges  = 3   // edits and commands that a fix names
)

// How sure a failure's fix is: the same call was seen to pass after it; the
// error was gone, but the call did not pass or one cannot tell; there is none.
const (
	sureFixed     = 0.9
	likelyFixed   = 0.6
	unfixedDoubts = 0.4
)

// failures makes memories of tool calls that failed: how, and what made the
// same call pass afterwards. Slips that teach nothing are left out, and so
// are failing tests that nothing was done about. What failed at the end of
// the turn before may be put right in this one.
func failures(s *scene) []memory.Memory {
	var out []memory.Memory
	if s.before != nil {
		out = s.before.failed(s)
	}
	out = append(out, s.failed(s)...)
	return pickFailures(out)
}

// pickFailures leaves one memory a subject, with a fix if there is one, and
// of too many those with one.
func pickFailures(all []memory.Memory) []memory.Memory {
	slices.SortStableFunc(all, func(a, b memory.Memory) int {
		return int(100*b.Confidence) - int(100*a.Confidence)
	})
	var out []memory.Memory
	for _, m := range all {
		twin := slices.ContainsFunc(out, func(o memory.Memory) bool { return o.ContentHash == m.ContentHash })
		if !twin && len(out) < maxFailures {
			out = append(out, m)
		}
	}
	return out
}

// failed tells what failed in s, as end knows it: s itself, or the turn after
// it, which only tells of what s left failing and it put right.
func (s *scene) failed(end *scene) []memory.Memory {
	if !slices.ContainsFunc(s.Actions, func(a claudecode.Action) bool { return a.Failed }) {
		return nil
	}
	actions := s.Actions
	if end != s {
		actions = slices.Concat(s.Actions, end.Actions)
	}
	calls := readCalls(actions, s.project)
	var out []memory.Memory
	tried := 0
	for i := len(s.Actions) - 1; i >= 0 && tried < maxFailed; i-- {
		c := calls[i]
		if !c.Failed || !c.counts || c.fault.kind == faultUnclear {
			continue
		}
		tried++
		r := repair{calls: calls, failed: i, project: s.project}
		r.follow()
		if m, ok := end.failure(s, r); ok {
			out = append(out, m)
		}
	}
	slices.Reverse(out)
	return out
}

// failure makes the memory of a failure that happened in the turn at, if it
// is worth one.
func (s *scene) failure(at *scene, r repair) (memory.Memory, bool) {
	failed := r.calls[r.failed]
	fix, sure := r.fix()
	if at != s && (fix == "" || r.until < len(at.Actions)) ||
		fix == "" && (r.passed && !failed.fault.old || !r.lasting()) {
		return memory.Memory{}, false
	}
	m := s.memory(memory.Failures, memory.OriginTool)
	m.OccurredAt = at.At // a later turn with the same time tells of the same failure
	subject := failed.try.goal
	if failed.fault.anywhere() {
		subject = failed.try.program
	}
	setSubject(&m, subject, failed.fault.sign)
	m.Title = clip("`"+s.project.within(failed.try.title(maxCommand/2))+"` fails: "+failed.fault.line, memory.MaxTitle)
	m.Fields = map[string]string{"tool": failed.Tool, "error": failed.fault.String()}
	if fix == "" {
		m.Text = s.project.within(s.cause(failed.fault)) // the fix may still come
	} else {
		m.Fields["fix"] = clip(s.project.within(fix), maxFix)
	}
	m.Confidence, m.Evidence = sure, failed.fault.said
	m.Files, m.Keywords = r.files(), keywords(failed.fault.test, failed.fault.line, fix)
	return m, true
}

// anywhere reports a fault that does not depend on what a program was run on:
// something was missing, or it was the wrong version of the program.
func (f fault) anywhere() bool { return f.kind == faultSetup }

// String tells the fault in a line.
func (f fault) String() string {
	if f.test == "" || strings.Contains(f.line, f.test) {
		return f.line
	}
	return f.test + ": " + f.line
}

// causes are words that say why.
var causes = []string{"because", "due to", "the issue is", "the problem is", "the error is", "root cause", "requires ", "needs ", "not installed", "is missing"}

// announcing are words that tell what comes next, or what was done.
var announcing = []string{"let me", "let's", "i'll", "i will", "i'm ", "modified", "updated"}

// cause returns the sentence in which Claude said why a call failed: one that
// names what the fault names, and a reason.
func (s *scene) cause(f fault) string {
	names := faultWords(f)
	var best string
	most := 1
	for _, reply := range s.Replies {
		for _, sentence := range sentences(Clean(reply)) {
			lower := strings.ToLower(sentence)
			if len(sentence) > maxFix/2 || strings.ContainsAny(sentence, "?|") || !containsAny(lower, causes) || containsAny(lower, announcing) {
				continue
			}
			n := 0
			for _, name := range names {
				if strings.Contains(lower, name) {
					n++
				}
			}
			if n > most {
				best, most = sentence, n
			}
		}
	}
	return best
}

// faultWords lists the words of a fault that are not in every other one.
func faultWords(f fault) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(f.test+" "+f.line), notInName) {
		if len(w) > 4 && !slices.Contains([]string{"error", "failed", "cannot", "could", "module", "found", "named", "assertionerror", "tests"}, w) {
			addOnce(&out, w)
		}
	}
	return out
}
