// Package train fits the weights of package judge, by which it knows secrets. It is run by hand,
// through scripts/train.
package train

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"

	"recollect/internal/durable"
	"recollect/internal/secret/judge"
)

// How the weights are fitted: by stochastic gradient descent with a rate for each weight (AdaGrad;
// Duchi, Hazan and Singer, 2011) on the logistic loss.
const (
	epochs  = 6
	rate    = 0.1
	decay   = 1e-5 // L2
	copies  = 4    // of each written text, with other secrets
	longest = 50   // bytes of a secret that is put in the place of another
)

// An example is what is observed of one piece.
type example struct {
	observed []uint32
	secret   bool
}

// Fit returns the weights, a byte each, for texts with their secrets.
func Fit(texts []Text) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	examples := examplesOf(append(varied(texts, random), texts...))
	weights, squares := make([]float32, judge.Weights), make([]float32, judge.Weights)
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
		out[i] = byte(int8(math.RoundToEven(float64(min(max(w*judge.Scale, -127), 127)))))
	}
	return out
}

// Write writes the weights for texts with their secrets, atomically.
func Write(path string, texts []Text) error { return durable.WriteFile(path, Fit(texts), 0o644) }

// examplesOf returns the pieces of texts. What stands before a piece is taken as known.
func examplesOf(texts []Text) []example {
	var out []example
	for _, t := range texts {
		v := judge.NewView(t.Text)
		for i, p := range v.Pieces {
			var e example
			for _, f := range v.Observe(i, nil) {
				e.observed = append(e.observed, f.Weight())
			}
			for _, s := range t.Secrets {
				common := min(p.End, s.End) - max(p.Start, s.Start)
				e.secret = e.secret || common > 0 && 2*common >= min(p.End-p.Start, s.End-s.Start)
			}
			v.Secret[i] = e.secret
			if v.Candidate(i) {
				out = append(out, e)
			}
		}
	}
	return out
}

// frames are what a text may stand in.
var frames = []struct{ before, after string }{
	{"", ""}, {"\n", "\n"}, {"see below:\n", "\n\nand above"}, {"- ", ""}, {"> ", ""}, {"     7→", ""}, {"\t", ""},
}

// varied returns copies of the written texts in frames, with secrets of other texts in the place
// of their own, so that the places and the looks of secrets are learned apart.
func varied(texts []Text, random *rand.Rand) []Text {
	var pool []string
	for _, t := range texts {
		for _, s := range t.Secrets {
			if secret := t.Text[s.Start:s.End]; oneWord(secret) {
				pool = append(pool, secret)
			}
		}
	}
	var out []Text
	for _, t := range texts {
		if !t.written() {
			continue
		}
		for range copies {
			c := t.exchange(func() string { return pool[random.IntN(len(pool))] })
			frame := frames[random.IntN(len(frames))]
			c.Text = frame.before + c.Text + frame.after
			for i := range c.Secrets {
				c.Secrets[i].Start += len(frame.before)
				c.Secrets[i].End += len(frame.before)
			}
			out = append(out, c)
		}
	}
	return out
}

// exchange returns a copy of t with other secrets in the place of those of one word.
func (t Text) exchange(other func() string) Text {
	c := Text{Kind: t.Kind}
	var b strings.Builder
	last := 0
	for _, s := range t.Secrets {
		secret := t.Text[s.Start:s.End]
		if oneWord(secret) {
			secret = other()
		}
		b.WriteString(t.Text[last:s.Start])
		c.Secrets = append(c.Secrets, judge.Span{Start: b.Len(), End: b.Len() + len(secret)})
		b.WriteString(secret)
		last = s.End
	}
	b.WriteString(t.Text[last:])
	c.Text = b.String()
	return c
}

func oneWord(s string) bool { return len(s) <= longest && !strings.ContainsAny(s, " \t\n") }

// fold returns which of n parts a text is in. Texts that are alike are in one.
func (t Text) fold(n int) int {
	h := fnv.New32a()
	h.Write([]byte(t.Kind))
	return int(h.Sum32() % uint32(n))
}
