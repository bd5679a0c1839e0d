package embedding

import (
	"math"
	"slices"
)

// temperature divides cosines before the softmax.
const temperature = 0.05

// A contrast computes the loss over a batch: each query must find its body among all bodies, and each
// body its query among all queries (InfoNCE).
type contrast struct {
	size            int
	logits, flipped []float32 // size×size: queries by bodies, and its transpose
	rowSum, colSum  []float64
	panel           []float32
	lexical         float64   // weight of BM25 in the logits
	bonus           []float32 // lexical × BM25, size×size
}

func newContrast(size, dims int) *contrast {
	return &contrast{
		size: size, logits: make([]float32, size*size), bonus: make([]float32, size*size), flipped: make([]float32, size*size),
		rowSum: make([]float64, size), colSum: make([]float64, size),
		panel: make([]float32, max(size, dims)*panelWidth),
	}
}

// run computes the loss of a batch, in nats per pair, and the gradients of its vectors.
func (c *contrast) run(b *batch) float64 {
	queries, bodies := b.queries(b.vectors), b.bodies(b.vectors)
	multiplyTransposed(c.logits, queries, bodies, c.panel, c.size, b.dims, c.size)
	if c.lexical > 0 {
		b.lexical(c.bonus, c.lexical)
	}
	loss := c.softmax(b.pairs)
	multiply(b.queries(b.grads), c.logits, bodies, c.panel, c.size, c.size, b.dims)
	transpose(c.flipped, c.logits, c.size)
	multiply(b.bodies(b.grads), c.flipped, queries, c.panel, c.size, c.size, b.dims)
	return loss
}

// softmax replaces cosines by the derivatives of the loss with respect to them.
func (c *contrast) softmax(pairs []pair) float64 {
	c.exponentiate(pairs)
	loss := 0.0
	for i := range c.size {
		own := float64(c.logits[i*c.size+i])
		loss -= math.Log(own/c.rowSum[i]) + math.Log(own/c.colSum[i])
	}
	scale := 1 / (2 * temperature * float64(c.size))
	for i := range c.size {
		row := c.logits[i*c.size:][:c.size]
		byRow := scale / c.rowSum[i]
		for j, e := range row {
			row[j] = float32(float64(e) * (byRow + scale/c.colSum[j]))
		}
		row[i] -= float32(2 * scale)
	}
	return loss / float64(2*c.size)
}

// exponentiate replaces cosines by exponentials and adds them up by row and by column. It does not
// compare two pairs of one entry.
func (c *contrast) exponentiate(pairs []pair) {
	shift := float32(0)
	if c.lexical > 0 {
		shift = slices.Max(c.bonus)
	}
	clear(c.rowSum)
	clear(c.colSum)
	for i := range c.size {
		row := c.logits[i*c.size:][:c.size]
		if c.lexical > 0 {
			addScaled(row, c.bonus[i*c.size:][:c.size], temperature)
		}
		exponentials(row, 1/temperature, 1/temperature+shift)
		for j, e := range row {
			if i != j && pairs[i].entry == pairs[j].entry {
				row[j] = 0
				continue
			}
			c.rowSum[i] += float64(e)
			c.colSum[j] += float64(e)
		}
	}
}
