package prove

import (
	"fmt"
	"io"
	"time"

	"recollect/internal/cli"
	"recollect/internal/proof"
)

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
	for _, limit := range r.Limits() {
		p.line("%s", limit)
	}
	return p.err
}

// counts writes what was met again, what of it was known, and what both cost.
func (p *printer) counts(r *proof.Report) {
	total := r.Total()
	if total.Again.High == 0 {
		p.line("Nothing came up again that an earlier session had known, so it would not have helped yet.")
		return
	}
	p.count("came up again", "was known", "")
	for _, kind := range proof.Kinds {
		if c := r.Kinds[kind]; c.Again.High > 0 {
			p.count(c.Again, c.Known, kind.What())
		}
	}
	p.line("")
	p.line(proof.MeansKnown)
	if total.Spent.High > 0 {
		p.line("Finding the known ones out again took %s and %s tokens.", total.Spent.Time(), total.Spent.Tokens())
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
		p.line("Example %d. On %s%s, in %s, %s recollect had it from a session on %s, and would have said:", i+1, day(e.At), often, e.Project, e.Met(), day(e.Before))
		p.line("  %s", e.Said)
	}
}

// comparison writes how the sessions fared from which memories were withheld.
func (p *printer) comparison(c *proof.Comparison) {
	if c == nil {
		return
	}
	p.line("")
	p.line("Memories were withheld from %d sessions, and not from %d. Means a session, with what they are in 95 of 100 samples:", c.Withheld.Sessions, c.Others.Sessions)
	p.line("  failures that came up again: withheld %s, others %s, difference %s", c.Withheld.Failures, c.Others.Failures, c.Failures)
	p.line("  corrections: withheld %s, others %s, difference %s", c.Withheld.Corrections, c.Others.Corrections, c.Corrections)
	p.line("A difference above 0 in all of its interval means that recollect helps.")
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

// count writes a row of the table, with all of its text in the last column.
func (p *printer) count(again, known any, what string) {
	row := fmt.Sprintf("%13v  %11v", again, known)
	if what != "" {
		row += "  "
	}
	if p.err == nil {
		p.err = cli.Fold(p.w, cli.Text("%s", row), what)
	}
}

func day(t time.Time) string { return t.Local().Format("2 January 2006") }
