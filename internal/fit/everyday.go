package fit

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"path"
	"strings"

	"recollect/internal/durable"
	"recollect/internal/embed/train"
	"recollect/internal/everyday"
)

//go:embed prompts
var prompts embed.FS

// WrittenPrompts returns the prompts that were written for recollect: a folder "prompts" with files
// work-….txt, to which past work may matter, and everyday-….txt, which are complete in themselves,
// a prompt a line; and edits-….jsonl, everyday prompts that name something of a written memory.
func WrittenPrompts() fs.FS { return prompts }

// Prompts are examples of both kinds. One in heldPrompts of a file is held back, and those of the
// written memories that the embedder was not trained on are in neither.
type Prompts struct {
	Questions              []string // that a written memory answers
	Work, Everyday         []string // others to learn from
	HeldWork, HeldEveryday []string
	Edits                  map[string]string // everyday prompts by the written memory that they name something of
}

const heldPrompts = 10

// ReadPrompts returns the prompts of the embedder's training text and of a folder of prompts.
func ReadPrompts(embedder, files fs.FS) (*Prompts, error) {
	p := &Prompts{}
	var err error
	if p.Questions, p.Everyday, err = train.Prompts(embedder); err != nil {
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

// readEdits returns the everyday prompts that name something of a memory, by its text.
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

// everydayPenalty is the penalty of the coefficients: with less, they learn their examples by heart.
const everydayPenalty = 3e-4

// A promptGroup is prompts of one kind that weigh as much as those of any other group.
type promptGroup struct {
	texts  []string
	target float64 // 1 for everyday prompts
	weight float64 // of the group
}

// groups returns what to learn from. Both kinds weigh the same, and so do questions and other prompts
// about work, which are far fewer.
func (p *Prompts) groups() []promptGroup {
	return []promptGroup{{p.Questions, 0, 0.25}, {p.Work, 0, 0.25}, {p.Everyday, 1, 0.5}}
}

// Everyday fits the logistic regression over a prompt's vector that gives the probability that it is
// an everyday one.
func Everyday(p *Prompts) (*Model, error) {
	type example struct {
		vector         []float32
		target, weight float64
	}
	var examples []example
	for _, g := range p.groups() {
		vectors := embedAll(g.texts)
		if len(vectors) == 0 {
			return nil, errors.New("fit everyday prompts: prompts of each group are needed")
		}
		for _, v := range vectors {
			examples = append(examples, example{v, g.target, g.weight / float64(len(vectors))})
		}
	}
	n := len(examples[0].vector)
	m := &Model{Weights: make([]float64, n)}
	b := bounds{held: make([]bool, n), signs: make([]float64, n)}
	gradient, mean, square := make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
	for epoch := 1; epoch <= epochs; epoch++ {
		clear(gradient)
		for _, e := range examples {
			d := e.weight * (probability(m.dot(e.vector)) - e.target)
			gradient[n] += d
			for k, x := range e.vector {
				gradient[k] += d * float64(x)
			}
		}
		for k, w := range m.Weights {
			gradient[k] += everydayPenalty * w
		}
		step(m, b, gradient, mean, square, epoch)
	}
	m.round()
	if !m.finite() {
		return nil, errors.New("fit everyday prompts: it diverged")
	}
	return m, nil
}

// embedAll returns the vectors of those texts that have one.
func embedAll(texts []string) [][]float32 {
	var out [][]float32
	for _, text := range texts {
		if v := everyday.Vector(text); v != nil {
			out = append(out, v)
		}
	}
	return out
}

func (m *Model) dot(v []float32) float64 {
	z := m.Bias
	for i, w := range m.Weights {
		z += w * float64(v[i])
	}
	return z
}

func (m *Model) dots(vectors [][]float32) []float64 {
	out := make([]float64, len(vectors))
	for i, v := range vectors {
		out[i] = m.dot(v)
	}
	return out
}

// ReportEveryday writes, for the prompts that were held back, how many of each kind are told apart.
func ReportEveryday(w io.Writer, m *Model, p *Prompts) error {
	work, everyday := m.dots(embedAll(p.HeldWork)), m.dots(embedAll(p.HeldEveryday))
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

const everydayHeader = `// Code generated by scripts/train everyday. DO NOT EDIT.

package everyday

// bias and weights are the logistic regression over a prompt's vector that gives the
// probability that it is an everyday one.
`

// WriteEveryday writes the file of package everyday with m, atomically.
func WriteEveryday(path string, m *Model) error {
	var b bytes.Buffer
	b.WriteString(everydayHeader)
	fmt.Fprintf(&b, "const bias = %.2f\n\nvar weights = []float64{", m.Bias)
	for i, w := range m.Weights {
		if i%16 == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%.2f, ", w)
	}
	b.WriteString("\n}\n")
	text, err := format.Source(b.Bytes())
	if err == nil {
		err = durable.WriteFile(path, text, 0o644)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
