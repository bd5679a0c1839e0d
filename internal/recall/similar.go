package recall

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

// partsSeed chooses the sets of memoryParts.
var partsSeed = maphash.MakeSeed()

// memoryParts holds the parts of 2,048 memories that were compared last, because to make them takes
// longer than to compare them: some two kilobytes each, at most seven. Those of a memory are in one
// of the four places of its set. The zero value is empty. It is safe for concurrent use.
type memoryParts [512][4]atomic.Pointer[parts]

// The parts of a memory are its words and windows.
type parts struct {
	id      string
	line    [2]int64 // see store.Where
	words   []builtin.Word
	windows builtin.Windows
}

// partsOf returns the parts of a candidate, or nil if its memory cannot be read.
func (r *Recall) partsOf(m *builtin.Model, c *candidate) *parts {
	slot := r.parts.slot(c.id)
	if kept := slot.Load(); kept != nil && kept.id == c.id && kept.line == c.made.Line {
		return kept
	}
	if !r.readMemory(c) {
		return nil
	}
	text := memory.Clip(passage(c.memory), maxCompared)
	p := &parts{c.id, c.made.Line, m.WordsOf(text, maxSimilar), m.WindowsOf(text, maxWindows)}
	slot.Store(p)
	return p
}

// slot returns the place where the parts of a memory are, or where they shall be: an empty one, else
// any.
func (p *memoryParts) slot(id string) *atomic.Pointer[parts] {
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

// forget drops all parts.
func (p *memoryParts) forget() {
	for i := range p {
		for k := range p[i] {
			p[i][k].Store(nil)
		}
	}
}

// A comparison compares a prompt with memories by their parts.
type comparison struct {
	model   *builtin.Model
	words   *builtin.Comparison // nil for a prompt without words that can be compared
	clauses []int               // of each of its words
	cosines []float64
	window  *builtin.Query // nil for vectors of another model
}

// newComparison prepares what is compared of a prompt.
func (t *candidates) newComparison() (*comparison, error) {
	m, err := builtin.Load()
	if err != nil {
		return nil, err
	}
	c := &comparison{model: m, cosines: make([]float64, maxSimilar)}
	c.prepareWords(&t.Query)
	if from := t.meaning.from; from != nil && from.Embedder.Version() == m.Version() {
		if c.window, err = builtin.NewQuery(t.meaning.query); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *comparison) prepareWords(q *terms.Query) {
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

// What is below the floor even with so many times the odds is not compared, because that takes time.
// Few memories gain more by their parts: with 20 instead, the same reaches Claude on the sets of
// docs/benchmarks.md.
const oddsOfParts = 6

// compareParts sets how far parts of candidates are like the prompt, and with it the relevance,
// where that can matter. The features are fitted for memories that the vectors know.
func (r *Recall) compareParts(t *candidates, scored []*candidate) error {
	floor := t.floor()
	least := floor / (floor + oddsOfParts*(1-floor))
	best := slices.DeleteFunc(slices.Clone(scored), func(c *candidate) bool { return !c.embedded || c.relevance < least })
	if len(best) > mostCompared && !t.all {
		sortByRelevance(best)
		best = best[:mostCompared]
	}
	if len(best) == 0 {
		return nil
	}
	with, err := t.newComparison()
	if err != nil {
		return err
	}
	for _, c := range best {
		if p := r.partsOf(with.model, c); p != nil {
			c.features[featSimilar] = with.similar(&t.scorer, c, p.words)
			c.features[featWindow] = with.nearest(&t.meaning, c, &p.windows)
			c.relevance = t.relevanceOf(c)
		}
	}
	return nil
}

// similar returns featSimilar of a candidate that has these words.
func (c *comparison) similar(of *scorer, found *candidate, words []builtin.Word) float64 {
	if c.words == nil || len(words) == 0 {
		return 0
	}
	c.words.With(words)
	cosines := c.cosines[:len(words)]
	sum := 0.0
	for word, i := range c.clauses {
		if found.met[i] >= 1 {
			continue
		}
		c.words.Cosines(cosines, word)
		sum += max(0, likeness(slices.Max(cosines), len(cosines))-found.met[i]) * of.q.Clauses[i].Worth()
	}
	return ratio(sum, of.total)
}

// maxWindow limits featWindow: what stands out by three standard deviations more than by chance is
// as good as what stands out further.
const maxWindow = 0.5

// nearest returns featWindow of a candidate that has these windows. Of n that are equally far from
// the prompt, the nearest is √(2 ln n) standard deviations nearer by chance. A turn's windows count
// like its vector, for what its session's other turns leave; and the more words a prompt has, the
// less one window can be all that it is about.
func (c *comparison) nearest(of *meaning, found *candidate, windows *builtin.Windows) float64 {
	if c.window == nil || windows.Len() == 0 {
		return 0
	}
	best, mean := c.window.Nearest(windows)
	out := of.distance(best) - of.distance(mean) - of.known()*math.Sqrt(2*math.Log(float64(windows.Len())))
	return (1 - found.others) * (1 - found.features[featLength]) * max(-1, min(maxWindow, out/6))
}
