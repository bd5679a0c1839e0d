package proof

import (
	"fmt"

	"recollect/internal/text/prose"
)

// The words of a report, the same in a terminal and on the page.

// What says in words what the counts of a kind are of.
func (k Kind) What() string {
	return map[Kind]string{
		Failure:    "commands that failed as they had failed before",
		Correction: "corrections that you had given Claude before",
		Rule:       "rules that you had told Claude before",
		Question:   "questions that had been answered before",
		Search:     "files that the same search had found before",
	}[k]
}

// Met says what a session met again, in a sentence.
func (f Finding) Met() string {
	switch f.Kind {
	case Failure:
		return "this command failed: " + quote(f.What) + "."
	case Question:
		return "you asked: " + quote(f.What)
	case Search:
		return "Claude searched for " + f.What + "."
	}
	return "you said: " + quote(f.What)
}

// IsKnown reports whether a finding would have been known in time.
func (f Finding) IsKnown() bool { return f.Known != NoMatch }

// IsSure reports whether a finding counts at the low end: where it would have been known, of those that would.
func (f Finding) IsSure() bool {
	if f.IsKnown() {
		return f.surety() == Strict
	}
	return f.Match == Strict
}

// maxQuoted is how much of a text is quoted, in bytes.
const maxQuoted = 160

func quote(s string) string { return "“" + prose.ClipWords(s, maxQuoted) + "”" }

// String writes a range, as one number if its ends are equal.
func (r Range) String() string {
	if r.Low == r.High {
		return fmt.Sprint(r.Low)
	}
	return fmt.Sprintf("%d to %d", r.Low, r.High)
}

// Time writes how long it took.
func (s Spent) Time() string {
	low, high := spell(s.Low), spell(s.High)
	if low == high {
		return low
	}
	return low + " to " + high
}

// Tokens writes how many tokens it took.
func (s Spent) Tokens() string { return Range{s.LowTok, s.HighTok}.String() }

// spell writes seconds in the unit that fits.
func spell(seconds float64) string {
	switch {
	case seconds >= 5400:
		return fmt.Sprintf("%.1f hours", seconds/3600)
	case seconds >= 90:
		return fmt.Sprintf("%.0f minutes", seconds/60)
	}
	return fmt.Sprintf("%.0f seconds", seconds)
}

// String writes a mean with its interval.
func (i Interval) String() string { return fmt.Sprintf("%.2f (%.2f to %.2f)", i.Mean, i.Low, i.High) }

// MeansKnown says what "known" and a range mean.
const MeansKnown = "\"Known\" means that recollect would have told Claude in time. The first number of a range counts what is the same beyond doubt, the second also what is probably the same."

// Limits says what the counts cannot tell, a sentence or two each.
func (r *Report) Limits() []string {
	out := []string{"What this cannot tell: whether Claude would have followed it, or would have been misled by something else that was said; " +
		"what came up again in other words; what sessions at the same time could have told each other. " +
		"Waits of more than five minutes are not counted."}
	if r.Untimed > 0 {
		out = append(out, fmt.Sprintf("Of %d of the known ones the sessions do not show how long they took.", r.Untimed))
	}
	switch {
	case r.Unreadable == 1:
		out = append(out, "1 file could not be read and was left out.")
	case r.Unreadable > 1:
		out = append(out, fmt.Sprintf("%d files could not be read and were left out.", r.Unreadable))
	}
	return out
}
