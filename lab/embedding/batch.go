package embedding

import (
	"math"
	"math/rand/v2"
)

const (
	// tokenDropout is the probability of leaving out a token of a text.
	tokenDropout = 0.1
	// maskedWords is the share of the words common to a query and its body that a masked query loses.
	maskedWords = 0.7
	// asUnknown is the probability of treating a known word as unknown.
	asUnknown = 0.04
)

// A batch computes the vectors of several pairs and propagates gradients to rows. Texts are numbered:
// first the queries, then the bodies.
type batch struct {
	size, dims int
	lib        *library
	rng        *rand.Rand
	mask       float64 // share of the queries that lose shared words

	pairs  []pair
	tokens []uint32 // the batch's distinct tokens, by slot
	slotOf []int32  // slots by token; -1 for tokens outside the batch
	slots  []uint32 // slots of all texts, one text after the other
	ends   []int    // ends of the texts in slots
	shared []uint32 // by token: the last pair whose body has it
	users  []uint32 // texts that contain each slot, one slot after the other
	first  []uint32 // beginnings of the slots in users, and the end

	rows           []float32 // by slot
	vectors, grads []float32 // by text; vectors have length 1
	lengths        []float32 // lengths of the vectors before scaling
}

func newBatch(lib *library, size, dims int, rng *rand.Rand) *batch {
	known, all := lib.words(), len(lib.gramEnd)
	b := &batch{
		size: size, dims: dims, lib: lib, rng: rng,
		pairs: make([]pair, size), slotOf: make([]int32, all+known), shared: make([]uint32, all),
		vectors: make([]float32, 2*size*dims), grads: make([]float32, 2*size*dims), lengths: make([]float32, 2*size),
	}
	for i := range b.slotOf {
		b.slotOf[i] = -1
	}
	return b
}

// place returns the index of a token's slot. A word that is treated as unknown has its own place after
// all others.
func (b *batch) place(token uint32) int {
	if token&gramsOnly != 0 {
		return len(b.lib.gramEnd) + int(token&^gramsOnly)
	}
	return int(token)
}

// prepare reads the tokens of the pairs and leaves out some at random.
func (b *batch) prepare() {
	for _, t := range b.tokens {
		b.slotOf[b.place(t)] = -1
	}
	b.tokens, b.slots, b.ends = b.tokens[:0], b.slots[:0], b.ends[:0]
	clear(b.shared)
	for i := range b.pairs {
		b.addQuery(uint32(i+1), &b.pairs[i])
	}
	for i := range b.pairs {
		b.addText(b.pairs[i].body, func(uint32) bool { return b.rng.Float64() < tokenDropout })
	}
	b.invert()
}

func (b *batch) addQuery(number uint32, p *pair) {
	masked := b.rng.Float64() < b.mask
	if masked {
		for _, t := range p.body {
			b.shared[t] = number
		}
	}
	b.addText(p.query, func(t uint32) bool {
		return masked && b.shared[t] == number && b.rng.Float64() < maskedWords || b.rng.Float64() < tokenDropout
	})
}

// addText adds the tokens of a text for which drop returns false, or the whole text if it returns true
// for all.
func (b *batch) addText(tokens []uint32, drop func(uint32) bool) {
	before := len(b.slots)
	for _, t := range tokens {
		if !drop(t) {
			b.addToken(t)
		}
	}
	if len(b.slots) == before {
		for _, t := range tokens {
			b.addToken(t)
		}
	}
	b.ends = append(b.ends, len(b.slots))
}

func (b *batch) addToken(t uint32) {
	if t < uint32(b.lib.words()) && b.rng.Float64() < asUnknown {
		t |= gramsOnly
	}
	at := b.place(t)
	if b.slotOf[at] < 0 {
		b.slotOf[at] = int32(len(b.tokens))
		b.tokens = append(b.tokens, t)
	}
	b.slots = append(b.slots, uint32(b.slotOf[at]))
}

// embed computes the vectors of all texts.
func (b *batch) embed(r *rows) {
	b.rows = resize(b.rows, len(b.tokens)*b.dims)
	for i, t := range b.tokens {
		r.compose(b.rows[i*b.dims:][:b.dims], t)
	}
	from := 0
	for i, end := range b.ends {
		v := b.vectors[i*b.dims:][:b.dims]
		gather(v, b.rows, b.slots[from:end])
		b.lengths[i] = normalise(v)
		from = end
	}
}

// backward propagates the gradients of the vectors to the rows.
func (b *batch) backward(r *rows) {
	for i := range b.ends {
		g, v := b.grads[i*b.dims:][:b.dims], b.vectors[i*b.dims:][:b.dims]
		// The component of a gradient along a unit vector cannot change the vector.
		addScaled(g, v, -dot(g, v))
		scale(g, 1/b.lengths[i])
	}
	gradient := make([]float32, b.dims)
	for i, t := range b.tokens {
		gather(gradient, b.grads, b.users[b.first[i]:b.first[i+1]])
		r.spread(t, gradient)
	}
}

// invert lists the texts of each slot.
func (b *batch) invert() {
	b.first = resize(b.first, len(b.tokens)+1)
	clear(b.first)
	for _, slot := range b.slots {
		b.first[slot]++
	}
	sum := uint32(0)
	for i, n := range b.first {
		sum += n
		b.first[i] = sum // the end of the slot, moved back to its beginning below
	}
	b.users = resize(b.users, len(b.slots))
	for text := len(b.ends) - 1; text >= 0; text-- {
		from := 0
		if text > 0 {
			from = b.ends[text-1]
		}
		for _, slot := range b.slots[from:b.ends[text]] {
			b.first[slot]--
			b.users[b.first[slot]] = uint32(text)
		}
	}
}

// queries and bodies return the two halves of the vectors or gradients.
func (b *batch) queries(all []float32) []float32 { return all[:b.size*b.dims] }
func (b *batch) bodies(all []float32) []float32  { return all[b.size*b.dims:] }

func resize[T any](s []T, n int) []T {
	if n > cap(s) {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

func dot(a, b []float32) float32 {
	var sum float64
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return float32(sum)
}

// normalise scales a vector to length 1 and returns its previous length. A text without tokens remains
// zero and gets an infinite length, so that it does not affect the training.
func normalise(v []float32) float32 {
	length := float32(math.Sqrt(float64(dot(v, v))))
	if length == 0 {
		return float32(math.Inf(1))
	}
	scale(v, 1/length)
	return length
}

func scale(v []float32, by float32) {
	for i := range v {
		v[i] *= by
	}
}
