package builtin

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"sync"
)

//go:embed model.bin
var modelFile []byte

// Model is a static embedding model. It is safe for concurrent use.
type Model struct {
	id      string
	dims    int
	buckets int
	vocab   *Vocabulary
	weights []byte // a uint16 for each row: words by rank, then buckets
	rows    []byte // dims/2 bytes a row, see pack
}

// Load returns the model that is linked into the executable, which it reads once.
func Load() (*Model, error) { return load() }

var load = sync.OnceValues(func() (*Model, error) {
	m, err := parse(modelFile)
	if err != nil {
		return nil, fmt.Errorf("load built-in model: %w", err)
	}
	return m, nil
})

// Parse reads a model that Encode wrote. It retains data, which must not change afterwards.
func Parse(data []byte) (*Model, error) {
	m, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("parse model: %w", err)
	}
	if sum := sha256.Sum256(data[hashEnd:]); !bytes.Equal(sum[:], data[hashStart:hashEnd]) {
		return nil, errors.New("parse model: its content does not match its hash")
	}
	return m, nil
}

func parse(data []byte) (*Model, error) {
	h, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	rows := h.words + h.buckets
	m := &Model{
		id:      hex.EncodeToString(data[hashStart : hashStart+6]),
		dims:    h.dims,
		buckets: h.buckets,
	}
	rest := data[headerSize:]
	m.weights, rest = rest[:2*rows], rest[2*rows:]
	m.rows, rest = rest[:rows*h.dims/2], rest[rows*h.dims/2:]
	if err := checkWords(rest, h.words); err != nil {
		return nil, err
	}
	m.vocab = newVocabulary(rest, h.words)
	return m, nil
}

// Version names the vector space: "builtin-" and 12 digits of the hash of the
// model's content. Vectors of different versions cannot be compared.
func (m *Model) Version() string { return "builtin-" + m.id }

// Words returns the number of words in the vocabulary.
func (m *Model) Words() int { return m.vocab.Len() }

// Rank returns the number of words in the vocabulary that are more frequent than word, or -1 if it is not
// in the vocabulary. word must be in lower case.
func (m *Model) Rank(word string) int { return m.vocab.Find([]byte(word)) }

// Dims returns the number of dimensions of a vector.
func (m *Model) Dims() int { return m.dims }

// Embed writes the unit vector of a text to dst, which has room for Dims numbers. If the text has no
// letter or digit, it writes zeros and returns false. It uses only the beginning of a very long text, see
// maxRows.
func (m *Model) Embed(dst []float32, text string) bool {
	var sum accumulator
	var s Scanner
	s.Reset(text, m.vocab)
	for token := s.Next(); token != nil && sum.rows < maxRows; token = s.Next() {
		m.addToken(&sum, token)
	}
	dst = dst[:m.dims]
	sum.write(dst)
	return normalise(dst)
}

func (m *Model) addToken(sum *accumulator, token []byte) {
	if word := m.vocab.Find(token); word >= 0 {
		sum.add(m.row(word), m.weight(word))
	} else {
		m.addUnknown(sum, token)
	}
}

func (m *Model) addUnknown(sum *accumulator, word []byte) {
	var grams [maxGrams]uint32
	buckets := Grams(grams[:0], word, m.buckets)
	scale := GramScale(len(buckets))
	for _, bucket := range buckets {
		row := m.vocab.Len() + int(bucket)
		sum.add(m.row(row), uint64(float32(m.weight(row))*scale))
	}
}

func (m *Model) row(i int) []byte { return m.rows[i*m.dims/2:][:m.dims/2] }

func (m *Model) weight(i int) uint64 { return uint64(binary.LittleEndian.Uint16(m.weights[2*i:])) }

// normalise scales a vector to length 1; it returns false for a vector of
// zeros.
func normalise(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return false
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return true
}
