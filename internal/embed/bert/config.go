package bert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The files of a folder.
const (
	configFile      = "config.json"
	vocabFile       = "vocab.txt"
	tokenizerFile   = "tokenizer_config.json"     // optional
	sentencesFile   = "sentence_bert_config.json" // optional
	poolingFile     = "1_Pooling/config.json"     // optional
	safetensorsFile = "model.safetensors"
	torchFile       = "pytorch_model.bin" // read where there are no safetensors
)

// maxTokens is the largest number of tokens of a text that are read. The time
// grows faster than their number, and a model of twelve layers takes seconds
// for this many.
const maxTokens = 256

// A config is what the files of a folder say about its model.
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

	lowerCase bool // whether to convert to lower case before tokenizing
	tokens    int  // largest number of tokens that are read
	firstOnly bool // whether the text's vector is that of its first token, not the mean
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
	tokenizer := struct {
		LowerCase bool `json:"do_lower_case"`
	}{true}
	var sentences struct {
		MaxTokens int `json:"max_seq_length"`
	}
	var pooling struct {
		First bool `json:"pooling_mode_cls_token"`
	}
	err := errors.Join(
		readOptional(dir, tokenizerFile, &tokenizer),
		readOptional(dir, sentencesFile, &sentences),
		readOptional(dir, poolingFile, &pooling),
	)
	c.lowerCase, c.firstOnly = tokenizer.LowerCase, pooling.First
	c.tokens = min(maxTokens, c.Positions)
	if sentences.MaxTokens > 0 {
		c.tokens = min(c.tokens, sentences.MaxTokens)
	}
	return c, err
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
	if c.Positions < 3 {
		return errors.New("max_position_embeddings must be 3 or more")
	}
	return nil
}

func readJSON(dir, name string, into any) error {
	path := filepath.Join(dir, name)
	b, err := os.ReadFile(path)
	if err != nil {
		return err
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
