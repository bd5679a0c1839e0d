package bert

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxWord is the largest number of characters of a word that is divided into
// pieces; longer ones are unknown. It is the same as in BERT.
const maxWord = 100

// A tokenizer divides a text in the same way as BERT: at spaces and
// punctuation, then each word into the longest pieces that the vocabulary has
// (WordPiece, Devlin et al. 2018). The names of special tokens in a text are
// ordinary text.
type tokenizer struct {
	ids       map[string]int
	lowerCase bool

	unknown, first, last int // [UNK], [CLS], [SEP]
}

// readTokenizer reads a vocabulary with one token per line, whose id is the
// number of the line.
func readTokenizer(dir string, c config) (*tokenizer, error) {
	path := filepath.Join(dir, vocabFile)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &tokenizer{ids: make(map[string]int, c.Vocabulary), lowerCase: c.lowerCase}
	lines := bufio.NewScanner(f)
	n := 0
	for ; lines.Scan(); n++ {
		t.ids[strings.TrimRight(lines.Text(), "\r")] = n
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if n > c.Vocabulary {
		return nil, fmt.Errorf("%s: has %d tokens, where vocab_size is %d", path, n, c.Vocabulary)
	}
	for name, id := range map[string]*int{"[UNK]": &t.unknown, "[CLS]": &t.first, "[SEP]": &t.last} {
		var ok bool
		if *id, ok = t.ids[name]; !ok {
			return nil, fmt.Errorf("%s: has no %s", path, name)
		}
	}
	return t, nil
}

// tokenize returns the ids of the first limit tokens of a text, including the
// two special tokens around it. An empty text gives only those two.
func (t *tokenizer) tokenize(text string, limit int) []int {
	ids := []int{t.first}
	for _, word := range t.words(text) {
		if len(ids) >= limit-1 {
			break
		}
		ids = t.pieces(ids, word)
	}
	ids = ids[:min(len(ids), limit-1)]
	return append(ids, t.last)
}

// words divides a text at spaces and punctuation. Each punctuation mark and
// each ideograph is a word of its own.
func (t *tokenizer) words(text string) []string {
	if t.lowerCase {
		text = norm.NFD.String(strings.ToLower(text))
	}
	var spaced strings.Builder
	for _, r := range text {
		switch {
		case r == 0 || r == unicode.ReplacementChar || t.lowerCase && unicode.Is(unicode.Mn, r):
		case unicode.IsSpace(r):
			spaced.WriteByte(' ')
		case unicode.In(r, unicode.Cc, unicode.Cf):
		case punctuation(r) || ideograph(r):
			spaced.WriteByte(' ')
			spaced.WriteRune(r)
			spaced.WriteByte(' ')
		default:
			spaced.WriteRune(r)
		}
	}
	return strings.Fields(spaced.String())
}

// pieces appends the ids of the pieces of a word.
func (t *tokenizer) pieces(ids []int, word string) []int {
	runes := []rune(word)
	if len(runes) > maxWord {
		return append(ids, t.unknown)
	}
	known := len(ids)
	for start := 0; start < len(runes); {
		id, end := t.longest(runes, start)
		if end == start {
			return append(ids[:known], t.unknown)
		}
		ids = append(ids, id)
		start = end
	}
	return ids
}

// longest finds the longest piece that begins at start. If there is none, end
// equals start.
func (t *tokenizer) longest(word []rune, start int) (id, end int) {
	inside := ""
	if start > 0 {
		inside = "##"
	}
	for end := len(word); end > start; end-- {
		if id, ok := t.ids[inside+string(word[start:end])]; ok {
			return id, end
		}
	}
	return 0, start
}

// punctuation reports whether BERT divides at r: all of ASCII that is neither
// letter nor digit, and what Unicode calls punctuation.
func punctuation(r rune) bool {
	if r < 128 {
		return r > ' ' && r < 127 && !('0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z')
	}
	return unicode.IsPunct(r)
}

func ideograph(r rune) bool {
	return 0x4e00 <= r && r <= 0x9fff || 0x3400 <= r && r <= 0x4dbf || 0xf900 <= r && r <= 0xfaff || 0x20000 <= r && r <= 0x2fa1f
}
