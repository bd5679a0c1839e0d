package prove

import (
	"fmt"
	"io"
	"time"

	"recollect/internal/cli"
	"recollect/internal/memory"
	"recollect/internal/proof"
)

// kinds say in words what the counts of a kind are of.
var kinds = []struct {
	kind proof.Kind
	what string
}{
	{proof.Failure, "commands that failed as they had failed before"},
	{proof.Correction, "corrections that you had given Claude before"},
	{proof.Rule, "rules that you had told Claude before"},
	{proof.Question, "questions that had been answered before"},
	{proof.Search, "files that the same search had found before"},
}

// examples is how many examples are shown.
const examples = 3

// writeReport writes a report for somebody who knows nothing of recollect.
func writeReport(w io.Writer, r *proof.Report) error {
	p := printer{w: w}
	p.line("recollect is a memory for Claude Code. Here it was tried on your own past: %s in %s, from %s to %s. At each prompt and command it was asked what it knew from the sessions that had ended before.",
		cli.Count(r.Sessions, "session", "sessions"), cli.Count(r.Projects, "project", "projects"), day(r.Begun), day(r.Ended))
	p.line("")
	p.counts(r)
	p.examples(r.Examples(examples))
	p.comparison(r.Comparison)
	p.line("")
	p.limits(r)
	return p.err
}

// counts writes what was met again, what of it was known, and what both cost.
func (p *printer) counts(r *proof.Report) {
	total := r.Total()
	if total.Again.High == 0 {
		p.line("Nothing came up again that an earlier session had known, so it would not have helped yet.")
		return
	}
	p.line("%13s  %11s", "came up again", "was known")
	for _, k := range kinds {
		if c := r.Kinds[k.kind]; c.Again.High > 0 {
			p.line("%13s  %11s  %s", span(c.Again), span(c.Known), k.what)
		}
	}
	p.line("")
	p.line("\"Known\" means that recollect would have told Claude in time. The first number of a range counts what is the same beyond doubt, the second also what is probably the same.")
	if total.Spent.High > 0 {
		p.line("Finding the known ones out again took %s and %s tokens.", duration(total.Spent), span(proof.Range{Low: total.Spent.LowTok, High: total.Spent.HighTok}))
	}
	p.line("For this, recollect would have added %d tokens to your sessions: something at %d of %d prompts and %d of %d commands and edits.", r.Tokens, r.SaidAt, r.Prompts, r.CallsAt, r.Calls)
}

func (p *printer) examples(list []proof.Example) {
	for i, e := range list {
		often := ""
		if e.Times > 1 {
			often = fmt.Sprintf(" (one of %d times)", e.Times)
		}
		p.line("")
		p.line("Example %d. On %s%s, in %s, %s recollect had it from a session on %s, and would have said:", i+1, day(e.At), often, e.Project, met(e.Finding), day(e.Before))
		p.line("  %s", memory.Clip(e.Said, maxQuoted))
	}
}

// comparison writes how the sessions fared from which memories were withheld.
func (p *printer) comparison(c *proof.Comparison) {
	if c == nil {
		return
	}
	p.line("")
	p.line("Memories were withheld from %d sessions, and not from %d. Means a session, with what they are in 95 of 100 samples:", c.Withheld.Sessions, c.Others.Sessions)
	p.line("  failures that came up again: withheld %s, others %s, difference %s", interval(c.Withheld.Failures), interval(c.Others.Failures), interval(c.Failures))
	p.line("  corrections: withheld %s, others %s, difference %s", interval(c.Withheld.Corrections), interval(c.Others.Corrections), interval(c.Corrections))
	p.line("A difference above 0 in all of its interval means that recollect helps.")
}

func interval(i proof.Interval) string {
	return fmt.Sprintf("%.2f (%.2f to %.2f)", i.Mean, i.Low, i.High)
}

// met says what a session met again.
func met(f proof.Finding) string {
	switch f.Kind {
	case proof.Failure:
		return "this command failed: " + quote(f.What) + "."
	case proof.Question:
		return "you asked: " + quote(f.What)
	case proof.Search:
		return "Claude searched for " + f.What + "."
	}
	return "you said: " + quote(f.What)
}

// limits says what the counts cannot tell.
func (p *printer) limits(r *proof.Report) {
	p.line("What this cannot tell: whether Claude would have followed it, or would have been misled by something else that was said; " +
		"what came up again in other words; what sessions at the same time could have told each other. " +
		"Waits of more than five minutes are not counted.")
	if r.Untimed > 0 {
		p.line("Of %d of the known ones the sessions do not show how long they took.", r.Untimed)
	}
	if r.Unreadable > 0 {
		p.line("%s could not be read and %s left out.", cli.Count(r.Unreadable, "file", "files"), map[bool]string{true: "was", false: "were"}[r.Unreadable == 1])
	}
}

// A printer writes folded lines until one fails.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		p.err = cli.FoldLines(p.w, fmt.Sprintf(format, args...))
	}
}

func day(t time.Time) string { return t.Local().Format("2 January 2006") }

// maxQuoted is how much of a text is quoted, in bytes.
const maxQuoted = 160

func quote(s string) string { return "“" + memory.Clip(s, maxQuoted) + "”" }

// span writes a range, as one number if its ends are equal.
func span(r proof.Range) string {
	if r.Low == r.High {
		return fmt.Sprint(r.Low)
	}
	return fmt.Sprintf("%d to %d", r.Low, r.High)
}

func duration(s proof.Spent) string {
	low, high := spell(s.Low), spell(s.High)
	if low == high {
		return low
	}
	return low + " to " + high
}

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
