package proof

import (
	"slices"
	"strings"

	"recollect/internal/index"
)

// A place in a session: a turn, and a call in it, or what comes before the first one.
type place struct{ turn, call int }

// What comes before the first call of a turn.
const (
	beforePrompt = -2
	atPrompt     = -1
)

func (p place) before(q place) bool {
	return p.turn < q.turn || p.turn == q.turn && p.call < q.call
}

// Said is what the memory said in a session.
type said []saidAt

type saidAt struct {
	at    place
	lines []line
}

// A line that was said.
type line struct {
	text  string // as it was said
	lower string
	words map[string]bool
}

// add records what was said at a place.
func (s *said) add(at place, text string) {
	var lines []line
	for l := range strings.SplitSeq(text, "\n") {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "<") {
			lines = append(lines, line{l, strings.ToLower(strings.Join(strings.Fields(l), " ")), wordSet(l)})
		}
	}
	*s = append(*s, saidAt{at, lines})
}

// find returns the best match among the lines that were said up to a place. What was said exactly there counts
// only loosely if late.
func (s said) find(until place, late bool, match func(line) Match) (best Match, text string) {
	for _, part := range s {
		if until.before(part.at) {
			break
		}
		for _, l := range part.lines {
			m := match(l)
			if m == Strict && late && part.at == until {
				m = Loose
			}
			if m != best && best.better(m) == m {
				best, text = m, l.text
			}
		}
	}
	return best, text
}

// wordSet returns the words of a text that say something, cut to their stems.
func wordSet(text string) map[string]bool {
	words := map[string]bool{}
	for _, t := range index.Analyze(text) {
		words[t.Text] = true
	}
	return words
}

// wordList is wordSet as a sorted list.
func wordList(text string) []string {
	var words []string
	for w := range wordSet(text) {
		words = append(words, w)
	}
	slices.Sort(words)
	return words
}

// share returns the part of words that a set has, and how many these are.
func share(words []string, in map[string]bool) (float64, int) {
	n := 0
	for _, w := range words {
		if in[w] {
			n++
		}
	}
	if n == 0 {
		return 0, 0
	}
	return float64(n) / float64(len(words)), n
}

// setOf makes a set of a list.
func setOf(words []string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return set
}
