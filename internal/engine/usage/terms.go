package usage

import (
	"slices"
	"strings"
	"unicode"

	"recollect/internal/text/prose"
)

// A term is something in a text that may be met in another.
type term struct {
	text string // lower case
	kind termKind
	run  int // terms of one run of text without white space say one thing
}

type termKind int

const (
	bareWord   termKind = iota // a word, or words with hyphens: says nothing by itself
	filePath                   // or an end of it
	fileName                   // or a version, or a name with dots
	identifier                 // a name in code, or an error's code
	number
	wordPair // two words that stand side by side, but for vague ones
)

// How much a term that two texts share says for the one being made of the
// other, in points.
const (
	forName = 2 // a path or a longer name in code
	forWord = 1 // a file's name, a number, a pair of words
)

// longName is the length from which a name in code is hardly met by chance, in
// bytes.
const longName = 6

func (t term) points() int {
	switch {
	case t.kind == filePath, t.kind == identifier && len(t.text) >= longName:
		return forName
	case t.kind == bareWord:
		return 0
	}
	return forWord
}

// words are those that must be uncommon for t to say something.
func (t term) words() []string {
	if t.kind == wordPair {
		return strings.Fields(t.text)
	}
	return []string{t.text}
}

// maxPathEnds bounds how many ends of a path are terms.
const maxPathEnds = 8

// A scanner finds the terms of a text and stores none of it.
type scanner struct {
	yield  func(term)
	run    int
	before string // the word before, if only white space or vague words are between
}

func scanTerms(text string, yield func(term)) {
	s := scanner{yield: yield}
	for text != "" {
		start := strings.IndexFunc(text, pathRune)
		if start < 0 {
			return
		}
		end := len(text)
		if n := strings.IndexFunc(text[start:], notPathRune); n >= 0 {
			end = start + n
		}
		if strings.ContainsAny(text[:start], ",;:!?()\n") {
			s.before = ""
		}
		run := strings.TrimRight(text[start:end], "./-")
		s.scanRun(strings.TrimLeft(run, "./-"))
		if len(run) < end-start {
			s.before = ""
		}
		text = text[end:]
	}
}

func pathRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_./-", r)
}

func notPathRune(r rune) bool { return !pathRune(r) }

// scanRun yields the terms of text without white space.
func (s *scanner) scanRun(run string) {
	s.run++
	rest := strings.ToLower(run)
	for range maxPathEnds {
		_, end, ok := strings.Cut(rest, "/")
		if !ok {
			break
		}
		s.yield(term{rest, filePath, s.run})
		rest = end
	}
	whole := strings.ContainsAny(run, "./")
	switch {
	case whole:
		s.yield(term{rest, fileName, s.run})
	case strings.Contains(rest, "-"):
		s.yield(term{rest, bareWord, s.run})
	}
	for _, word := range strings.FieldsFunc(run, prose.NotInName) {
		s.scanWord(word, !whole)
	}
	if whole {
		s.before = ""
	}
}

// scanWord yields a word, and if it may be part of one the pair that it ends.
func (s *scanner) scanWord(word string, pairs bool) {
	small := strings.ToLower(word)
	kind := bareWord
	if prose.IsIdentifier(word) {
		kind = identifier
	} else if isNumber(word) {
		kind = number
	}
	s.yield(term{small, kind, s.run})
	if vagueWords[small] || !pairs {
		return
	}
	small = strings.TrimSuffix(small, "s")
	if len(small) < 3 {
		s.before = ""
		return
	}
	if s.before != "" {
		s.yield(term{s.before + " " + small, wordPair, s.run})
	}
	s.before = small
}

// isNumber reports whether word is a number of two digits or more, with its
// unit or without, that is no year.
func isNumber(word string) bool {
	digits := strings.IndexFunc(word+"x", func(r rune) bool { return r < '0' || r > '9' })
	if digits == 4 && len(word) == 4 && slices.Contains([]string{"19", "20"}, word[:2]) {
		return false
	}
	return digits > 0 && len(word) >= 2 && len(word)-digits <= 3
}

// unwanted turn what follows them into what is not wanted.
var unwanted = prose.WordSet("not never don't dont instead rather without avoid over")

// vagueWords say nothing in a pair, nor as the name of a tool.
var vagueWords = prose.WordSet(`a about add added after again all also always an and any are as asked at be because been before
	but by can change changed code could did do does done each edited every file files first fix fixed for from get had has
	have how i if in into is it its just know last let like line lines look make may me more must my need needs new next no
	not now of off ok on once one only or other our out over please project ran read run runs same see set should so some
	still such than that the their them then there these they this those to too two under up use used user uses using via
	want wants was way we were what when where which while who why will with within work works would you your
	passed failed outcome decided reason successfully summary issue bug cause root main create created provide rationale wrong right never test tests error errors function`)

// everydayTools are in commands whatever is remembered.
var everydayTools = prose.WordSet(`awk bash cat cd chmod cp curl cut diff echo exit export find git grep head install kill ls
	make mkdir mv node npm npx pip pwd python python3 rm run sed sh sleep sort sudo tail tee test touch tree true wc
	which xargs build commit push pull status log add checkout start stop list all`)

// Signs returns what of a text may be recognized in another, with the points that each says for one being made of
// the other.
func Signs(text string) map[string]int {
	signs := map[string]int{}
	scanTerms(text, func(t term) {
		if n := t.points(); n > 0 {
			signs[t.text] = n
		}
	})
	return signs
}
