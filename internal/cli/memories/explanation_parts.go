package memories

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/recall/block"
)

const partIndent = "    "

// printRetrieval shows what was searched for, and how.
func printRetrieval(w io.Writer, e api.Explanation) error {
	cli.Fold(w, cli.Text("prompt    "), app.FirstLine(e.Prompt))
	cli.Fold(w, cli.Text("project   "), projectText(e))
	for _, r := range e.Retrievers {
		cli.Fold(w, cli.Text("%-10s", r.Name), retrieverText(r))
	}
	printAsked(w, e)
	fmt.Fprintf(w, "ranker    %s, threshold %v\n\n", e.Ranker, e.Threshold)
	if err := printTerms(w, e.Terms); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

func retrieverText(r api.Retriever) string {
	text := fmt.Sprintf("%s, %d found", r.State, r.Found)
	if r.State != api.RetrieverReady {
		text = r.State
	}
	if r.Embedder != "" {
		text = r.Embedder + ": " + text
	}
	return text
}

// printAsked shows what the prompt asks for apart from its words.
func printAsked(w io.Writer, e api.Explanation) {
	for _, t := range e.Times {
		fmt.Fprintf(w, "time      %s to %s\n", t.From.Format(time.DateTime), t.To.Format(time.DateTime))
	}
	if e.Latest {
		fmt.Fprintln(w, "time      the latest is asked for")
	}
	if e.Share > 0 && e.Share < 1 {
		fmt.Fprintf(w, "words     of the previous prompt: relevance × %.1f\n", e.Share)
	}
	if len(e.Pairs) > 0 {
		fmt.Fprint(w, wrapWords("pairs     ", "          ", listWords(e.Pairs), explainWidth(w)))
	}
}

func projectText(e api.Explanation) string {
	if e.Project.Remote != "" {
		return fmt.Sprintf("%s (%s, %s)", block.Name(e.Project.Name), block.Inline(e.Project.Path), block.Inline(e.Project.Remote))
	}
	return fmt.Sprintf("%s (%s)", block.Name(e.Project.Name), block.Inline(e.Project.Path))
}

func printTerms(w io.Writer, terms []api.Term) error {
	t := cli.Table{Titled: true, Columns: []cli.Column{
		{Title: "TERM"}, {Title: "WEIGHT", Right: true, Spare: 3}, {Title: "RARITY", Right: true, Spare: 2},
		{Title: "MEMORIES", Right: true, Spare: 1}, {Title: "SYNONYMS", Flex: true},
	}}
	for _, term := range terms {
		t.Add(cli.Text("%s", term.Text), cli.Text("%.2f", term.Weight), cli.Text("%.1f", term.IDF), cli.Text("%d", term.Memories),
			cli.Text("%s", strings.Join(term.Synonyms, " ")))
	}
	return t.Print(w)
}

// partsText shows which retrievers found a candidate, and the parts of its
// relevance and its score.
func partsText(c api.Candidate, width int) string {
	wrap := func(lead, indent string, words []string) string { return wrapWords(lead, indent, words, width) }
	hits := fmt.Sprintf("bm25 %s, vector %s, %s old, %d tokens",
		hitText(c.BM25Rank, c.BM25, c.BM25 > 0), hitText(c.VectorRank, c.Cosine, c.Embedded), c.Age, c.Tokens)
	text := wrap(partIndent, partIndent+partIndent, strings.Fields(hits))
	text += wrap(partIndent+fmt.Sprintf("relevance %.2f = ", c.Relevance), partIndent+partIndent, listWords(relevanceParts(c))) +
		wrap(partIndent+fmt.Sprintf("score %.3f = ", c.Score), partIndent+partIndent, scoreParts(c.Factors))
	if strings.HasPrefix(c.Outcome, api.OutcomeSuperseded) {
		text += partIndent + c.Outcome + "\n"
	}
	if len(c.Matched) > 0 {
		text += wrap(partIndent+"words ", partIndent+partIndent, listWords(c.Matched))
	}
	if c.Project != "" {
		text += partIndent + "project " + block.Name(c.Project) + "\n"
	}
	if c.Rule != "" {
		text += partIndent + "rule " + c.Rule + "\n"
	}
	return text
}

// hitText returns a retriever's rank and score of a candidate. A retriever may know
// the score of a candidate that it did not find.
func hitText(rank int, score float64, known bool) string {
	switch {
	case !known:
		return "-"
	case rank == 0:
		return fmt.Sprintf("- %.2f", score)
	}
	return fmt.Sprintf("#%d %.2f", rank, score)
}

// relevanceParts returns in words what each feature adds.
func relevanceParts(c api.Candidate) []string {
	var out []string
	for _, p := range explain.Parts(c) {
		out = append(out, strings.Replace(fmt.Sprintf("%s %+.1f", p.Name, p.Adds), "-", "−", 1))
	}
	return out
}

// scoreParts returns the factors of a score in words. They are added if they have
// weights, and else multiplied.
func scoreParts(factors []api.Factor) []string {
	sign := "× "
	for _, f := range factors {
		if f.Weight != 1 {
			sign = "+ "
		}
	}
	out := make([]string, len(factors))
	for i, f := range factors {
		out[i] = fmt.Sprintf("%s %.3f", f.Name, f.Value)
		if f.Weight != 1 {
			out[i] += fmt.Sprintf("×%.1f", f.Weight)
		}
		if i > 0 {
			out[i] = sign + out[i]
		}
	}
	return out
}

// listWords appends a comma to each word but the last.
func listWords(words []string) []string {
	out := slices.Clone(words)
	for i := range len(out) - 1 {
		out[i] += ","
	}
	return out
}

// wrapWords joins words to lines of at most width columns. The first line begins with
// lead, the others with indent.
func wrapWords(lead, indent string, words []string, width int) string {
	var b strings.Builder
	b.WriteString(lead)
	column := cli.Columns(lead)
	for i, word := range words {
		n := cli.Columns(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = cli.Columns(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteByte('\n')
	return b.String()
}
