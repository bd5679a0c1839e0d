package recall

import (
	"hash/maphash"
	"math"
	"slices"
	"sync/atomic"

	"recollect/internal/embed/builtin"
	"recollect/internal/memory"
)

// A prompt that says "clear" asks for a memory that says "unset": the vectors of both texts hold
// all their words at once, so that single ones that mean the same are compared by themselves.

const (
	maxSimilar  = 64      // words of a memory that are compared
	maxCompared = 4 << 10 // of its text, in bytes
	maxAsked    = 32      // words of a prompt

	mostCompared = 12 // candidates of a prompt, the best
)

// Of n words that have nothing to do with another, the nearest has a cosine of about
// chanceCosine × √(2 ln n), as the largest of n normal deviates does (Gumbel, 1958). What is
// beyond that tells how like a word it is.
const chanceCosine = 0.12

// likeness returns how far a word is like the nearest of n, in [0, 1].
func likeness(cosine float64, n int) float64 {
	least := chanceCosine * math.Sqrt(2*math.Log(float64(2+n)))
	return max(0, min(1, (cosine-least)/(1-least)))
}

// wordsSeed chooses the slots of wordLists.
var wordsSeed = maphash.MakeSeed()

// wordLists holds the words of the memories that were compared last, because to read a memory takes
// longer than to compare it: up to 150 bytes each. The zero value is empty. It is safe for
// concurrent use.
type wordLists [4096]atomic.Pointer[wordList]

// A wordList is the words of a memory.
type wordList struct {
	id    string
	line  [2]int64 // see store.Where
	words []builtin.Word
}

// wordsOf returns the words of a candidate, or nil if its memory cannot be read.
func (r *Recall) wordsOf(m *builtin.Model, c *candidate) *wordList {
	slot := &r.words[maphash.String(wordsSeed, c.id)%uint64(len(r.words))]
	if kept := slot.Load(); kept != nil && kept.id == c.id && kept.line == c.made.Line {
		return kept
	}
	if !r.read(c) {
		return nil
	}
	list := &wordList{c.id, c.made.Line, m.WordsOf(memory.Clip(passage(c.memory), maxCompared), maxSimilar)}
	slot.Store(list)
	return list
}

// forget drops all words.
func (l *wordLists) forget() {
	for i := range l {
		l[i].Store(nil)
	}
}

// similarWords compares the words of a prompt with those of memories.
type similarWords struct {
	model      *builtin.Model
	comparison *builtin.Comparison
	clauses    []int // of each word
	cosines    []float64
}

// newSimilarWords returns nil for a query without words that can be compared.
func newSimilarWords(q *query) *similarWords {
	m, err := builtin.Load()
	if err != nil {
		return nil
	}
	s := &similarWords{model: m, cosines: make([]float64, maxSimilar)}
	var words []builtin.Word
	for i := range q.clauses {
		c := &q.clauses[i]
		if c.whole || c.evidence || len(words) == maxAsked {
			continue
		}
		if w := m.WordsOf(c.surface, 2); len(w) == 1 {
			words, s.clauses = append(words, w[0]), append(s.clauses, i)
		}
	}
	if len(words) == 0 {
		return nil
	}
	s.comparison = m.NewComparison(words)
	return s
}

// What is below the floor even with so many times the odds is not compared, because that takes time.
// Few memories gain more by words like the prompt's: with 20 instead, the same reaches Claude on the
// sets of docs/benchmarks.md.
const oddsOfSimilar = 6

// compareWords sets how far candidates have words like those of the prompt, and with it the
// relevance, where that can matter. The feature is fitted for memories that the vectors know.
func (r *Recall) compareWords(t *retrieval, floor float64) {
	least := floor / (floor + oddsOfSimilar*(1-floor))
	best := slices.DeleteFunc(slices.Clone(t.found), func(c *candidate) bool { return !c.embedded || c.relevance < least })
	if len(best) > mostCompared && !t.req.All {
		sortByRelevance(best)
		best = best[:mostCompared]
	}
	if len(best) == 0 {
		return
	}
	s := newSimilarWords(t.scorer.q)
	if s == nil {
		return
	}
	for _, c := range best {
		if list := r.wordsOf(s.model, c); list != nil {
			s.compare(&t.scorer, c, list)
			c.relevance = t.relevance(c)
		}
	}
}

// compare sets featSimilar of a candidate that has these words.
func (s *similarWords) compare(of *scorer, c *candidate, list *wordList) {
	s.comparison.With(list.words)
	cosines := s.cosines[:len(list.words)]
	sum := 0.0
	for word, i := range s.clauses {
		if c.met[i] >= 1 || len(cosines) == 0 {
			continue
		}
		s.comparison.Cosines(cosines, word)
		sum += max(0, likeness(slices.Max(cosines), len(cosines))-c.met[i]) * of.q.clauses[i].worth()
	}
	c.features[featSimilar] = ratio(sum, of.total)
}
