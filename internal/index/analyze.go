package index

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxTerm is the length of the longest term in bytes. Longer ones are encoded data, not words.
	maxTerm = 64

	// maxHumps is the largest number of camelCase parts in a name. Encoded data has more, because it
	// changes case every other letter.
	maxHumps = 8

	// productHumps is the number of parts of a name that may be a product's, such as WebSockets or
	// DevOps. People also write these in lower case. The whole name is stemmed like the lower-case word,
	// so that both spellings give the same term.
	productHumps = 2
)

// A Token is one term found in a text.
type Token struct {
	Text     string // the term in the index
	Surface  string // the characters of the text that gave the term
	Position int    // number of the written word: an identifier's parts and its whole share one
	Whole    bool   // a whole identifier, path or file name; false for its parts and for plain words
}

// Analyze divides text into terms, in the order of the text. It treats memories and prompts alike. A
// written word gives its stem; an English stop word gives nothing, but counts in Position. An identifier
// gives the stems of its parts, followed by every compound that they form: internal/api/client.go gives
// internal, api, client, go, client.go and internal/api/client.go.
func Analyze(text string) []Token {
	a := analyzer{tokens: make([]Token, 0, len(text)/5)}
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case unspaced(r):
			n = a.bigrams(text)
		case wordRune(r):
			n = a.word(text)
			a.position++
		}
		text = text[n:]
	}
	return a.tokens
}

type analyzer struct {
	tokens   []Token
	position int
}

// word adds the terms of the written word at the start of text and returns its length.
func (a *analyzer) word(text string) int {
	n := wordLen(text)
	if m := languageLen(text, n); m > 0 {
		a.add(strings.ToLower(text[:m]), text[:m], false)
		return m
	}
	end := n + contractionLen(text[n:])
	if end == n || !stopWord(contraction(text[:end])) {
		a.name(text[:n])
	}
	return end
}

// separators holds the characters that join the parts of an identifier, the outermost level first: a path
// consists of qualified names, these of kebab-case names, these of snake_case names, and these of
// camelCase parts.
var separators = []func(rune) bool{
	func(r rune) bool { return r == '/' },
	func(r rune) bool { return r == '.' || r == ':' },
	func(r rune) bool { return r == '-' },
	func(r rune) bool { return r == '_' },
}

// identifier adds the stem of a plain word, or the parts of a compound name
// followed by the compounds that they form.
func (a *analyzer) identifier(name string) {
	if strings.IndexFunc(name, joint) < 0 && len(humps(name)) == 1 {
		a.plain(name)
		return
	}
	a.compound(name, 0)
}

func (a *analyzer) compound(name string, level int) {
	if level == len(separators) {
		a.camel(name)
		return
	}
	parts := strings.FieldsFunc(name, separators[level])
	for _, p := range parts {
		a.compound(p, level+1)
	}
	if len(parts) > 1 {
		a.add(fold(strings.ToLower(name)), name, true)
	}
}

// camel adds the camelCase parts of name and, when there are several, name
// itself.
func (a *analyzer) camel(name string) {
	parts := humps(name)
	whole := fold(strings.ToLower(name))
	if len(parts) > maxHumps {
		a.add(whole, name, true)
		return
	}
	for _, p := range parts {
		if !trivial(p) {
			a.plain(p)
		}
	}
	if len(parts) == productHumps {
		whole = stem(whole)
	}
	if len(parts) > 1 {
		a.add(whole, name, true)
	}
}

// plain adds the stem of one word.
func (a *analyzer) plain(word string) {
	if lower := fold(strings.ToLower(word)); !stopWord(lower) {
		a.add(stem(lower), word, false)
	}
}

func (a *analyzer) add(term, surface string, whole bool) {
	if term == "" || len(term) > maxTerm {
		return
	}
	if whole && stopWord(term) {
		return
	}
	a.tokens = append(a.tokens, Token{Text: term, Surface: surface, Position: a.position, Whole: whole})
}

// bigrams adds the pairs of adjacent characters in the run of unspaced script at the start of text, or
// the character itself if it stands alone. It returns the length of the run.
func (a *analyzer) bigrams(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool { return !unspaced(r) })
	if end < 0 {
		end = len(text)
	}
	run := text[:end]
	for {
		_, first := utf8.DecodeRuneInString(run)
		_, second := utf8.DecodeRuneInString(run[first:])
		if second == 0 && len(run) < end {
			return end
		}
		a.add(run[:first+second], run[:first+second], false)
		a.position++
		run = run[first:]
		if second == 0 {
			return end
		}
	}
}

// trivial reports whether a part of an identifier means nothing by itself: a
// single letter, or a number of one or two digits.
func trivial(part string) bool {
	if utf8.RuneCountInString(part) == 1 {
		return true
	}
	return len(part) == 2 && strings.Trim(part, "0123456789") == ""
}

// humps divides a camelCase name before each capital that begins a word. In a
// run of capitals only the last begins a new word: parseHTTPHeader gives
// parse, HTTP and Header. A plural s belongs to the capitals before it (APIs).
func humps(name string) []string {
	_, first := utf8.DecodeRuneInString(name)
	if strings.IndexFunc(name[first:], unicode.IsUpper) < 0 {
		return []string{name}
	}
	var parts []string
	runes := []rune(name)
	start, at := 0, 0
	for i, r := range runes {
		if i > 0 && startsHump(runes, i) {
			parts = append(parts, name[start:at])
			start = at
		}
		at += utf8.RuneLen(r)
	}
	return append(parts, name[start:])
}

// startsHump reports whether the character at i begins a new part of a
// camelCase name.
func startsHump(runes []rune, i int) bool {
	if !unicode.IsUpper(runes[i]) {
		return false
	}
	if unicode.IsLower(runes[i-1]) {
		return true
	}
	next := runes[i+1:]
	plural := len(next) == 1 && next[0] == 's'
	return len(next) > 0 && unicode.IsLower(next[0]) && !plural
}
