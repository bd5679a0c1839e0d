package bench

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"recollect/internal/memory"
)

// A sentence is one that readers of a history judged: whether it decides or rules.
type sentence struct {
	Project  string `json:"project"`
	Session  string `json:"session"`
	Sentence string `json:"sentence"`
	Standing bool   `json:"standing"`
	Decision bool   `json:"decision"`

	source memory.Source
}

func (s *sentence) isTrue() bool { return s.Standing || s.Decision }

func readSentences(labels string) ([]sentence, error) {
	var all []sentence
	for _, f := range []struct {
		name   string
		source memory.Source
	}{{"rules.jsonl", memory.Preferences}, {"decisions.jsonl", memory.Journal}} {
		err := readLines(labels, f.name, func(s sentence) error {
			s.source = f.source
			all = append(all, s)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// CandidateRow counts what is stored of one source in the histories, and what a reader is asked about at the ends of sessions.
type CandidateRow struct {
	Source              memory.Source
	Sentences           int // that decide or rule
	Stored, Asked       outcomes
	FoundNow, FoundThen int // sentences, without and with what a perfect reader confirms
}

// outcomes counts memories by the label of their sentence.
type outcomes struct{ Right, Wrong, Unknown int }

// countCandidates adds what the history left stored and waiting.
func (h *history) countCandidates() error {
	for _, src := range []memory.Source{memory.Preferences, memory.Journal} {
		row := h.out.candidateRow(src)
		own := slices.DeleteFunc(slices.Clone(h.said), func(s sentence) bool { return s.source != src || s.Project != h.name })
		now, then := map[int]bool{}, map[int]bool{}
		for i := range own {
			row.Sentences += one(own[i].isTrue())
		}
		for m, err := range h.engine.Store.Source(src) {
			if err != nil {
				return err
			}
			row.Stored.add(own, &m, now)
		}
		for i := range h.asked {
			row.Asked.add(own, &h.asked[i], then) // confirmed, it stands, whether as a decision or as a wish
		}
		row.FoundNow += len(now)
		for i := range now {
			then[i] = true
		}
		row.FoundThen += len(then)
	}
	return nil
}

func (b *ReaderBound) candidateRow(src memory.Source) *CandidateRow {
	for i := range b.Candidates {
		if b.Candidates[i].Source == src {
			return &b.Candidates[i]
		}
	}
	b.Candidates = append(b.Candidates, CandidateRow{Source: src})
	return &b.Candidates[len(b.Candidates)-1]
}

// add counts a memory by the sentence that it has most words of, and that sentence as found.
func (o *outcomes) add(own []sentence, m *memory.Memory, found map[int]bool) {
	best, at := 0.0, -1
	for i := range own {
		if m.Session != "" && own[i].Session != m.Session {
			continue
		}
		if v := max(overlap(m.Evidence, own[i].Sentence), overlap(m.Title, own[i].Sentence)); v > best {
			best, at = v, i
		}
	}
	switch {
	case best < 0.6:
		o.Unknown++
	case own[at].isTrue():
		o.Right++
		found[at] = true
	default:
		o.Wrong++
	}
}

var (
	word = regexp.MustCompile(`[a-z0-9áéíóúñäöü_./@-]{2,}`)
	// usual are the words that say nothing of what a sentence is.
	usual = strings.Fields("the a an to of in is it and or for with on that this be i you we not do so as are was at by from " +
		"have has my our your user wants want please lets let us should la el de que en los las un una no y se para con por es")
)

func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range word.FindAllString(strings.ReplaceAll(strings.ToLower(text), "’", "'"), -1) {
		if !slices.Contains(usual, w) {
			out[w] = true
		}
	}
	return out
}

// overlap returns the share of the words of one text that the other has, the greater of the two.
func overlap(a, b string) float64 {
	x, y := wordsOf(a), wordsOf(b)
	common := 0
	for w := range x {
		common += one(y[w])
	}
	best := 0.0
	for _, words := range []map[string]bool{x, y} {
		if len(words) >= 3 {
			best = max(best, float64(common)/float64(len(words)))
		}
	}
	return best
}

func (b *ReaderBound) writeCandidates(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\n\tsentences\tstored: right\twrong\tunknown\tasked: right\twrong\tunknown\tright now\tfound\twith reader: right\tfound\t")
	for _, r := range b.Candidates {
		s, c := r.Stored, r.Asked
		right := s.Right + c.Right
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t\n", r.Source, r.Sentences, s.Right, s.Wrong, s.Unknown, c.Right, c.Wrong, c.Unknown,
			part(s.Right, s.Right+s.Wrong), part(r.FoundNow, r.Sentences), part(right, right+s.Wrong), part(r.FoundThen, r.Sentences))
	}
	return t.Flush()
}
