package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/block"
	"recollect/internal/memory"
)

const (
	explainColumns = 120 // width of the terminal that an explanation is laid out for
	fewCandidates  = 5   // how many are shown without --all
	narrowestTitle = 20

	lastPromptShown = 60 // bytes of a session's last prompt
)

// An explanationView is how much of an explanation is shown.
type explanationView struct {
	all   bool // show every candidate
	parts bool // show how each number came about
}

// partsUsage describes the flag of parts.
const partsUsage = "show what was searched for, and the parts of each relevance and score"

func (v *explanationView) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&v.all, "all", false, fmt.Sprintf("show every candidate, not only the first %d", fewCandidates))
	cmd.Flags().BoolVar(&v.parts, "parts", false, partsUsage)
}

// printInjected shows the block that is injected, or says why there is none.
func printInjected(w io.Writer, e api.Explanation) error {
	if e.Context == "" {
		_, err := fmt.Fprintf(w, "nothing is injected: %s\n", whyNothing(e))
		return err
	}
	_, err := fmt.Fprintf(w, "injected, %d of %d tokens:\n\n%s\n", e.Tokens, e.Budget, e.Context)
	return err
}

// printSession shows the state of the session that was asked about.
func printSession(w io.Writer, s *api.SessionState) {
	if s == nil {
		return
	}
	fmt.Fprintf(w, "session %s: memories in its context %d, found for its last prompt %d", block.Inline(s.ID), len(s.Injected), len(s.Passed))
	if s.LastPrompt != "" {
		fmt.Fprintf(w, ", %q", memory.Clip(block.Inline(s.LastPrompt), lastPromptShown))
	}
	fmt.Fprint(w, "\n\n")
}

// whyNothing says why nothing is injected, by the outcome of the most relevant
// candidate.
func whyNothing(e api.Explanation) string {
	switch {
	case e.Skipped != "":
		return e.Skipped
	case len(e.Candidates) == 0 && e.Past != "":
		return "the prompt asks about past work (" + e.Past + "), and this session has all that is known, or nothing is"
	case len(e.Candidates) == 0:
		return "no memory has anything in common with the prompt"
	}
	nearest := slices.MaxFunc(e.Candidates, func(a, b api.Candidate) int { return cmp.Compare(a.Relevance, b.Relevance) })
	if nearest.Relevance < nearest.Required {
		return fmt.Sprintf("no memory is relevant enough; the most relevant has relevance %.2f and needs %.2f", nearest.Relevance, nearest.Required)
	}
	return fmt.Sprintf("the most relevant memory, %s, was %s", nearest.ID, outcomeText(nearest))
}

// printCandidates shows the first candidates, one per line, and says how many more
// there are.
func printCandidates(w io.Writer, e api.Explanation, first int, v explanationView) error {
	printProblems(w, e)
	printSession(w, e.Session)
	if v.parts {
		if err := printRetrieval(w, e); err != nil {
			return err
		}
	}
	if e.Past != "" {
		fmt.Fprintf(w, "the prompt asks about past work: %s\n", e.Past)
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
	for i, line := range candidateLines(shown) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
		if v.parts {
			fmt.Fprint(w, partsText(shown[i]))
		}
	}
	if left := len(e.Candidates) - len(shown); left > 0 {
		_, err := fmt.Fprintf(w, "%d more: --all\n", left)
		return err
	}
	return nil
}

// printProblems says why candidates may be missing.
func printProblems(w io.Writer, e api.Explanation) {
	if e.Index != api.IndexReady && e.Index != "" {
		fmt.Fprintf(w, "index     %s: results are incomplete\n\n", e.Index)
	}
	for _, r := range e.Retrievers {
		if r.State != api.RetrieverReady && r.State != api.RetrieverUnused {
			fmt.Fprintf(w, "%-10s%s: results are incomplete\n\n", r.Name, r.State)
		}
	}
}

// candidateLines puts each candidate on a line of a table: rank, relevance,
// outcome, title and id.
func candidateLines(candidates []api.Candidate) []string {
	relevance, outcome, title := 0, 0, 0
	for _, c := range candidates {
		relevance = max(relevance, utf8.RuneCountInString(relevanceText(c)))
		outcome = max(outcome, utf8.RuneCountInString(outcomeText(c)))
		title = max(title, utf8.RuneCountInString(titleText(c)))
	}
	lines := make([]string, len(candidates))
	for i, c := range candidates {
		lead := fmt.Sprintf("%2d  %-*s  %-*s  ", i+1, relevance, relevanceText(c), outcome, outcomeText(c))
		room := max(narrowestTitle, explainColumns-utf8.RuneCountInString(lead)-len(c.ID)-2)
		lines[i] = fmt.Sprintf("%s%-*s  %s", lead, min(title, room), clip(titleText(c), room), c.ID)
	}
	return lines
}

// titleText has only what is shown, because its characters are counted.
func titleText(c api.Candidate) string {
	return fmt.Sprintf("[%s] %s", c.Source.Label(), firstLine(block.Plain(c.Title)))
}

// relevanceText shows a relevance, the one that is required, and the activity that the memory
// bears on, if any: a search requires none.
func relevanceText(c api.Candidate) string {
	text := fmt.Sprintf("relevance %.2f", c.Relevance)
	if c.Required > 0 {
		text += fmt.Sprintf(", needs %.2f", c.Required)
	}
	if c.Bears != "" {
		text += ", bears on: " + c.Bears
	}
	return text
}

// outcomeText says in words what became of a candidate. The numbers are shown
// beside it; the id of the memory that supersedes it, with the parts.
func outcomeText(c api.Candidate) string {
	switch c.Outcome {
	case api.OutcomeInjected:
		return "injected"
	case api.OutcomeHeading:
		return "injected as a heading"
	case api.OutcomeUnsure:
		return "injected as a heading that may bear on it"
	case api.OutcomeFound:
		return "found"
	case api.OutcomeAlready:
		return "held back: already injected in this session"
	case api.OutcomeNotBefore:
		return "held back: was not injected before the compaction"
	}
	switch {
	case strings.HasPrefix(c.Outcome, api.OutcomeTooLow):
		return "held back: relevance too low"
	case strings.HasPrefix(c.Outcome, api.OutcomeSuperseded):
		return "held back: superseded"
	}
	return "held back: " + c.Outcome
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func clip(s string, runes int) string {
	r := []rune(s)
	if len(r) <= runes {
		return s
	}
	return string(r[:runes-1]) + "…"
}
