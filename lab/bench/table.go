package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"recollect/internal/memory"
	"recollect/internal/proof"
)

// Write prints r for people: one line for each retriever, shares in per cent.
func (r *Report) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %d queries (%s), %d without an answer, %d documents\n", r.Set, r.Queries, r.Field, r.Negatives, r.Docs)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "leg\tR@1\tR@5\tR@10\thit@5\tNDCG@10\tMRR\tAUC\tkept@5\tinjected\tfalse\tp50 ms\tp95 ms\t")
	for _, name := range r.names() {
		s := r.Retrievers[name]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t%.2f\t\n", name,
			percent(&s.R1), percent(&s.R5), percent(&s.R10), percent(&s.Hit5), percent(&s.NDCG10), percent(&s.MRR),
			percent(s.AUC), percent(s.Kept), percent(s.Injected), percent(s.FalselyInjected), s.P50, s.P95)
	}
	return t.Flush()
}

// names lists the retrievers of r in their order.
func (r *Report) names() []string {
	var names []string
	for _, n := range retrieverNames {
		if r.Retrievers[n] != nil {
			names = append(names, n)
		}
	}
	return names
}

func percent(share *float64) string {
	if share == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f", *share*100)
}

// Write prints r for people: the requested settings first, then the variants.
func (r *Reuse) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %d tasks (%s), %d memories\n", r.Set, r.Queries, r.Field, r.Memories)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "variant\treuse@inject\tprecision@inject\treuse@5\treuse@10\thit@5\tinjected\tmemories\ttokens\tp50 ms\tp95 ms\t")
	r.Reused.writeLine(t, "as set")
	for _, name := range slices.Sorted(maps.Keys(r.Variants)) {
		v := r.Variants[name]
		v.writeLine(t, name)
	}
	return t.Flush()
}

func (r *Reused) writeLine(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.1f\t%.0f\t%.2f\t%.2f\t\n", name,
		percent(&r.AtInject), percent(&r.Precision), percent(&r.At5), percent(&r.At10), percent(&r.Hit5), percent(&r.Injected),
		r.Bites, r.Tokens, r.P50, r.P95)
}

// Write prints s for people: the shares, then every prompt for which something was injected, with the
// headings of the injected memories.
func (s *Silence) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %d prompts in each of %d projects, %d memories: nothing injected with %s\n",
		s.Set, s.Prompts, s.Projects, s.Memories, percent(&s.Silent)+" %")
	for _, kind := range slices.Sorted(maps.Keys(s.Kinds)) {
		share := s.Kinds[kind]
		fmt.Fprintf(w, "  %5s %%  %s\n", percent(&share), kind)
	}
	for _, n := range s.Injected {
		fmt.Fprintf(w, "%s in %d of %d projects: %s\n", n.ID, len(n.Projects), s.Projects, heading(n.Text))
		for _, b := range n.Bites {
			fmt.Fprintf(w, "    %.2f %s\n", b.Score, heading(b.Text))
		}
	}
	return nil
}

// heading returns the first line of a text, shortened to fit a line of a terminal.
func heading(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return memory.Clip(line, 110)
}

// Write prints e for people: one line for each source and, if misses is set, all misses, grouped by turn.
func (e *Extraction) Write(w io.Writer, misses bool) error {
	fmt.Fprintf(w, "%d labelled turns, of which %d contain nothing to remember\n", e.Turns, e.Silent)
	for _, place := range slices.Sorted(maps.Keys(e.Left)) {
		fmt.Fprintf(w, "left out: %d turns of %s\n", e.Left[place], place)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "source\tprecision\trecall\ttaken\tright\twanted\tfound\t")
	for _, s := range labelledSources {
		if p := e.Sources[s]; p != nil {
			fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t\n", s, percent(p.Precision()), percent(p.Recall()), p.Extracted, p.Right, p.Wanted, p.Found)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	mb := float64(e.Bytes) / 1e6
	fmt.Fprintf(w, "%.1f MB read and extracted in %.2f s, %.0f MB/s, %d memories\n", mb, e.Seconds, mb/e.Seconds, e.Memories)
	if !misses {
		return nil
	}
	turn := ""
	for _, m := range e.Misses {
		if at := fmt.Sprintf("%s/%s %s", m.In, m.File, m.Turn); at != turn {
			turn = at
			fmt.Fprintf(w, "\n%s: %s\n", at, m.Prompt)
		}
		if m.Want != nil {
			fmt.Fprintf(w, "    missed %s: %s\n", m.Source, strings.Join(m.Want, " & "))
		} else {
			fmt.Fprintf(w, "    false %s: %s\n", m.Source, m.Memory)
		}
	}
	return nil
}

// WriteProofs prints proofs for people: a line for each memory, with what it would have known of what was met again.
func WriteProofs(w io.Writer, proofs []Proof) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "memory\tfailures\tcorrections\trules\tquestions\tsearches\tprompts %\tcalls %\ttokens/prompt\tseconds\t")
	for _, p := range proofs {
		r := p.Report
		fmt.Fprintf(t, "%s\t", p.Memory)
		for _, k := range proof.Kinds {
			c := r.Kinds[k]
			fmt.Fprintf(t, "%d-%d of %d-%d\t", c.Known.Low, c.Known.High, c.Again.Low, c.Again.High)
		}
		prompts, calls := float64(max(1, r.Prompts)), float64(max(1, r.Calls))
		fmt.Fprintf(t, "%.0f\t%.0f\t%.0f\t%.0f\t\n", 100*float64(r.SaidAt)/prompts, 100*float64(r.CallsAt)/calls, float64(r.Tokens)/prompts, r.Took)
	}
	return t.Flush()
}
