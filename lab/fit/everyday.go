package fit

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"recollect/internal/recall/prompt"
	"recollect/internal/system/durable"
	"recollect/lab/embedding"
)

//go:embed prompts
var prompts embed.FS

// WrittenPrompts returns the prompts that were written for recollect, in a folder "prompts". Its files
// have one prompt a line: work-….txt prompts to which past work may matter, everyday-….txt prompts that
// are complete in themselves, and edits-….jsonl everyday prompts that name something in a written memory.
func WrittenPrompts() fs.FS { return prompts }

// Prompts holds examples of both kinds. One in heldPrompts prompts of a file is held back. It has none of
// the prompts of written memories on which the embedder was not trained.
type Prompts struct {
	Questions              []string // prompts that a written memory answers
	Work, Everyday         []string // other prompts to learn from
	HeldWork, HeldEveryday []string
	Edits                  map[string]string // everyday prompts, by the written memory that they name something of
}

const heldPrompts = 10

// ReadPrompts returns the prompts of the embedder's training text and of a folder of prompts.
func ReadPrompts(embedder, files fs.FS) (*Prompts, error) {
	p := &Prompts{}
	var err error
	if p.Questions, p.Everyday, err = embedding.Prompts(embedder); err != nil {
		return nil, err
	}
	if p.Edits, err = readEdits(files); err != nil {
		return nil, err
	}
	names, err := fs.Glob(files, "prompts/*.txt")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		all, held := &p.Everyday, &p.HeldEveryday
		if strings.HasPrefix(path.Base(name), "work-") {
			all, held = &p.Work, &p.HeldWork
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			to := all
			if n++; n%heldPrompts == 0 {
				to = held
			}
			*to = append(*to, strings.TrimSpace(line))
		}
	}
	return p, nil
}

// readEdits returns the everyday prompts that name something in a memory, by the memory's text.
func readEdits(files fs.FS) (map[string]string, error) {
	names, err := fs.Glob(files, "prompts/edits-*.jsonl")
	if err != nil {
		return nil, err
	}
	edits := map[string]string{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		lines := json.NewDecoder(bytes.NewReader(text))
		for lines.More() {
			var line struct{ M, Edit string }
			if err := lines.Decode(&line); err != nil {
				return nil, fmt.Errorf("read %s: %w", name, err)
			}
			edits[line.M] = line.Edit
		}
	}
	return edits, nil
}

const (
	// everydayPenalty is the penalty on the coefficients. With a smaller one they learn their examples by
	// heart.
	everydayPenalty = 3e-4
	// leastPrompts is the number of prompts that must contain an n-gram for it to be learned.
	leastPrompts = 4
	// leastWeight is the smallest absolute weight that is written.
	leastWeight = 0.05
)

// A promptGroup holds prompts of one target. Groups of the same target weigh the same.
type promptGroup struct {
	texts  []string
	target float64 // 1 for everyday prompts
	weight float64 // weight of the group
}

// groups returns the groups to learn from. Both targets weigh the same, and so do questions and other
// prompts about work, which are far fewer.
func (p *Prompts) groups() []promptGroup {
	return []promptGroup{{p.Questions, 0, 0.25}, {p.Work, 0, 0.25}, {p.Everyday, 1, 0.5}}
}

// Ngrams are the weights of a logistic regression over the n-grams of a prompt. The key "" has the bias.
type Ngrams map[string]float64

// Everyday fits the logistic regression over a prompt's n-grams that gives the probability of an everyday
// prompt.
func Everyday(p *Prompts) (Ngrams, error) {
	type example struct {
		grams          []int
		target, weight float64
	}
	known := p.ngrams()
	var examples []example
	for _, g := range p.groups() {
		var all [][]int
		for _, text := range g.texts {
			var grams []int
			for _, gram := range prompt.Ngrams(text) {
				if number, ok := slices.BinarySearch(known, gram); ok {
					grams = append(grams, number)
				}
			}
			if grams != nil {
				all = append(all, grams)
			}
		}
		if len(all) == 0 {
			return nil, errors.New("fit everyday prompts: prompts of each group are needed")
		}
		for _, grams := range all {
			examples = append(examples, example{grams, g.target, g.weight / float64(len(all))})
		}
	}
	n := len(known)
	m := &Model{Weights: make([]float64, n)}
	b := bounds{held: make([]bool, n), signs: make([]float64, n)}
	gradient, mean, square := make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
	for epoch := 1; epoch <= epochs; epoch++ {
		clear(gradient)
		for _, e := range examples {
			z := m.Bias
			for _, k := range e.grams {
				z += m.Weights[k]
			}
			d := e.weight * (probability(z) - e.target)
			gradient[n] += d
			for _, k := range e.grams {
				gradient[k] += d
			}
		}
		for k, w := range m.Weights {
			gradient[k] += everydayPenalty * w
		}
		step(m, b, gradient, mean, square, epoch)
	}
	if !m.finite() {
		return nil, errors.New("fit everyday prompts: it diverged")
	}
	weights := Ngrams{"": m.Bias}
	for i, gram := range known {
		if math.Abs(m.Weights[i]) >= leastWeight {
			weights[gram] = m.Weights[i]
		}
	}
	return weights, nil
}

// ngrams lists the n-grams that enough prompts contain, sorted.
func (p *Prompts) ngrams() []string {
	prompts := map[string]int{}
	for _, g := range p.groups() {
		for _, text := range g.texts {
			for _, gram := range prompt.Ngrams(text) {
				prompts[gram]++
			}
		}
	}
	maps.DeleteFunc(prompts, func(_ string, n int) bool { return n < leastPrompts })
	return slices.Sorted(maps.Keys(prompts))
}

// logits returns the logit of each text that has n-grams.
func (m Ngrams) logits(texts []string) []float64 {
	var out []float64
	for _, text := range texts {
		grams := prompt.Ngrams(text)
		if grams == nil {
			continue
		}
		z := m[""]
		for _, gram := range grams {
			z += m[gram]
		}
		out = append(out, z)
	}
	return out
}

// ReportEveryday writes how many of the held-back prompts of each kind are recognized.
func ReportEveryday(w io.Writer, m Ngrams, p *Prompts) error {
	work, everyday := m.logits(p.HeldWork), m.logits(p.HeldEveryday)
	above, rightWork, rightEveryday := 0, 0, 0
	for _, z := range work {
		if z < 0 {
			rightWork++
		}
		for _, other := range everyday {
			if other > z {
				above++
			}
		}
	}
	for _, z := range everyday {
		if z > 0 {
			rightEveryday++
		}
	}
	_, err := fmt.Fprintf(w, "held back: %d of %d prompts about work and %d of %d everyday ones told apart, AUC %.3f\n",
		rightWork, len(work), rightEveryday, len(everyday), float64(above)/float64(max(1, len(work)*len(everyday))))
	return err
}

// WriteEveryday atomically writes m as the table of package prompt: one n-gram and its weight a line.
func WriteEveryday(path string, m Ngrams) error {
	var b bytes.Buffer
	for _, gram := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, "%s\t%.2f\n", gram, m[gram])
	}
	if err := durable.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
