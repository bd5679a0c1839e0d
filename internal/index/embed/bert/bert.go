// Package bert computes the vectors of a BERT model in a folder, in the layout in which such models are
// published: config.json, vocab.txt or tokenizer.json, the weights in model.safetensors, and the files of
// Sentence Transformers that describe the steps after BERT. It writes nothing and downloads nothing. It
// does not read PyTorch's own format, which is a program in pickle.
//
// Weights are rounded to 8 bits and activations to as many bits as fit, so that all matrix products are
// exact sums of whole numbers (package dot). The cosine with a float64 computation is above 0.99. Layer
// norm, softmax and the activations are computed in float32.
//
// Two existing libraries were measured and not used, when this package still computed in float32 and took
// eight times as long. cybertron, for which langchaingo has a client, took 2.5 times as long as that for
// a prompt. It ends the process when a shape is wrong, leaves missing weights at random values, panics in
// goroutines of its own, writes a second copy of the model beside the first, and retains hyphens and
// accents that BERT's own tokenizer removes. hugot took three times as long and adds 10 MB to the
// executable. The arithmetic that replaces them takes a few pages.
package bert

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"recollect/internal/system/regular"
)

// computation is part of every version. It must change when the same files come to give other vectors.
const computation = 2

// A Model turns texts into vectors. Its methods may be called concurrently.
type Model struct {
	version   string
	config    config
	tokenizer *tokenizer
	weights   weights
	dense     []dense
}

// Check checks that dir has a model's files and that Load understands its
// settings. It is fast; Load may still find the weights invalid.
func Check(dir string) error {
	_, err := readPlan(dir)
	return err
}

// readPlan reads all of a model but its weights.
func readPlan(dir string) (*Model, error) {
	c, err := readConfig(dir)
	if err != nil {
		return nil, err
	}
	m := &Model{config: c}
	if m.tokenizer, err = readTokenizer(dir, c); err != nil {
		return nil, err
	}
	_, err = weightsPath(dir)
	return m, err
}

// Load reads the model in dir, which takes half a second for 100 MB. Errors
// name the file, and the tensor if one is invalid.
func Load(dir string) (*Model, error) {
	m, err := readPlan(dir)
	if err != nil {
		return nil, err
	}
	if err := m.readWeights(dir); err != nil {
		return nil, err
	}
	m.version, err = m.hash(dir)
	return m, err
}

func (m *Model) readWeights(dir string) error {
	err := withTensors(dir, func(ts tensors) (err error) {
		m.weights, err = newWeights(ts, m.config)
		return err
	})
	width := m.config.Hidden
	for _, module := range m.config.dense {
		if err != nil {
			break
		}
		var d dense
		d, err = readDense(dir, module, width)
		m.dense = append(m.dense, d)
		width = len(d.bias)
	}
	return err
}

// Version returns 12 digits of a hash of the model's files and of the way they are used.
func (m *Model) Version() string { return m.version }

// Embed returns the vector of a text of any length. It uses as many of the first tokens as the model was
// made for, at most 512. It checks ctx between layers.
func (m *Model) Embed(ctx context.Context, text string) ([]float32, error) {
	ids := m.tokenizer.tokenize(text, m.config.tokens)
	states, err := m.weights.run(ctx, m.config, ids)
	if err != nil {
		return nil, err
	}
	vector := m.pool(states)
	for i := range m.dense {
		vector = m.dense[i].run(vector)
	}
	return vector, nil
}

// pool combines the vectors of all tokens into one.
func (m *Model) pool(states []float32) []float32 {
	dims := m.config.Hidden
	vector := make([]float32, dims)
	if m.config.firstOnly {
		copy(vector, states)
		return vector
	}
	tokens := float32(len(states) / dims)
	for i, x := range states {
		vector[i%dims] += x / tokens
	}
	return vector
}

// weightsPath returns the path of the weights in dir.
func weightsPath(dir string) (string, error) {
	path := filepath.Join(dir, safetensorsFile)
	_, err := os.Stat(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return path, err
	}
	if _, err := os.Stat(filepath.Join(dir, torchFile)); err == nil {
		return "", fmt.Errorf("%s: has the weights only in %s, which is not read: they must be in %s", dir, torchFile, safetensorsFile)
	}
	return "", fmt.Errorf("%s: has no %s", dir, safetensorsFile)
}

// withTensors calls f with the tensors in dir and keeps their file open meanwhile.
func withTensors(dir string, f func(tensors) error) error {
	path, err := weightsPath(dir)
	if err != nil {
		return err
	}
	ts, file, err := openSafetensors(path)
	if err == nil {
		err = f(ts)
		file.Close()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// hash returns the version of the model in dir.
func (m *Model) hash(dir string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d %+v\n", computation, m.config)
	files := []string{m.tokenizer.path}
	for _, module := range append([]string{""}, m.config.dense...) {
		path, err := weightsPath(filepath.Join(dir, module))
		if err != nil {
			return "", err
		}
		files = append(files, path)
	}
	for _, path := range files {
		if err := hashFile(h, path); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

func hashFile(h io.Writer, path string) error {
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}
