package sentence

import (
	"strings"
	"unicode"

	"recollect/internal/text/prose"
)

// Bounds of what is looked at.
const (
	maxWords  = 60 // of a sentence
	wordsLast = 12 // of what the assistant said last
)

// Features returns what is observed of a sentence, as numbers below Buckets, each once. common are the words
// that count as themselves.
func Features(common map[string]bool, text, before string) []uint32 {
	o := observation{seen: map[uint32]bool{}}
	words := onlyCommon(common, Words(text))
	o.add("always")
	o.ngrams(words)
	o.shape(text, words)
	o.preceding(onlyCommon(common, Words(before)), before, words)
	return o.out
}

// anyWord stands for words that are not common: what a sentence is about says little about what it does.
const anyWord = "_"

// onlyCommon returns words with anyWord in the place of one or more that are not common.
func onlyCommon(common map[string]bool, words []string) []string {
	var out []string
	for _, w := range words {
		if !common[w] && w[0] != '<' {
			w = anyWord
			if n := len(out); n > 0 && out[n-1] == anyWord {
				continue
			}
		}
		out = append(out, w)
	}
	return out
}

// An observation collects features.
type observation struct {
	out  []uint32
	seen map[uint32]bool
}

// add adds the feature of some words, the first of which says what of the sentence they are.
func (o *observation) add(parts ...string) {
	h := uint64(14695981039346656037) // FNV-1a
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint64(p[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	f := uint32((h ^ h>>31) % Buckets)
	if !o.seen[f] {
		o.seen[f] = true
		o.out = append(o.out, f)
	}
}

// ngrams adds the words, alone and with their neighbours, and those that begin and end the sentence.
func (o *observation) ngrams(words []string) {
	for i, w := range words {
		o.add("1", w)
		if i+1 < len(words) {
			o.add("2", w, words[i+1])
		}
		if i+2 < len(words) {
			o.add("3", w, words[i+1], words[i+2])
			o.add("skip", w, words[i+2])
		}
		if i+3 < len(words) {
			o.add("4", w, words[i+1], words[i+2], words[i+3])
		}
		if n := len(w); n > 5 {
			o.add("begin", w[:4])
			o.add("end", w[n-3:])
		}
	}
	for n := 1; n <= min(3, len(words)); n++ {
		o.add(append([]string{"first"}, words[:n]...)...)
		o.add(append([]string{"last"}, words[len(words)-n:]...)...)
	}
}

// shape adds what does not depend on the words.
func (o *observation) shape(text string, words []string) {
	text = strings.TrimSpace(text)
	o.add("length", bucket(len(words)))
	for _, mark := range []string{"?", "!", ",", ":", ";", "`", "\"", "(", "->", "@", "#"} {
		if strings.Contains(text, mark) {
			o.add("mark", mark)
		}
	}
	if text == "" {
		return
	}
	o.add("ends", text[len(text)-1:])
	o.add("begins", class(firstRune(text)))
	for _, w := range words {
		if strings.HasPrefix(w, "<") {
			o.add("has", w)
		}
	}
}

// preceding adds what the assistant said last: whether it asked, and how that goes with the first words.
func (o *observation) preceding(said []string, before string, words []string) {
	before = strings.TrimSpace(before)
	asked := "said"
	switch {
	case before == "":
		asked = "nothing"
	case strings.Contains(before, "?"):
		asked = "asked"
	}
	o.add("before", asked)
	if len(words) > 0 {
		o.add("before", asked, words[0])
		o.add("before", asked, bucket(len(words)))
	}
	if len(said) > wordsLast {
		said = said[len(said)-wordsLast:]
	}
	for i, w := range said {
		o.add("b1", w)
		if i+1 < len(said) {
			o.add("b2", w, said[i+1])
		}
	}
}

// bucket names about how many words there are.
func bucket(n int) string {
	for _, least := range []int{30, 20, 14, 10, 7, 5, 4, 3, 2, 1} {
		if n >= least {
			return string(rune('a' + least))
		}
	}
	return "0"
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

func class(r rune) string {
	switch {
	case unicode.IsUpper(r):
		return "capital"
	case unicode.IsLower(r):
		return "small"
	case unicode.IsDigit(r):
		return "digit"
	}
	return string(r)
}

// Words returns the words of a text in lower case, with a placeholder for each number, file, name of code
// and address.
func Words(text string) []string {
	var out []string
	for _, f := range strings.Fields(text) {
		if len(out) == maxWords {
			break
		}
		if w := word(f); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// word returns a field as a word, "" for one without letters and digits.
func word(field string) string {
	w := strings.TrimFunc(field, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("`/@#", r)
	})
	trimmed := strings.Trim(w, "`/@#")
	switch {
	case trimmed == "":
		return ""
	case strings.HasPrefix(w, "@"):
		return "<at>"
	case strings.Contains(w, "://"):
		return "<url>"
	case strings.HasPrefix(w, "`") || strings.ContainsAny(trimmed, "_(){}=<>$") || isCamel(trimmed):
		return "<code>"
	case strings.Contains(w, "/") || isFile(trimmed):
		return "<file>"
	}
	lower := strings.ToLower(strings.NewReplacer("'", "", "’", "", "`", "").Replace(trimmed))
	switch {
	case strings.IndexFunc(lower, unicode.IsLetter) < 0:
		return "<number>"
	case prose.FamilyOf(lower) >= 0:
		return "<technology>"
	}
	return lower
}

// isCamel reports whether a word has a capital after a small letter.
func isCamel(w string) bool {
	for i := 1; i < len(w); i++ {
		isCapital, afterSmall := w[i] >= 'A' && w[i] <= 'Z', w[i-1] >= 'a' && w[i-1] <= 'z'
		if isCapital && afterSmall {
			return true
		}
	}
	return false
}

// isFile reports whether a word ends like the name of a file.
func isFile(w string) bool {
	dot := strings.LastIndexByte(w, '.')
	if dot < 0 || len(w)-dot > 6 || len(w)-dot < 2 {
		return false
	}
	return strings.IndexFunc(w[dot+1:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0 && strings.IndexFunc(w[dot+1:], unicode.IsLetter) >= 0
}
