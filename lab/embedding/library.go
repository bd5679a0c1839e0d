package embedding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/index/embed/builtin"
)

// A library is a corpus as token numbers. A token below the size of the vocabulary is that word; higher
// tokens are unknown words, each with its own n-grams.
type library struct {
	vocab   *builtin.Vocabulary
	buckets int
	tokens  []uint32
	entries []entry
	paras   []para
	spans   []tokenRange // sentences

	grams   []uint32 // buckets of all words, known and unknown, in order
	gramEnd []uint32 // ends of the words' buckets in grams
	unknown map[string]uint32
	scan    builtin.Scanner
}

// An entry is a record. Its title is a subject, the last two headings, or the first text of a
// dictionary's pair.
type entry struct {
	repo  string
	kind  string
	title tokenRange
	paras tokenRange // indices of library.paras
}

// A para is a paragraph, as indices of library.spans.
type para struct{ tokenRange }

// A tokenRange is a half-open range.
type tokenRange struct{ from, to uint32 }

func (s tokenRange) len() int { return int(s.to - s.from) }

func newLibrary(words []string, buckets int) *library {
	l := &library{vocab: builtin.NewVocabulary(words), buckets: buckets, unknown: map[string]uint32{}}
	for _, w := range words {
		l.addGrams([]byte(w))
	}
	return l
}

// words returns the number of known words.
func (l *library) words() int { return l.vocab.Len() }

func (l *library) addGrams(word []byte) {
	l.grams = builtin.Grams(l.grams, word, l.buckets)
	l.gramEnd = append(l.gramEnd, uint32(len(l.grams)))
}

// gramsOf returns the buckets of a token's n-grams.
func (l *library) gramsOf(token uint32) []uint32 {
	from := uint32(0)
	if token > 0 {
		from = l.gramEnd[token-1]
	}
	return l.grams[from:l.gramEnd[token]]
}

func (l *library) token(word []byte) uint32 {
	if i := l.vocab.Find(word); i >= 0 {
		return uint32(i)
	}
	if i, ok := l.unknown[string(word)]; ok {
		return i
	}
	i := uint32(len(l.gramEnd))
	l.unknown[string(word)] = i
	l.addGrams(word)
	return i
}

// tokenise appends the tokens of a text.
func (l *library) tokenise(dst []uint32, text string) []uint32 {
	l.scan.Reset(text, l.vocab)
	for word := l.scan.Next(); word != nil; word = l.scan.Next() {
		dst = append(dst, l.token(word))
	}
	return dst
}

func (l *library) text(s tokenRange) []uint32 { return l.tokens[s.from:s.to] }

// whole returns the tokens of consecutive sentences.
func (l *library) whole(sentences tokenRange) []uint32 {
	return l.tokens[l.spans[sentences.from].from:l.spans[sentences.to-1].to]
}

// add adds a record. The other text of a pair replaces missing paragraphs.
func (l *library) add(r *record) {
	e := entry{repo: r.Repo, kind: r.Kind}
	title := r.Subject
	if len(r.Headings) > 0 {
		title = strings.Join(r.Headings[max(0, len(r.Headings)-2):], " ")
	}
	e.title = l.addText(title)
	body := r.Body
	if r.Other != "" {
		body = []string{r.Other}
	}
	e.paras.from = uint32(len(l.paras))
	for _, p := range body {
		l.addPara(p)
	}
	e.paras.to = uint32(len(l.paras))
	l.entries = append(l.entries, e)
}

func (l *library) addText(text string) tokenRange {
	from := len(l.tokens)
	l.tokens = l.tokenise(l.tokens, text)
	return tokenRange{uint32(from), uint32(len(l.tokens))}
}

// addPara adds a paragraph by its sentences, unless it has no token.
func (l *library) addPara(text string) {
	from := len(l.spans)
	for _, sentence := range sentences(text) {
		if s := l.addText(sentence); s.len() > 0 {
			l.spans = append(l.spans, s)
		}
	}
	if len(l.spans) > from {
		l.paras = append(l.paras, para{tokenRange{uint32(from), uint32(len(l.spans))}})
	}
}

// sentences divides a paragraph at line breaks, and after each full stop, colon, question or exclamation
// mark before a space and a character other than a lower-case letter.
func sentences(text string) []string {
	var out []string
	start := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || strings.IndexByte(".:?!", text[i]) >= 0 && startsSentence(text[i+1:]) {
			out = append(out, text[start:i+1])
			start = i + 1
		}
	}
	return append(out, text[start:])
}

func startsSentence(rest string) bool {
	trimmed := strings.TrimLeft(rest, " ")
	if len(trimmed) == len(rest) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(trimmed)
	return !unicode.IsLower(r)
}

// A group holds the pairs of one kind from one source.
type group struct {
	kind  pairKind
	units []uint32 // entries or paragraphs, depending on the kind
}

// groups groups all units that yield pairs by repository and kind, in the order of their first
// occurrence. It leaves out entries of the repositories in held.
func (l *library) groups(held []string) []group {
	var out []group
	place := map[groupKey]int{}
	put := func(kind pairKind, repo string, unit uint32) {
		key := groupKey{kind, repo}
		i, ok := place[key]
		if !ok {
			i = len(out)
			place[key] = i
			out = append(out, group{kind: kind})
		}
		out[i].units = append(out[i].units, unit)
	}
	for i, e := range l.entries {
		if slices.Contains(held, e.repo) {
			continue
		}
		l.eachPair(uint32(i), e, put)
	}
	return out
}

type groupKey struct {
	kind pairKind
	repo string
}

// eachPair calls put for each pair that an entry yields.
func (l *library) eachPair(i uint32, e entry, put func(pairKind, string, uint32)) {
	switch e.kind {
	case writtenConcept:
		put(concept, e.repo, i)
		return
	case writtenAssociations:
		put(association, e.repo, i)
		return
	case writtenSituation:
		put(situation, e.repo, i)
		return
	case writtenMemory:
		put(prompt, e.repo, i)
		return
	case writtenEveryday:
		if e.paras.len() > 0 {
			put(everyday, e.repo, i)
		}
		return
	}
	if e.repo == "" {
		if e.title.len() > 0 && e.paras.len() > 0 {
			put(dictionary, e.kind, i)
		}
		return
	}
	if e.title.len() > 1 && e.paras.len() > 0 {
		kind := subject
		if e.kind == "doc" {
			kind = heading
		}
		put(kind, e.repo, i)
	}
	for p := e.paras.from; p < e.paras.to; p++ {
		if p+1 < e.paras.to {
			put(neighbour, e.repo, p)
		}
		if l.paras[p].len() > 1 {
			put(cloze, e.repo, p)
		}
	}
}
