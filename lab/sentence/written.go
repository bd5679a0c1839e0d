package sentence

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"recollect/internal/system/durable"
	"recollect/internal/text/sentence"
)

// A Sentence was written to train with.
type Sentence struct {
	Text   string   `json:"s"`
	Before string   `json:"before"` // what the assistant had said last
	Kind   string   `json:"kind"`
	Also   []string `json:"also"` // what else it does
	Writer string   `json:"-"`
}

// target returns how much a sentence is of each kind.
func (s Sentence) target() (t sentence.Scores) {
	k, _ := sentence.KindOf(s.Kind)
	t[k] = 1
	for _, name := range s.Also {
		if also, ok := sentence.KindOf(name); ok && also != k {
			t[k] -= alsoAs / float64(len(s.Also))
			t[also] += alsoAs / float64(len(s.Also))
		}
	}
	return t
}

// written holds a file for each writer: isolated sentences in minimal pairs, streams of prompts as they come in sessions, and
// sentences in the usual wordings.
//
//go:embed written/*.jsonl
var written embed.FS

// Written returns the sentences to train with.
func Written() ([]Sentence, error) {
	files, err := fs.Glob(written, "written/*.jsonl")
	if err != nil {
		return nil, err
	}
	var out []Sentence
	for _, file := range files {
		text, err := written.ReadFile(file)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		for n := 1; lines.Scan(); n++ {
			s := Sentence{Writer: strings.TrimSuffix(filepath.Base(file), ".jsonl")}
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, err)
			}
			if _, ok := sentence.KindOf(s.Kind); !ok {
				return nil, fmt.Errorf("%s:%d: kind %q", file, n, s.Kind)
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// Write fits the model and writes its words and weights into the folder of package text/sentence.
func Write(dir string, written []Sentence) error {
	words, weights := Fit(written)
	if err := durable.WriteFile(filepath.Join(dir, "words.txt"), []byte(strings.Join(words, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, "weights.bin"), weights, 0o644)
}
