package relevance

import (
	"hash/maphash"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"recollect/internal/index/embed/builtin"
	"recollect/internal/memory"
	"recollect/internal/recall/terms"
)

// The vectors of a prompt and of a memory hold all their words at once. So the best candidates are
// also compared by parts: a prompt that says "clear" asks for a memory that says "unset", and one
// about a detail for a memory of which some lines are about nothing else.

const (
	maxSimilar  = 64      // words of a memory that are compared
	maxWindows  = 24      // windows of it
	maxCompared = 4 << 10 // of its text, in bytes
	maxAsked    = 32      // words of a prompt

)

// Of n words that have nothing to do with another, the nearest has a cosine of about
// chanceCosine × √(2 ln n), as the largest of n normal deviates does (Gumbel, 1958). What is
// beyond that tells how like a word it is.
const chanceCosine = 0.12

// likenessOf returns how far a word is like the nearest of n, in [0, 1].
func likenessOf(cosine float64, n int) float64 {
	least := chanceCosine * math.Sqrt(2*math.Log(float64(2+n)))
	return max(0, min(1, (cosine-least)/(1-least)))
}

// partsSeed chooses the sets of PartsCache.
var partsSeed = maphash.MakeSeed()

// A PartsCache holds the parts of 2,048 memories that were compared last, because to make them takes
// longer than to compare them: some two kilobytes each, at most seven. Those of a memory are in one
// of the four places of its set. The zero value is empty. It is safe for concurrent use.
type PartsCache [512][4]atomic.Pointer[Parts]

// The Parts of a memory are its words and windows.
type Parts struct {
	id      string
	line    [2]int64 // see store.Where
	words   []builtin.Word
	windows builtin.Windows
}

// PartsOf returns the parts of the memory id, whose text, which stands at a line of the store, is only asked for if
// it has not been compared lately. It is nil where there is no text.
func (c *Comparison) PartsOf(id string, line [2]int64, text func() (string, bool)) *Parts {
	slot := c.cache.slotOf(id)
	if kept := slot.Load(); kept != nil && kept.id == id && kept.line == line {
		return kept
	}
	whole, ok := text()
	if !ok {
		return nil
	}
	whole = memory.Clip(whole, maxCompared)
	p := &Parts{id, line, c.model.WordsOf(whole, maxSimilar), c.model.WindowsOf(whole, maxWindows)}
	slot.Store(p)
	return p
}

// slotOf returns the place where the parts of a memory are, or where they shall be: an empty one, else
// any.
func (p *PartsCache) slotOf(id string) *atomic.Pointer[Parts] {
	set := &p[maphash.String(partsSeed, id)%uint64(len(p))]
	free := rand.IntN(len(set))
	for i := range set {
		switch kept := set[i].Load(); {
		case kept == nil:
			free = i
		case kept.id == id:
			return &set[i]
		}
	}
	return &set[free]
}

// Forget drops all parts.
func (p *PartsCache) Forget() {
	for i := range p {
		for k := range p[i] {
			p[i][k].Store(nil)
		}
	}
}

// A Comparison compares a prompt with memories by their parts.
type Comparison struct {
	scorer  *Scorer
	spread  *Spread
	cache   *PartsCache
	model   *builtin.Model
	words   *builtin.Comparison // nil for a prompt without words that can be compared
	clauses []int               // of each of its words
	cosines []float64
	window  *builtin.Query // nil for vectors of another model
}

// NewComparison prepares what is compared of a prompt. vector is the prompt's own, of an embedder of this
// version, nil for none; spread tells how its cosines lie. Parts of memories are held in cache.
func NewComparison(s *Scorer, vector []float32, version string, spread *Spread, cache *PartsCache) (*Comparison, error) {
	m, err := builtin.Load()
	if err != nil {
		return nil, err
	}
	c := &Comparison{scorer: s, spread: spread, cache: cache, model: m, cosines: make([]float64, maxSimilar)}
	c.prepareWords(s.q)
	if vector != nil && version == m.Version() {
		if c.window, err = builtin.NewQuery(vector); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// SetParts sets the features that tell how far parts of a memory are like the prompt.
func (c *Comparison) SetParts(e *Evidence, p *Parts) {
	e.Features[Similar] = c.similarOf(e, p.words)
	e.Features[Window] = c.windowOf(e, &p.windows)
}

func (c *Comparison) prepareWords(q *terms.Query) {
	var words []builtin.Word
	for i := range q.Clauses {
		clause := &q.Clauses[i]
		if clause.Whole || clause.Evidence || len(words) == maxAsked {
			continue
		}
		if w := c.model.WordsOf(clause.Surface, 2); len(w) == 1 {
			words, c.clauses = append(words, w[0]), append(c.clauses, i)
		}
	}
	if len(words) > 0 {
		c.words = c.model.NewComparison(words)
	}
}

// similarOf returns featSimilar of a candidate that has these words.
func (c *Comparison) similarOf(e *Evidence, words []builtin.Word) float64 {
	if c.words == nil || len(words) == 0 {
		return 0
	}
	c.words.With(words)
	cosines := c.cosines[:len(words)]
	sum := 0.0
	for word, i := range c.clauses {
		if e.Met[i] >= 1 {
			continue
		}
		c.words.Cosines(cosines, word)
		sum += max(0, likenessOf(slices.Max(cosines), len(cosines))-e.Met[i]) * c.scorer.q.Clauses[i].Worth()
	}
	return Ratio(sum, c.scorer.total)
}

// maxWindow limits featWindow: what stands out by three standard deviations more than by chance is
// as good as what stands out further.
const maxWindow = 0.5

// windowOf returns featWindow of a candidate that has these windows. Of n that are equally far from
// the prompt, the nearest is √(2 ln n) standard deviations nearer by chance. A turn's windows count
// like its vector, for what its session's other turns leave; and the more words a prompt has, the
// less one window can be all that it is about.
func (c *Comparison) windowOf(e *Evidence, windows *builtin.Windows) float64 {
	if c.window == nil || windows.Len() == 0 {
		return 0
	}
	best, mean := c.window.Nearest(windows)
	out := c.spread.Distance(best) - c.spread.Distance(mean) - c.spread.known()*math.Sqrt(2*math.Log(float64(windows.Len())))
	return (1 - e.others) * (1 - e.Features[Length]) * max(-1, min(maxWindow, out/6))
}
