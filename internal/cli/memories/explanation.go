package memories

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

const (
	explainColumns = 120 // width of an explanation that is not printed on a terminal
	fewCandidates  = 5   // candidates that are shown without --all
	narrowestTitle = 20
	columnGap      = 2

	lastPromptShown = 60 // bytes of a session's last prompt
)

// An explanationView has the flags for how much of an explanation is shown.
type explanationView struct {
	all   bool // show every candidate
	parts bool // show the parts of each number
}

// partsUsage describes the flag --parts.
const partsUsage = "show what was searched for, and the parts of each relevance and score"

func (v *explanationView) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&v.all, "all", false, fmt.Sprintf("show every candidate, not only the first %d", fewCandidates))
	cmd.Flags().BoolVar(&v.parts, "parts", false, partsUsage)
}

// printInjected shows the block that is injected, or why there is none.
func printInjected(w io.Writer, e api.Explanation) error {
	if e.Silenced != "" {
		if err := cli.Fold(w, cli.Text("nothing is injected: "), e.Silenced+". Otherwise:"); err != nil {
			return err
		}
	}
	if e.Context == "" {
		return cli.Fold(w, cli.Text("nothing is injected: "), explain.WhyNothing(e))
	}
	return cli.FoldLines(w, fmt.Sprintf("injected, %d of %d tokens:\n\n%s", e.Tokens, e.Budget, e.Context))
}

func printSession(w io.Writer, s *api.SessionState) {
	if s == nil {
		return
	}
	text := fmt.Sprintf("session %s: memories in its context %d, found for its last prompt %d", block.Inline(s.ID), len(s.Injected), len(s.Passed))
	if len(s.Chosen) > 0 {
		text += fmt.Sprintf(", chosen by the reader: %s", block.Inline(strings.Join(s.Chosen, ", ")))
	}
	if s.LastPrompt != "" {
		text += fmt.Sprintf(", %q", memory.Clip(block.Inline(s.LastPrompt), lastPromptShown))
	}
	cli.Fold(w, cli.Span{}, text+"\n")
}

// printCandidates shows the first candidates, one per line, and counts the others.
func printCandidates(w io.Writer, e api.Explanation, first int, v explanationView) error {
	printProblems(w, e)
	printSession(w, e.Session)
	if v.parts {
		if err := printRetrieval(w, e); err != nil {
			return err
		}
	}
	if past := explain.Past(e); past != "" {
		cli.Fold(w, cli.Span{}, past)
	}
	if worth := explain.Worth(e); worth != "" && e.Context != "" {
		cli.Fold(w, cli.Span{}, worth+"\n")
	}
	if len(e.Candidates) == 0 {
		_, err := fmt.Fprintln(w, "no candidates")
		return err
	}
	fmt.Fprint(w, "candidates, best first:\n\n")
	shown := e.Candidates
	if !v.all {
		shown = shown[:min(first, len(shown))]
	}
	width := explainWidth(w)
	for i, line := range candidateLines(shown, width) {
		if err := cli.Print(w, append(line, cli.Text("\n"))...); err != nil {
			return err
		}
		if v.parts {
			fmt.Fprint(w, partsText(shown[i], width))
		}
	}
	if left := len(e.Candidates) - len(shown); left > 0 {
		_, err := fmt.Fprintf(w, "%d more: --all\n", left)
		return err
	}
	return nil
}

func printProblems(w io.Writer, e api.Explanation) {
	for _, l := range explain.Lacks(e) {
		cli.Fold(w, cli.Text("%-10s", l.Part), l.Why)
		fmt.Fprintln(w)
	}
}

// explainWidth returns the width of an explanation on w, in columns.
func explainWidth(w io.Writer) int { return cmp.Or(cli.Width(w), explainColumns) }

// candidateLines puts each candidate on a line of a table: rank, relevance,
// outcome, title and id; or on two lines if that is too wide.
func candidateLines(candidates []api.Candidate, width int) [][]cli.Span {
	relevance, outcome, title, id := 0, 0, 0, 0
	for _, c := range candidates {
		relevance = max(relevance, cli.Columns(explain.Relevance(c)))
		outcome = max(outcome, cli.Columns(explain.Outcome(c)))
		title = max(title, cli.Columns(titleText(c)))
		id = max(id, len(c.ID))
	}
	room := width - len(" 1") - relevance - outcome - id - 4*columnGap
	lines := make([][]cli.Span, len(candidates))
	for i, c := range candidates {
		rank, became := cli.Text("%2d  ", i+1), cli.Span{Style: outcomeStyle(c), Text: explain.Outcome(c)}
		if room < narrowestTitle {
			became.Text = cli.Wrap(explain.Relevance(c)+", "+explain.Outcome(c), len(rank.Text), width)
			under := max(1, width-len(rank.Text)-len(c.ID)-columnGap)
			lines[i] = []cli.Span{rank, became, cli.Text("\n%*s", len(rank.Text), ""), app.IDSpan(c.ID), cli.Text("  %s", cli.Clip(titleText(c), under))}
			continue
		}
		lines[i] = []cli.Span{rank, cli.Text("%-*s  ", relevance, explain.Relevance(c)), became,
			cli.Text("%*s%s", outcome-cli.Columns(became.Text)+columnGap, "", padText(cli.Clip(titleText(c), room), min(title, room)+columnGap)), app.IDSpan(c.ID)}
	}
	return lines
}

// padText pads a text with spaces to a width in columns.
func padText(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-cli.Columns(text)))
}

// outcomeStyle returns the style of a candidate, in which injected ones stand out.
func outcomeStyle(c api.Candidate) cli.Style {
	if explain.HeldBack(c) {
		return cli.Faint
	}
	return cli.Good
}

// titleText returns the title of a candidate without characters that are not shown, so that its columns
// can be counted.
func titleText(c api.Candidate) string {
	return fmt.Sprintf("[%s] %s", c.Source.Label(), app.FirstLine(block.Plain(c.Title)))
}
