package prove

import (
	"fmt"
	"io"
	"time"

	"recollect/internal/cli"
	"recollect/internal/memory"
	"recollect/internal/proof"
)

// sentences say what the counts of a kind mean: what was met again, and what of it would have been known.
var sentences = []struct {
	kind  proof.Kind
	again string
	known string
}{
	{proof.Failure, "times a command failed in a way that an earlier session had already got past", "the fix was known"},
	{proof.Correction, "times you corrected Claude with a rule that you had given before", "Claude would have had the rule"},
	{proof.Rule, "times you gave Claude a rule again before it began", "Claude would have had the rule"},
	{proof.Question, "times you asked what you had asked before, and got the same answer", "the answer was known"},
	{proof.Search, "times Claude searched for a file that it had found before", "the file was known"},
}

// examples is how many examples are shown.
const examples = 3

// writeReport writes a report for somebody who knows nothing of recollect.
func writeReport(w io.Writer, r *proof.Report) error {
	if r.Sessions == 0 {
		_, err := fmt.Fprintln(w, "There is no session with a prompt to replay yet.")
		return err
	}
	p := printer{w: w}
	p.line("This is what recollect, a memory for Claude Code, would have known in your own past sessions. %s in %s, from %s to %s, were replayed in order; each could use only what sessions before it had taught.",
		cli.Count(r.Sessions, "session", "sessions"), cli.Count(r.Projects, "project", "projects"), day(r.Begun), day(r.Ended))
	p.line("")
	total := r.Total()
	if total.Again.High == 0 {
		p.line("Nothing was met again that an earlier session had known: recollect would not have helped yet.")
	}
	for _, s := range sentences {
		k := r.Kinds[s.kind]
		if k.Again.High == 0 {
			continue
		}
		p.line("  %s %s; in %s of them %s.", span(k.Again), s.again, span(k.Known), s.known)
	}
	p.line("")
	if total.Known.High > 0 {
		p.line("That is %s in all. Claude spent %s and %s on finding them out again, as far as the sessions show it.", known(total.Known), duration(total.Spent), tokens(total.Spent))
	}
	p.line("For this it would have said something at %d of %d prompts and %d of %d tool calls, %d tokens in all.", r.SaidAt, r.Prompts, r.CallsAt, r.Calls, r.Tokens)
	p.examples(r.Examples(examples))
	p.line("")
	p.line("The first number of a range counts only what is the same beyond doubt, the second what is probably the same.")
	p.limits(r)
	return p.err
}

func (p *printer) examples(list []proof.Finding) {
	for i, f := range list {
		if i == 0 {
			p.line("")
			p.line("For example:")
		}
		p.line("  On %s, in %s, %s It was known since %s. recollect would have said: %s", day(f.At), f.Project, met(f), day(f.Before), quote(f.Said))
	}
}

// met says what a session met again.
func met(f proof.Finding) string {
	switch f.Kind {
	case proof.Failure:
		return "this failed: " + quote(f.What) + "."
	case proof.Question:
		return "you asked: " + quote(f.What)
	case proof.Search:
		return "Claude searched for " + f.What + "."
	}
	return "you said: " + quote(f.What)
}

// limits says what the counts cannot tell.
func (p *printer) limits(r *proof.Report) {
	p.line("What this cannot tell: whether Claude would have followed what it was told; what it would have misled it to; what was said again in quite other words; what sessions that ran at the same time could have told each other. Times leave out what is longer than five minutes at one go; for %d of the cases a session does not show how long they took.", r.Unfixed)
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

func known(r proof.Range) string {
	if r.High == 1 {
		return span(r) + " thing"
	}
	return span(r) + " things"
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

func tokens(s proof.Spent) string {
	if s.LowTok == s.HighTok {
		return fmt.Sprintf("%d tokens", s.LowTok)
	}
	return fmt.Sprintf("%d to %d tokens", s.LowTok, s.HighTok)
}
