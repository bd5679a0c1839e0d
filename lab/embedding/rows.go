package embedding

import (
	"math"
	"math/rand/v2"

	"recollect/internal/index/embed/builtin"
)

// rows are the parameters that are learned: a row for each word and for each n-gram bucket. In the model,
// the row of a word is the sum of its own row and those of its n-grams, times the word's weight, so that
// rare words learn from related ones. An unknown word has only its n-grams.
type rows struct {
	dims   int
	lib    *library
	weight []float32 // weight of each known word
	own    adam
	gram   adam
}

// Initial lengths of rows. Their directions are random, so that before training the cosine says how many
// words two texts share.
const (
	ownLength  = 0.8
	gramLength = 0.6
)

// rarity is the constant a in the weight a/(a+p) of a word whose share of the text is p (smooth inverse
// frequency, Arora et al. 2017).
const rarity = 3e-4

// rowsStream separates the random numbers of the initial rows from those of the stages.
const rowsStream = 1 << 32

func newRows(lib *library, shares []float64, dims int, seed uint64) *rows {
	rng := rand.New(rand.NewPCG(seed, rowsStream))
	r := &rows{
		dims: dims, lib: lib,
		own:  newAdam(lib.words(), dims, ownLength, rng),
		gram: newAdam(lib.buckets, dims, gramLength, rng),
	}
	for _, p := range shares {
		r.weight = append(r.weight, float32(rarity/(rarity+p)))
	}
	return r
}

// gramsOnly marks a known word that is treated as unknown, so that the n-grams of common words are
// learned too.
const gramsOnly = 1 << 31

// compose computes the row of a token.
func (r *rows) compose(dst []float32, token uint32) {
	grams := r.lib.gramsOf(token &^ gramsOnly)
	gather(dst, r.gram.rows, grams)
	scale(dst, builtin.GramScale(len(grams)))
	if token < uint32(r.lib.words()) {
		addScaled(dst, r.own.row(token), 1)
		scale(dst, r.weight[token])
	}
}

// spread distributes the gradient of a token's row to the rows that compose it.
func (r *rows) spread(token uint32, gradient []float32) {
	weight := float32(1)
	if token < uint32(r.lib.words()) {
		weight = r.weight[token]
		addScaled(r.own.gradient(token), gradient, weight)
	}
	grams := r.lib.gramsOf(token &^ gramsOnly)
	weight *= builtin.GramScale(len(grams))
	for _, g := range grams {
		addScaled(r.gram.gradient(g), gradient, weight)
	}
}

// resetMoments clears Adam's moments.
func (r *rows) resetMoments() {
	r.own.resetMoments()
	r.gram.resetMoments()
}

// step applies all gradients.
func (r *rows) step(rate float32) {
	r.own.step(rate)
	r.gram.step(rate)
}

// table returns the rows of the model: first words, then buckets.
func (r *rows) table() []float32 {
	words := r.lib.words()
	out := make([]float32, (words+r.lib.buckets)*r.dims)
	for w := range words {
		r.compose(out[w*r.dims:][:r.dims], uint32(w))
	}
	copy(out[words*r.dims:], r.gram.rows)
	return out
}

// An adam moves rows along their gradients (Kingma and Ba 2015). It leaves rows without a gradient and
// their moments unchanged.
type adam struct {
	dims         int
	rows         []float32
	mean, square []float32
	gradients    []float32
	touched      []uint32
	isTouched    []bool
	steps        int
}

const (
	keepMean   = 0.9
	keepSquare = 0.99
	adamFloor  = 1e-8
)

func newAdam(n, dims int, length float64, rng *rand.Rand) adam {
	a := adam{dims: dims, rows: make([]float32, n*dims), isTouched: make([]bool, n)}
	a.mean, a.square, a.gradients = make([]float32, n*dims), make([]float32, n*dims), make([]float32, n*dims)
	scale := length / math.Sqrt(float64(dims))
	for i := range a.rows {
		a.rows[i] = float32(rng.NormFloat64() * scale)
	}
	return a
}

func (a *adam) resetMoments() {
	clear(a.mean)
	clear(a.square)
	a.steps = 0
}

func (a *adam) row(i uint32) []float32 { return a.rows[int(i)*a.dims:][:a.dims] }

// gradient returns the row to which the caller adds a gradient.
func (a *adam) gradient(i uint32) []float32 {
	if !a.isTouched[i] {
		a.isTouched[i] = true
		a.touched = append(a.touched, i)
	}
	return a.gradients[int(i)*a.dims:][:a.dims]
}

// stepSizes are the constants of one step, including the correction of the moments' bias.
type stepSizes struct {
	keepMean, newMean     float32
	keepSquare, newSquare float32
	rate, floor           float32
}

func (a *adam) step(rate float32) {
	a.steps++
	bias := math.Sqrt(1-math.Pow(keepSquare, float64(a.steps))) / (1 - math.Pow(keepMean, float64(a.steps)))
	s := stepSizes{
		keepMean: keepMean, newMean: 1 - keepMean,
		keepSquare: keepSquare, newSquare: 1 - keepSquare,
		rate: rate * float32(bias), floor: adamFloor,
	}
	for _, i := range a.touched {
		at := int(i) * a.dims
		gradient := a.gradients[at:][:a.dims]
		adamStep(a.rows[at:][:a.dims], a.mean[at:][:a.dims], a.square[at:][:a.dims], gradient, s)
		clear(gradient)
		a.isTouched[i] = false
	}
	a.touched = a.touched[:0]
}
