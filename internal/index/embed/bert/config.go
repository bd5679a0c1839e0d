package bert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"recollect/internal/system/regular"
)

// The files of a folder.
const (
	configFile        = "config.json"
	vocabFile         = "vocab.txt"
	tokenizerJSONFile = "tokenizer.json"            // read if there is no vocab.txt; else optional
	tokenizerFile     = "tokenizer_config.json"     // optional
	sentencesFile     = "sentence_bert_config.json" // optional
	safetensorsFile   = "model.safetensors"
	torchFile         = "pytorch_model.bin" // not read
)

// maxTokens is the largest number of tokens read of a text. The time grows faster than their number.
const maxTokens = 512

// minTokens are the two special tokens and one of the text.
const minTokens = 3

// maxJSON is the largest size of a JSON file in bytes: a tokenizer.json of
// 100,000 tokens has 3 MB.
const maxJSON = 64 << 20

// A config holds the settings of a model in its folder.
type config struct {
	ModelType    string  `json:"model_type"`
	Hidden       int     `json:"hidden_size"`
	Layers       int     `json:"num_hidden_layers"`
	Heads        int     `json:"num_attention_heads"`
	Intermediate int     `json:"intermediate_size"`
	Vocabulary   int     `json:"vocab_size"`
	Positions    int     `json:"max_position_embeddings"`
	Types        int     `json:"type_vocab_size"`
	Activation   string  `json:"hidden_act"`
	Epsilon      float64 `json:"layer_norm_eps"`
	PositionKind string  `json:"position_embedding_type"`

	lowerCase    bool // whether to convert to lower case before tokenizing
	stripAccents bool
	tokens       int      // largest number of tokens that are read
	firstOnly    bool     // whether the text's vector is that of its first token, not the mean
	dense        []string // folders of the layers after the pooling
}

// readConfig reads everything except the vocabulary and the weights.
func readConfig(dir string) (config, error) {
	c := config{Epsilon: 1e-12, Activation: "gelu", PositionKind: "absolute", Types: 2}
	if err := readJSON(dir, configFile, &c); err != nil {
		return c, err
	}
	if err := c.check(); err != nil {
		return c, fmt.Errorf("%s: %w", filepath.Join(dir, configFile), err)
	}
	if err := c.readText(dir); err != nil {
		return c, err
	}
	pooling, dense, err := readModules(dir)
	if err != nil {
		return c, err
	}
	c.dense = dense
	c.firstOnly, err = readPooling(dir, pooling)
	return c, err
}

// readText reads how texts are prepared. tokenizer_config.json takes precedence over tokenizer.json.
func (c *config) readText(dir string) error {
	var said textSettings
	var file tokenizerJSON
	var sentences struct {
		MaxTokens int `json:"max_seq_length"`
	}
	err := errors.Join(
		readOptional(dir, tokenizerFile, &said),
		readOptional(dir, tokenizerJSONFile, &file),
		readOptional(dir, sentencesFile, &sentences),
	)
	first := func(settings ...*bool) bool {
		for _, s := range settings {
			if s != nil {
				return *s
			}
		}
		return true
	}
	c.lowerCase = first(said.LowerCase, file.Normalizer.Lowercase)
	c.stripAccents = first(said.StripAccents, file.Normalizer.StripAccents, &c.lowerCase)
	c.tokens = min(maxTokens, c.Positions)
	for _, limit := range []float64{said.MaxTokens, float64(sentences.MaxTokens)} {
		if limit >= minTokens {
			c.tokens = int(min(float64(c.tokens), limit))
		}
	}
	return err
}

// check rejects models that this package cannot compute, and sizes that would
// exhaust the memory.
func (c config) check() error {
	if c.ModelType != "bert" {
		return fmt.Errorf("model_type is %q: must be bert", c.ModelType)
	}
	if c.PositionKind != "absolute" {
		return fmt.Errorf("position_embedding_type is %q: must be absolute", c.PositionKind)
	}
	if activations[c.Activation] == nil {
		return fmt.Errorf("hidden_act is %q: must be gelu, gelu_new or relu", c.Activation)
	}
	for _, size := range []struct {
		name     string
		n, limit int
	}{
		{"hidden_size", c.Hidden, 4096},
		{"num_hidden_layers", c.Layers, 64},
		{"num_attention_heads", c.Heads, 128},
		{"intermediate_size", c.Intermediate, 16384},
		{"vocab_size", c.Vocabulary, 1 << 20},
		{"max_position_embeddings", c.Positions, 1 << 16},
		{"type_vocab_size", c.Types, 1 << 10},
	} {
		if size.n < 1 || size.n > size.limit {
			return fmt.Errorf("%s is %d: must be between 1 and %d", size.name, size.n, size.limit)
		}
	}
	if c.Hidden%c.Heads != 0 {
		return fmt.Errorf("hidden_size is %d: must be a multiple of num_attention_heads, which is %d", c.Hidden, c.Heads)
	}
	if c.Positions < minTokens {
		return fmt.Errorf("max_position_embeddings is %d: must be %d or more", c.Positions, minTokens)
	}
	return nil
}

func readJSON(dir, name string, into any) error {
	path := filepath.Join(dir, name)
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxJSON+1))
	if err != nil {
		return err
	}
	if len(b) > maxJSON {
		return fmt.Errorf("%s: is larger than %d MiB", path, maxJSON>>20)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func readOptional(dir, name string, into any) error {
	if err := readJSON(dir, name, into); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
