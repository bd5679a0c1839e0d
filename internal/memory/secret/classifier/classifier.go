// Package classifier finds secrets by the words around them and by their own form, where no rule
// knows the place: in what people write of a password, in answers to a prompt, in tables.
//
// A text is cut into pieces, and a logistic regression over what is observed of a piece, or of a
// phrase of several, gives the probability that it is a secret. Its weights come from written texts with and without
// secrets (package train, scripts/train secrets).
package classifier

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
)

// A Span is a part of a text.
type Span struct {
	Start, End int // in bytes
}

// likely is the probability from which on a piece is taken for a secret. It was chosen on texts
// that were held back.
const likely = 0.45

// Marker begins what stands in the place of a secret that was found.
const Marker = "[secret:"

// Find returns what is probably a secret in text. Around a Marker it finds nothing, so that
// what it found once stays as it is.
func Find(text string) []Span { return stored().Find(text, likely) }

// Weights is the number of weights. Features share them by their hash.
const Weights = 1 << 21

// Scale is what a weight of 1 is stored as. Finer steps find no more secrets.
const Scale = 6

//go:embed weights.bin
var packed []byte

// stored are the weights of weights.bin. Most are 0, so that they are packed to a fifth.
var stored = sync.OnceValue(func() Model {
	weights := make([]byte, Weights)
	if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(packed)), weights); err != nil {
		panic(fmt.Sprintf("unpack weights.bin: %v", err)) // it is part of the program
	}
	return Model(weights)
})

// A Model holds the weights, a signed byte each.
type Model string

// Find is the function Find with other weights, and for another least probability.
func (m Model) Find(text string, least float64) []Span {
	var out []Span
	var observed []Feature
	for _, r := range findRegions(text) {
		if strings.Contains(text[r.Start:r.End], Marker) {
			continue
		}
		v := NewView(text[r.Start:r.End])
		last := -1 // the last piece of the last secret
		for c := range v.Candidates() {
			if c.First <= last {
				continue
			}
			observed = v.Observe(c, observed[:0])
			if m.probability(observed) >= least {
				last = c.Last
				v.Record(c, true)
				s := v.Span(c)
				out = append(out, Span{r.Start + s.Start, r.Start + s.End})
			}
		}
	}
	return out
}

// probability returns the probability that a piece of which features were observed is a secret.
func (m Model) probability(observed []Feature) float64 {
	sum := 0
	for _, f := range observed {
		sum += int(int8(m[f.Weight()]))
	}
	return 1 / (1 + math.Exp(-float64(sum)/Scale))
}
