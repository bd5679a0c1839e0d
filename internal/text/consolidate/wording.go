package consolidate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// A wording is what a text says, as far as its words show it.
type wording struct {
	words   []string // in order, without those that say nothing, cut to their stems
	spelled []string // the same as they are spelled: a misspelled word has another stem
	kernel  string   // what must be equal: numbers, names in code, negations
}

// wordingOf reads what a memory says. Why it says so, which is not always
// known, is no part of it.
func wordingOf(m memory.Memory) wording {
	text := m.Text
	if !strings.HasPrefix(text, m.Title) {
		text = m.Title + "\n" + text
	}
	for _, field := range []string{"context", "problem", "solution"} {
		text += "\n" + m.Fields[field]
	}
	var s wording
	var kernel strings.Builder
	kernel.WriteString(m.AppliesTo)
	quoted := false
	for _, token := range strings.Fields(text) {
		ticks := strings.Count(token, "`")
		word, exact := wordIn(token, quoted || ticks > 0)
		quoted = quoted != (ticks%2 == 1)
		if word == "" {
			continue
		}
		s.spelled = append(s.spelled, word)
		if exact {
			kernel.WriteString("\n" + word)
		} else {
			word = stemOf(word)
		}
		s.words = append(s.words, word)
	}
	s.kernel = kernel.String()
	return s
}

// wordIn returns the word of a token, "" if it says nothing, and whether
// another in its place would say something else.
func wordIn(token string, quoted bool) (word string, exact bool) {
	token = strings.Trim(token, ".,;:!?\"'`()[]{}<>*“”‘’„«»…")
	plain := strings.ToLower(strings.ReplaceAll(token, "’", "'"))
	switch {
	case plain == "":
		return "", false
	case strings.HasPrefix(token, "-") || utf8.RuneCountInString(token) == 1 && quoted:
		return token, true // -v and -V differ
	case quoted || isName(token):
		return plain, true
	case negations[plain] || strings.HasSuffix(plain, "n't"):
		return "not", true
	case limits[plain]:
		return plain, true
	case empty[plain]:
		return "", false
	}
	return plain, false
}

// isName reports whether a token is a number, a path, an acronym or a name in
// code.
func isName(token string) bool {
	letters, capitals := 0, 0
	for _, r := range token {
		switch {
		case unicode.IsUpper(r):
			capitals++
			letters++
		case unicode.IsLetter(r):
			letters++
		case r != '\'' && r != '’' && r != '-':
			return true
		}
	}
	isAcronym := capitals == letters && letters > 1
	return letters == 0 || isAcronym || prose.IsIdentifier(token)
}

// negations turn what is said into its opposite, however they are written.
var negations = prose.WordSet(`not no never none nothing neither nor without cannot dont doesnt didnt wont cant isnt arent
	shouldnt mustnt avoid stop nicht nie niemals kein keine keinen ohne pas jamais sans nunca jamás sin`)

// limits say when, where or in which order something holds.
var limits = prose.WordSet(`only unless except instead before after until while if than over nur außer statt bevor nachdem bis falls
	seulement sauf avant après jusqu'à si solo salvo antes después hasta`)

// empty are words that say nothing about the subject.
var empty = prose.WordSet(`a an the please pls kindly just really very so then also always is are be been being was were am do does did
	will would shall should must i we you they it its my our your their me us them this that these those there to of and
	thanks thank bitte immer der die das ein eine ist sind und s'il te vous plaît toujours le la les un une est et
	por favor siempre el los las una es son y`)

// stemOf cuts English endings off, so that "commits", "committed" and
// "committing" are one word.
func stemOf(word string) string {
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// spare is the share of the words, one in so many, that the longer one of two
// statements may have more. In a short text each word counts.
const spare = 10

func closeInLength(a, b int) bool {
	return max(a, b)-min(a, b) <= max(a, b)/spare
}

// nearlyEqual reports whether s and other say the same in nearly the same words:
// those of the shorter one stand in the longer one, in the same order. One of
// them may be misspelled.
func (s wording) nearlyEqual(other wording) bool {
	if len(s.words) > len(other.words) {
		s, other = other, s
	}
	short, long := s.words, other.words
	if s.kernel != other.kernel || !closeInLength(len(short), len(long)) {
		return false
	}
	typos, more := 0, len(long)-len(short)
	for i := 0; i < len(short); {
		at := i + len(long) - len(short) - more
		switch {
		case short[i] == long[at]:
			i++
		case typos == 0 && min(len(short[i]), len(long[at])) >= minTypo && areMisspelled(s.spelled[i], other.spelled[at]):
			typos++
			i++
		case more > 0:
			more--
		default:
			return false
		}
	}
	return len(long) > 0
}

// minTypo is the length of a stem, in bytes, from which on a word with one
// other letter is more likely misspelled than another word.
const minTypo = 7

// areMisspelled reports whether two words differ by one letter more, less or
// other, or by two neighbours in the wrong order, but not by their first.
func areMisspelled(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == "" || len(b)-len(a) > 1 || a[0] != b[0] {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	return a[i+1:] == b[i+1:] || isSwapped(a[i:], b[i:])
}

// isSwapped reports whether a and b, which are of one length, differ in the order of their first two bytes.
func isSwapped(a, b string) bool {
	if len(a) < 2 || a[2:] != b[2:] {
		return false
	}
	return a[0] == b[1] && a[1] == b[0]
}
