package rule

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// literals are texts of which each text that a regular expression matches has
// one, whatever its case: looking for them is much cheaper than trying the
// expression, and most texts have none of them. They may be those of several
// expressions.
type literals struct {
	begins   [64]uint64 // which hashes the beginnings of the texts have
	byBegins map[uint32][]literal
}

// A literal is what follows on the beginning of a text, and whether a word ends
// there.
type literal struct {
	rest string
	ends bool
	of   int // the number of its expression
}

const (
	minLiteral = 3   // below it, too many texts have it
	maxExact   = 512 // of the texts that a part of an expression matches, as long as they are listed
	maxJoined  = 64  // of those that are two of such lists joined
	maxClass   = 4   // of the characters in a class that count as texts
)

// mark stands in literals for the beginning or the end of a word. It counts as
// a character.
const mark = "\x00"

// add adds literals of an expression.
func (l *literals) add(of int, texts []string) {
	for _, text := range texts {
		bare := strings.Trim(text, mark)
		begin, used, marks := uint32(0), 0, strings.HasPrefix(text, mark)
		ends := strings.HasSuffix(text, mark)
		for n := 0; n < minLiteral; n++ {
			switch {
			case marks:
				begin, marks = begin<<8, false
			default:
				begin = begin<<8 | uint32(bare[used])
				used++
				marks = ends
				if used < len(bare) {
					marks = inWord(bare[used-1]) != inWord(bare[used])
				}
			}
		}
		if l.byBegins == nil {
			l.byBegins = map[uint32][]literal{}
		}
		l.begins[hash(begin)>>6] |= 1 << (hash(begin) & 63)
		l.byBegins[begin] = append(l.byBegins[begin], literal{rest: bare[used:], ends: ends, of: of})
	}
}

// hash spreads a beginning over the bits of literals.begins.
func hash(begin uint32) uint32 { return begin * 0x9E3779B1 >> 20 }

// every stands for all expressions.
const every = -1

// find calls found with the number of each expression that has a literal in a
// text, perhaps more than once, until it returns false.
func (l *literals) find(s string, found func(of int) bool) {
	begin, word := uint32(0), false
	for i := range len(s) {
		if w := inWord(s[i]); w != word {
			word, begin = w, begin<<8&0xFFFFFF
			if !l.tryBeginning(begin, s, i, found) {
				return
			}
		}
		begin = (begin<<8 | uint32(lowerByte(s[i]))) & 0xFFFFFF
		if s[i] >= utf8.RuneSelf && otherCase(begin) && !found(every) {
			return
		}
		if !l.tryBeginning(begin, s, i+1, found) {
			return
		}
	}
	if word {
		l.tryBeginning(begin<<8&0xFFFFFF, s, len(s), found)
	}
}

// otherCase reports whether last is the bytes of ſ and of the sign for kelvin, the only
// characters outside ASCII that are another case of ones in it.
func otherCase(last uint32) bool { return last == 0xE284AA || last&0xFFFF == 0xC5BF }

// tryBeginning calls found for the literals whose beginning ends at s[at:] and
// that go on as the text does.
func (l *literals) tryBeginning(begin uint32, s string, at int, found func(of int) bool) bool {
	if h := hash(begin); l.begins[h>>6]&(1<<(h&63)) == 0 {
		return true
	}
	for _, lit := range l.byBegins[begin] {
		end := at + len(lit.rest)
		if end > len(s) || !sameLower(lit.rest, s[at:end]) {
			continue
		}
		if lit.ends && end < len(s) && inWord(s[end]) {
			continue
		}
		if !found(lit.of) {
			return false
		}
	}
	return true
}

func sameLower(lowered, s string) bool {
	for i := range len(s) {
		if lowered[i] != lowerByte(s[i]) {
			return false
		}
	}
	return true
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// inWord reports whether c is what \w matches.
func inWord(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_':
		return true
	}
	return false
}

// A part of an expression matches only the texts in exact, in lower case, or,
// where exact is nil, only texts that have one of those in has. Where that is
// nil as well, nothing is known of what it matches.
type part struct{ exact, has []string }

// needed returns texts of which each text that the part matches has one, nil
// if there are none that are long enough.
func (p part) needed() []string {
	texts := p.has
	if p.exact != nil {
		texts = tidyTexts(p.exact)
	}
	if shortestLength(texts) < minLiteral {
		return nil
	}
	return texts
}

// tidyTexts returns texts without the marks where no word begins or ends.
func tidyTexts(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		bare := strings.Trim(text, mark)
		if bare == "" {
			continue
		}
		out[i] = bare
		if strings.HasPrefix(text, mark) && inWord(bare[0]) {
			out[i] = mark + out[i]
		}
		if strings.HasSuffix(text, mark) && inWord(bare[len(bare)-1]) {
			out[i] += mark
		}
	}
	return out
}

// shortestLength returns the length of the shortest text, 0 if there is none.
func shortestLength(texts []string) int {
	least := 0
	for i, text := range texts {
		if i == 0 || len(text) < least {
			least = len(text)
		}
	}
	return least
}

func read(re *syntax.Regexp) part {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpNoWordBoundary:
		return part{exact: []string{""}}
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary:
		return part{exact: []string{mark}}
	case syntax.OpLiteral:
		return readLiteral(re)
	case syntax.OpCharClass:
		return readClass(re)
	case syntax.OpCapture:
		return read(re.Sub[0])
	case syntax.OpPlus:
		return part{has: read(re.Sub[0]).needed()}
	case syntax.OpQuest:
		if p := read(re.Sub[0]); p.exact != nil && len(p.exact) < maxExact {
			return part{exact: append([]string{""}, p.exact...)}
		}
	case syntax.OpConcat:
		return readConcat(re)
	case syntax.OpAlternate:
		return readAlternate(re)
	}
	return part{}
}

// readLiteral reads characters that stand for themselves. Those outside ASCII
// whose case does not matter may stand for others, and the replacement
// character for bytes that are none.
func readLiteral(re *syntax.Regexp) part {
	var whole part
	begin := 0
	for i, r := range re.Rune {
		mayFold := r >= utf8.RuneSelf && re.Flags&syntax.FoldCase != 0
		if mayFold || r == 0 || r == utf8.RuneError {
			whole.has = betterOf(whole.has, []string{toLower(re.Rune[begin:i])})
			begin = i + 1
		}
	}
	last := []string{toLower(re.Rune[begin:])}
	if begin == 0 {
		return part{exact: last}
	}
	return part{has: betterOf(whole.has, last)}
}

// toLower returns characters as a text, those of ASCII in lower case.
func toLower(runes []rune) string {
	b := []byte(string(runes))
	for i, c := range b {
		b[i] = lowerByte(c)
	}
	return string(b)
}

func readClass(re *syntax.Regexp) part {
	var runes []string
	for i := 0; i < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if len(runes) == maxClass || r == 0 || r == utf8.RuneError {
				return part{}
			}
			runes = append(runes, toLower([]rune{r}))
		}
	}
	return part{exact: runes}
}

func readConcat(re *syntax.Regexp) part {
	all := part{exact: []string{""}}
	run := all.exact // what the parts up to here match, since the last that is not exact
	var best []string
	for _, sub := range re.Sub {
		p := read(sub)
		isSmall := len(run)*len(p.exact) <= maxJoined || len(run) == 1 || len(p.exact) == 1
		if p.exact != nil && isSmall {
			run = joinTexts(run, p.exact)
			continue
		}
		all.exact = nil
		best = betterOf(betterOf(best, tidyTexts(run)), p.has)
		run = []string{""}
		if p.exact != nil {
			run = p.exact
		}
	}
	if all.exact != nil {
		return part{exact: run}
	}
	return part{has: betterOf(best, tidyTexts(run))}
}

func joinTexts(before, after []string) []string {
	out := make([]string, 0, len(before)*len(after))
	for _, b := range before {
		for _, a := range after {
			switch {
			case b == "" || a == "":
				out = append(out, b+a)
			case b == mark:
				out = append(out, mark+strings.TrimPrefix(a, mark))
			case a == mark:
				out = append(out, strings.TrimSuffix(b, mark)+mark)
			default: // inside, the characters themselves say where words end
				out = append(out, strings.TrimSuffix(b, mark)+strings.TrimPrefix(a, mark))
			}
		}
	}
	return out
}

// betterOf returns those of two lists of texts that fewer texts have one of, as
// far as one can guess: the longer, then the fewer.
func betterOf(a, b []string) []string {
	const enough = 6 // a longer one is not much rarer
	la, lb := min(shortestLength(a), enough), min(shortestLength(b), enough)
	if la > lb || la == lb && len(a) <= len(b) {
		return a
	}
	return b
}

func readAlternate(re *syntax.Regexp) part {
	all, allExact, allNeed := part{}, true, true
	for _, sub := range re.Sub {
		p := read(sub)
		needed := p.needed()
		allExact, allNeed = allExact && p.exact != nil, allNeed && needed != nil
		all.exact = append(all.exact, p.exact...)
		all.has = append(all.has, needed...)
	}
	if !allExact || len(all.exact) > maxExact {
		all.exact = nil
	}
	if !allNeed {
		all.has = nil
	}
	return all
}
