package extract

import (
	"slices"
	"strings"

	"recollect/internal/claudecode"
	"recollect/internal/clean"
	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/toolcall"
)

// Bounds of what one turn says of failures.
const (
	maxFailures = 4
	maxFix      = 300 // bytes
)

// failures makes memories of tool calls that failed: how, and what made the
// same call pass afterwards. Slips that teach nothing are left out, and so
// are failing tests that nothing was done about. What failed at the end of
// the turn before may be put right in this one.
func failures(s *Scene) []memory.Draft {
	var out []memory.Draft
	if s.before != nil {
		out = s.before.failed(s)
	}
	out = append(out, s.failed(s)...)
	return pickFailures(out)
}

// pickFailures leaves one memory a subject, with a fix if there is one, and
// of too many those with one.
func pickFailures(all []memory.Draft) []memory.Draft {
	slices.SortStableFunc(all, func(a, b memory.Draft) int {
		return int(100*b.Confidence) - int(100*a.Confidence)
	})
	var out []memory.Draft
	for _, m := range all {
		twin := slices.ContainsFunc(out, func(o memory.Draft) bool { return o.SameSubject(&m) })
		if !twin && len(out) < maxFailures {
			out = append(out, m)
		}
	}
	return out
}

// failed returns what failed in s, as end knows it: s itself, or the turn after
// it, which only reports what s left failing and the turn after it put right.
func (s *Scene) failed(end *Scene) []memory.Draft {
	var later []claudecode.Action
	if end != s {
		if later = end.Actions; len(later) == 0 {
			return nil
		}
	}
	var out []memory.Draft
	for _, f := range toolcall.Failures(s.Actions, later, s.Paths) {
		out = append(out, end.failureMemory(s, f))
	}
	return out
}

// failureMemory makes the memory of a failure that happened in the turn at.
func (s *Scene) failureMemory(at *Scene, f toolcall.Failure) memory.Draft {
	m := s.Draft(memory.Failures, memory.OriginTool)
	m.OccurredAt = at.At // a later turn with the same time reports the same failure
	m.Subject = []string{f.Subject, f.Sign}
	m.Title = prose.Clip("`"+s.Paths.Within(f.Call)+"` fails: "+f.Line, memory.MaxTitle)
	m.Fields = map[string]string{"tool": f.Tool, "error": f.Error}
	if f.Fix == "" {
		m.Text = s.Paths.Within(s.cause(f)) // the fix may still come
	} else {
		m.Fields["fix"] = prose.Clip(s.Paths.Within(f.Fix), maxFix)
	}
	m.Confidence, m.Evidence = f.Confidence, f.Evidence
	m.Files, m.Keywords = f.Files, prose.Keywords(f.Test, f.Line, f.Fix)
	return m
}

// causes are words that say why.
var causes = []string{"because", "due to", "the issue is", "the problem is", "the error is", "root cause", "requires ", "needs ", "not installed", "is missing"}

// announcing are words that announce what comes next, or report what was done.
var announcing = []string{"let me", "let's", "i'll", "i will", "i'm ", "modified", "updated"}

// cause returns the sentence in which Claude said why a call failed: one that
// names what the fault names, and a reason.
func (s *Scene) cause(f toolcall.Failure) string {
	names := faultWords(f)
	var best string
	most := 1
	for _, reply := range s.Replies {
		for _, sentence := range prose.Sentences(clean.Text(reply)) {
			lower := strings.ToLower(sentence)
			if len(sentence) > maxFix/2 || strings.ContainsAny(sentence, "?|") || !prose.ContainsAny(lower, causes) || prose.ContainsAny(lower, announcing) {
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

// faultWords lists the words of a failure that are not in every other one.
func faultWords(f toolcall.Failure) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(f.Test+" "+f.Line), prose.NotInName) {
		if len(w) > 4 && !slices.Contains([]string{"error", "failed", "cannot", "could", "module", "found", "named", "assertionerror", "tests"}, w) {
			prose.AddOnce(&out, w)
		}
	}
	return out
}
