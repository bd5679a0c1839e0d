package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// Bounds of what one turn says of failures.
const (
	maxFailures = 4
	maxFix      = 300 // bytes
	enoughLine  = 45  // runes of an error that are enough beside the longest wording of its fix
	minLine     = 20  // the same beside any
)

// failures makes memories of tool calls that failed: how, why, and what made the
// same call pass afterwards. Slips that teach nothing are left out, and so
// are failing tests that nothing was said about. What failed at the end of
// the turn before may be put right in this one.
func failures(s *Turn) []memory.Draft {
	var out []memory.Draft
	if s.before != nil {
		out = s.before.failuresUntil(s)
	}
	out = append(out, s.failuresUntil(s)...)
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

// failuresUntil returns what failed in s, as end knows it: s itself, or the turn after
// it, which only reports what s left failing and the turn after it put right.
func (s *Turn) failuresUntil(end *Turn) []memory.Draft {
	var later []claudecode.Action
	if end != s {
		if later = end.Actions; len(later) == 0 {
			return nil
		}
	}
	found := toolcall.Failures(s.Actions, later, s.Paths)
	if len(found) == 0 {
		return nil
	}
	said := sentencesOf(s.replies)
	all := said
	if end != s {
		all = slices.Concat(said, sentencesOf(end.replies))
	}
	var out []memory.Draft
	for _, f := range found {
		f.Said = min(f.Said, len(said))
		cause := causeIn(all[f.Said:], f)
		mayExplain := f.Last || statements.FailureRules().Why.MatchString(s.Asked)
		if cause == "" && !s.Interrupted && mayExplain {
			cause = openingOf(said[f.Said:])
		}
		withdrawn := s.Interrupted && f.Last && f.Fix+cause == ""
		if !withdrawn && f.Lasts(cause != "") {
			out = append(out, end.failureMemory(s, f, cause))
		}
	}
	return out
}

// failureMemory makes the memory of a failure that happened in the turn at.
func (s *Turn) failureMemory(at *Turn, f toolcall.Failure, cause string) memory.Draft {
	m := s.Draft(memory.Failures, memory.OriginTool)
	m.OccurredAt = at.At // a later turn with the same time reports the same failure
	if f.Machine {
		m.SetHome(memory.Project{})
	}
	m.Subject = []string{f.Subject, f.Sign}
	m.Title = failureTitle(s.Paths.Within(f.Call), f.Title, f.Brief, f.Hints)
	m.Fields = map[string]string{"tool": f.Tool, "error": f.Error}
	m.Text = s.Paths.Within(cause)
	if f.Fix != "" {
		m.Fields["fix"] = prose.Clip(s.Paths.Within(f.Fix), maxFix)
	}
	m.Confidence, m.Evidence = f.Confidence, f.Evidence
	m.Files, m.Keywords = f.Files, prose.Keywords(f.Test, f.Line, f.Fix)
	return m
}

// failureTitle says what fails, how, and what to do instead, in the longest
// wording that fits; hints leave something out of it.
func failureTitle(call, line string, fixes, hints []string) string {
	head := "`" + call + memory.TitleFails
	line = strings.TrimRight(line, ".:, ")
	enough := min(enoughLine, utf8.RuneCountInString(line))
	for _, try := range []struct {
		fixes []string
		least int
	}{{fixes, enough}, {fixes, minLine}, {hints, minLine}} {
		for _, fix := range try.fixes {
			if room := memory.MaxTitle - utf8.RuneCountInString(head+memory.TitleFix+fix); room >= try.least {
				return head + clipRunes(line, room) + memory.TitleFix + fix
			}
		}
	}
	return prose.Clip(head+line, memory.MaxTitle)
}

// clipRunes cuts a text to at most n runes.
func clipRunes(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return strings.TrimRight(string(r[:n-1]), " ") + "…"
	}
	return text
}
