// Package classifier fits the weights with which package secret/classifier recognizes secrets. It is run
// by hand, through scripts/train.
package classifier

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"recollect/internal/memory/secret/classifier"
	"recollect/internal/system/durable"
)

// Settings of the fit: stochastic gradient descent with a rate for each weight (AdaGrad; Duchi, Hazan and
// Singer, 2011) on the logistic loss.
const (
	epochs  = 6
	rate    = 0.1
	decay   = 1e-5 // L2
	copies  = 4    // copies of each written text, with other secrets
	longest = 50   // largest length in bytes of a secret that is exchanged
	leastOf = 3    // kinds of written texts, or ordinary texts, that have a feature: what fewer have tells them and not secrets
)

// An example holds the features of one candidate.
type example struct {
	observed []uint32
	secret   bool
	text     uint32 // the same for texts of one kind
}

// Fit returns the weights, one byte each, for texts with their secrets.
func Fit(texts []Text) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	examples := withoutRare(examplesOf(append(varied(texts, random), texts...)))
	weights, squares := make([]float32, classifier.Weights), make([]float32, classifier.Weights)
	for range epochs {
		random.Shuffle(len(examples), func(i, j int) { examples[i], examples[j] = examples[j], examples[i] })
		for _, e := range examples {
			var sum float32
			for _, w := range e.observed {
				sum += weights[w]
			}
			slope := float32(1 / (1 + math.Exp(-float64(sum))))
			if e.secret {
				slope--
			}
			for _, w := range e.observed {
				g := slope + decay*weights[w]
				squares[w] += g * g
				weights[w] -= rate * g / float32(math.Sqrt(float64(squares[w])+1e-6))
			}
		}
	}
	out := make([]byte, len(weights))
	for i, w := range weights {
		out[i] = byte(int8(math.RoundToEven(float64(min(max(w*classifier.Scale, -127), 127)))))
	}
	return out
}

// Write writes the weights for texts with their secrets, packed and atomically.
func Write(path string, texts []Text) error {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return err
	}
	_, err = w.Write(Fit(texts))
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	return durable.WriteFile(path, packed.Bytes(), 0o644)
}

// withoutRare removes from examples the features that the examples of fewer than leastOf texts have.
func withoutRare(examples []example) []example {
	users := make([][]uint32, classifier.Weights)
	for _, e := range examples {
		for _, w := range e.observed {
			if len(users[w]) < leastOf && !slices.Contains(users[w], e.text) {
				users[w] = append(users[w], e.text)
			}
		}
	}
	for i := range examples {
		examples[i].observed = slices.DeleteFunc(examples[i].observed, func(w uint32) bool { return len(users[w]) < leastOf })
	}
	return examples
}

// examplesOf returns the candidates in texts. It assumes that the candidates before are classified
// rightly.
func examplesOf(texts []Text) []example {
	var out []example
	for i, t := range texts {
		text := t.hash(uint32(i))
		v := classifier.NewView(t.Text)
		for i, p := range v.Pieces {
			v.Record(classifier.Candidate{First: i, Last: i}, t.secret(p.Span, false))
		}
		for c := range v.Candidates() {
			e := example{secret: t.secret(v.Span(c), c.First < c.Last), text: text}
			for _, f := range v.Observe(c, nil) {
				e.observed = append(e.observed, f.Weight())
			}
			out = append(out, e)
		}
	}
	return out
}

// secret reports whether at least half of a part of t belongs to a secret. For a part that is not a
// phrase, half of the secret is enough.
func (t Text) secret(part classifier.Span, phrase bool) bool {
	for _, s := range t.Secrets {
		common, of := min(part.End, s.End)-max(part.Start, s.Start), part.End-part.Start
		if !phrase {
			of = min(of, s.End-s.Start)
		}
		if common > 0 && 2*common >= of {
			return true
		}
	}
	return false
}

// frames are texts to put around a text.
var frames = []struct{ before, after string }{
	{"", ""}, {"\n", "\n"}, {"see below:\n", "\n\nand above"}, {"- ", ""},
}

// prefixes are texts to put before every line of a text. Those with a verb number the lines.
var prefixes = []string{"", "", "", "", "    ", "\t", "> ", "+", "-", " ", "%6d→", "%d:", "%d-", "%d\t"}

// framed returns a copy of t in a frame, with a prefix before its lines.
func (t Text) framed(random *rand.Rand) Text {
	frame, prefix, number := frames[random.IntN(len(frames))], prefixes[random.IntN(len(prefixes))], 1+random.IntN(2000)
	numbered := strings.Contains(prefix, "%")
	c := Text{Kind: t.Kind, Secrets: slices.Clone(t.Secrets)}
	var b strings.Builder
	b.WriteString(frame.before)
	at := 0
	for line := range strings.Lines(t.Text) {
		if numbered {
			fmt.Fprintf(&b, prefix, number)
			number++
		} else {
			b.WriteString(prefix)
		}
		for i, s := range t.Secrets {
			if s.Start >= at && s.Start < at+len(line) {
				c.Secrets[i] = classifier.Span{Start: b.Len() + s.Start - at, End: b.Len() + s.End - at}
			}
		}
		b.WriteString(line)
		at += len(line)
	}
	b.WriteString(frame.after)
	c.Text = b.String()
	return c
}

// A pool holds secrets to exchange: single words, and phrases.
type pool struct{ words, phrases []string }

func poolOf(texts []Text) pool {
	var p pool
	for _, t := range texts {
		for _, s := range t.Secrets {
			switch secret := t.Text[s.Start:s.End]; {
			case len(secret) > longest || strings.ContainsAny(secret, "\t\n"):
			case strings.Contains(secret, " "):
				p.phrases = append(p.phrases, secret)
			default:
				p.words = append(p.words, secret)
			}
		}
	}
	return p
}

// phrasesFor is the number of quoted words of which one is replaced by a phrase.
const phrasesFor = 8

// other returns a secret to replace another one, or the same if there is none.
func (p pool) other(secret string, quoted bool, random *rand.Rand) string {
	from := p.words
	switch {
	case len(secret) > longest || strings.ContainsAny(secret, "\t\n"):
		return secret
	case strings.Contains(secret, " "), quoted && random.IntN(phrasesFor) == 0:
		from = p.phrases
	}
	if len(from) == 0 {
		return secret
	}
	return from[random.IntN(len(from))]
}

// varied returns copies of the written texts in frames, with the secrets of other texts, so that the
// model learns the places of secrets and their form independently.
func varied(texts []Text, random *rand.Rand) []Text {
	others := poolOf(texts)
	var out []Text
	for _, t := range texts {
		if !t.written() {
			continue
		}
		for range copies {
			out = append(out, t.exchange(others, random).framed(random))
		}
	}
	return out
}

// exchange returns a copy of t with other secrets.
func (t Text) exchange(others pool, random *rand.Rand) Text {
	c := Text{Kind: t.Kind}
	var b strings.Builder
	last := 0
	for _, s := range t.Secrets {
		before := t.Text[last:s.Start]
		quoted := strings.HasSuffix(before, `"`) && strings.HasPrefix(t.Text[s.End:], `"`)
		secret := others.other(t.Text[s.Start:s.End], quoted, random)
		b.WriteString(before)
		c.Secrets = append(c.Secrets, classifier.Span{Start: b.Len(), End: b.Len() + len(secret)})
		b.WriteString(secret)
		last = s.End
	}
	b.WriteString(t.Text[last:])
	c.Text = b.String()
	return c
}

// fold returns the number of the part, of n, to which a text belongs. Texts of one kind are in the same
// part.
func (t Text) fold(n int) int { return int(t.hash(0) % uint32(n)) }

// hash returns a number of the kind of a text, and other for one without a kind.
func (t Text) hash(other uint32) uint32 {
	if !t.written() {
		return other
	}
	h := fnv.New32a()
	h.Write([]byte(t.Kind))
	return h.Sum32()
}
