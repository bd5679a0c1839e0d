package bert

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"recollect/internal/system/regular"
)

// A tokenizerJSON holds the fields of tokenizer.json that are read: the vocabulary and the preparation of
// texts.
type tokenizerJSON struct {
	Model struct {
		Type       string         `json:"type"`
		Vocabulary map[string]int `json:"vocab"`
		Inside     string         `json:"continuing_subword_prefix"`
	} `json:"model"`
	Normalizer textSettings `json:"normalizer"`
}

// textSettings say how a text is prepared; nil means unspecified. Their names differ between
// tokenizer_config.json and tokenizer.json.
type textSettings struct {
	LowerCase    *bool   `json:"do_lower_case"`
	Lowercase    *bool   `json:"lowercase"`
	StripAccents *bool   `json:"strip_accents"`
	MaxTokens    float64 `json:"model_max_length"` // 1e30 for no limit
}

// readTokenizer reads the vocabulary in dir from vocab.txt, where the id of a token is the number of its
// line, or else from tokenizer.json.
func readTokenizer(dir string, c config) (*tokenizer, error) {
	t := &tokenizer{path: filepath.Join(dir, vocabFile), lowerCase: c.lowerCase, stripAccents: c.stripAccents}
	err := t.readLines(c.Vocabulary)
	if errors.Is(err, fs.ErrNotExist) {
		var file tokenizerJSON
		if readErr := readJSON(dir, tokenizerJSONFile, &file); errors.Is(readErr, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: has neither %s nor %s", dir, vocabFile, tokenizerJSONFile)
		} else if readErr != nil {
			return nil, readErr
		}
		t.path = filepath.Join(dir, tokenizerJSONFile)
		err = t.take(file, c.Vocabulary)
	}
	if err == nil {
		err = t.findSpecial()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.path, err)
	}
	return t, nil
}

func (t *tokenizer) readLines(limit int) error {
	f, err := regular.Open(t.path)
	if err != nil {
		return err
	}
	defer f.Close()
	t.ids = make(map[string]int, limit)
	lines := bufio.NewScanner(f)
	n := 0
	for ; lines.Scan(); n++ {
		if n < limit {
			t.ids[strings.TrimRight(lines.Text(), "\r")] = n
		}
	}
	if n > limit {
		return fmt.Errorf("has %d tokens, where vocab_size is %d", n, limit)
	}
	return lines.Err()
}

func (t *tokenizer) take(file tokenizerJSON, limit int) error {
	if m := file.Model; m.Type != "WordPiece" || m.Inside != "" && m.Inside != inside {
		return fmt.Errorf("the model of the tokenizer is %q with %q inside words: must be WordPiece with %q", m.Type, m.Inside, inside)
	}
	t.ids = file.Model.Vocabulary
	for token, id := range t.ids {
		if id < 0 || id >= limit {
			return fmt.Errorf("token %q has the id %d, where vocab_size is %d", token, id, limit)
		}
	}
	return nil
}

func (t *tokenizer) findSpecial() error {
	for name, id := range map[string]*int{"[UNK]": &t.unknown, "[CLS]": &t.first, "[SEP]": &t.last} {
		var ok bool
		if *id, ok = t.ids[name]; !ok {
			return fmt.Errorf("has no %s", name)
		}
	}
	return nil
}
