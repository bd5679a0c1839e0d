package builtin

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// The file, little-endian:
//
//	 0  magic
//	 8  version of the format, dimensions, words, buckets: uint32 each
//	24  SHA-256 of the rest of the file
//	56  the weight of each row, a uint16
//	 …  each row: dims/2 bytes, 4 bits a dimension, see pack
//	 …  each word, after a byte with its length
//
// Rows are in the order of the words, the most frequent first, followed by those of the n-gram buckets.
const (
	magic         = "rclembed"
	formatVersion = 2
	hashStart     = 24
	hashEnd       = hashStart + sha256.Size
	headerSize    = hashEnd
)

// Limits that keep a damaged file from demanding much memory.
const (
	maxDims  = 1024
	maxTable = 1 << 22 // rows
)

type header struct{ dims, words, buckets int }

func readHeader(data []byte) (header, error) {
	if len(data) < headerSize || string(data[:len(magic)]) != magic {
		return header{}, errors.New("not a model of recollect")
	}
	field := func(i int) int { return int(binary.LittleEndian.Uint32(data[len(magic)+4*i:])) }
	h := header{dims: field(1), words: field(2), buckets: field(3)}
	if v := field(0); v != formatVersion {
		return h, fmt.Errorf("format %d, this build reads %d", v, formatVersion)
	}
	if h.dims < 16 || h.dims > maxDims || h.dims%16 != 0 {
		return h, fmt.Errorf("%d dimensions, want a multiple of 16 up to %d", h.dims, maxDims)
	}
	if h.words > maxTable || h.buckets < 1 || h.buckets > maxTable {
		return h, fmt.Errorf("%d words and %d buckets, want at most %d", h.words, h.buckets, maxTable)
	}
	if need := headerSize + (h.words+h.buckets)*(2+h.dims/2); len(data) < need {
		return h, fmt.Errorf("%d bytes, its header promises at least %d", len(data), need)
	}
	return h, nil
}

// checkWords reports whether a block holds exactly n words.
func checkWords(block []byte, n int) error {
	pos := 0
	for i := range n {
		if pos >= len(block) {
			return fmt.Errorf("ends at word %d of %d", i, n)
		}
		pos += 1 + int(block[pos])
	}
	if pos != len(block) {
		return fmt.Errorf("the words end at byte %d of %d", pos, len(block))
	}
	return nil
}

// Encode encodes a model: a row of dims float32 for each word, the most frequent first, then one for each
// n-gram bucket. dims must be a multiple of 16, and words are at most 255 bytes long.
func Encode(words []string, buckets, dims int, rows []float32) []byte {
	n := len(words) + buckets
	packed := make([]byte, n*dims/2)
	steps := make([]float32, n)
	for i := range steps {
		steps[i] = pack(packed[i*dims/2:][:dims/2], rows[i*dims:][:dims])
	}
	out := make([]byte, headerSize, headerSize+n*(2+dims/2))
	copy(out, magic)
	for i, field := range []int{formatVersion, dims, len(words), buckets} {
		binary.LittleEndian.PutUint32(out[len(magic)+4*i:], uint32(field))
	}
	largest := slices.Max(steps)
	for _, step := range steps {
		out = binary.LittleEndian.AppendUint16(out, uint16(math.Round(float64(step/largest*fullWeight))))
	}
	out = append(append(out, packed...), wordBlock(words)...)
	sum := sha256.Sum256(out[hashEnd:])
	copy(out[hashStart:], sum[:])
	return out
}
