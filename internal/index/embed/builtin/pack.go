package builtin

import (
	"encoding/binary"
	"math"
)

// A row has 4-bit numbers from -7 to 7 and a 14-bit weight that multiplies them. Byte i has dimension 2i
// in its lower half and 2i+1 in its upper half. Only directions matter, so weights have no unit.
const (
	zero       = 8
	level      = 7
	fullWeight = 1<<14 - 1
)

// clips are the fractions of a row's largest number that pack tries as its range. Clipping a rare peak
// makes all other steps finer.
var clips = [...]float32{1, 0.9, 0.8, 0.7, 0.6, 0.5}

// pack writes a row's numbers and returns the step size with the least squared
// error.
func pack(dst []byte, row []float32) float32 {
	var peak float32
	for _, x := range row {
		peak = max(peak, x, -x)
	}
	best, bestLoss := float32(0), float32(math.Inf(1))
	for _, clip := range clips {
		step := clip * peak / level
		if loss := packLoss(row, step); loss < bestLoss {
			best, bestLoss = step, loss
		}
	}
	for i := range dst {
		dst[i] = byte(quantise(row[2*i], best)+zero) | byte(quantise(row[2*i+1], best)+zero)<<4
	}
	return best
}

func packLoss(row []float32, step float32) float32 {
	var loss float32
	for _, x := range row {
		d := x - step*float32(quantise(x, step))
		loss += d * d
	}
	return loss
}

func quantise(x, step float32) int {
	if step == 0 {
		return 0
	}
	q := math.RoundToEven(float64(x / step))
	return int(max(-level, min(level, q)))
}

// An accumulator adds up to maxRows rows in integers: a 64-bit word contains two dimensions, 8 apart, in
// 32 bits each. Multiplying whole words is three times as fast as multiplying single numbers.
type accumulator struct {
	sum     [maxDims / 2]uint64
	weights uint64 // sum over all rows
	rows    int
}

// maxRows is the number of rows that a text may use: one for a known word, one for each n-gram of an
// unknown word. With it the longest prompt takes at most half a millisecond, and the sum of 4-bit numbers
// times 14-bit weights stays below 32 bits.
const maxRows = 6000

// lanes selects the lowest 4 bits of both halves of a word.
const lanes = 0x0000000f_0000000f

func (a *accumulator) add(packed []byte, weight uint64) {
	a.weights += weight
	a.rows++
	sum := a.sum[:]
	for len(packed) >= 8 && len(sum) >= 8 {
		x, s := binary.LittleEndian.Uint64(packed), (*[8]uint64)(sum)
		s[0] += (x & lanes) * weight
		s[1] += (x >> 4 & lanes) * weight
		s[2] += (x >> 8 & lanes) * weight
		s[3] += (x >> 12 & lanes) * weight
		s[4] += (x >> 16 & lanes) * weight
		s[5] += (x >> 20 & lanes) * weight
		s[6] += (x >> 24 & lanes) * weight
		s[7] += (x >> 28 & lanes) * weight
		packed, sum = packed[8:], sum[8:]
	}
}

// write writes the sum to a vector.
func (a *accumulator) write(dst []float32) {
	offset := int64(a.weights * zero)
	for i := range dst {
		pair := a.sum[i/16*8+i%8]
		if i%16 >= 8 {
			pair >>= 32
		}
		dst[i] = float32(int64(pair&math.MaxUint32) - offset)
	}
}
