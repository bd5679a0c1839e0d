// Package rule reads the rules that read text: tables of regular expressions,
// each with a name, a language and two examples, and words that they name. It
// knows nothing of what they look for; the tables stand in the packages that go
// by them, in files that are embedded. Nothing is read or compiled before it is
// used.
//
// A file is TOML:
//
//	lowered = true # the texts come in lower case
//
//	[around] # what stands around each pattern of a table
//	wish = '^(?:{pattern})'
//
//	[words] # {verb} stands for (?:use|write)
//	verb = ["use", "write"]
//
//	[[wish]]
//	name = "always-verb"
//	language = "en"
//	pattern = '(?:always|never) {verb}\b'
//	takes = "Always use tabs"
//	refuses = "It always fails"
//
// A table of one rule is [name] and names it. To add a rule, write it where it
// belongs among the others and run the test of its package.
package rule

import (
	"regexp"
	"regexp/syntax"
	"sync"
)

// A Regexp is a regular expression that is compiled when it is first tried, and
// tried only on texts that have one of the words that it needs. There are so
// many of them here that compiling all takes longer than the rest of a
// process's start, and most match hardly any text.
type Regexp struct {
	text     string
	reading  sync.Once
	needed   []string // what the texts that match have one of, nil if that is not known
	literals literals // the same
	once     sync.Once
	compiled *regexp.Regexp
}

// Lazy does what regexp.MustCompile does, later: a text that is no regular
// expression panics where it is first used.
func Lazy(text string) *Regexp { return &Regexp{text: text} }

// read reads what all texts have that match.
func (l *Regexp) read() {
	l.reading.Do(func() {
		parsed, err := syntax.Parse(l.text, syntax.Perl)
		if err != nil {
			return // compiling it says so
		}
		parsed = parsed.Simplify()
		l.needed = read(parsed).needed()
		l.literals.add(0, l.needed)
	})
}

// cannotMatch says, without trying, whether a text does not match.
func (l *Regexp) cannotMatch(s string) bool {
	l.read()
	has := l.needed == nil
	if !has {
		l.literals.find(s, func(int) bool { has = true; return false })
	}
	return !has
}

func (l *Regexp) re() *regexp.Regexp {
	l.once.Do(func() { l.compiled = regexp.MustCompile(l.text) })
	return l.compiled
}

// The methods below are those of regexp.Regexp.

func (l *Regexp) MatchString(s string) bool { return !l.cannotMatch(s) && l.re().MatchString(s) }

func (l *Regexp) FindString(s string) string {
	if l.cannotMatch(s) {
		return ""
	}
	return l.re().FindString(s)
}

func (l *Regexp) FindStringIndex(s string) []int {
	if l.cannotMatch(s) {
		return nil
	}
	return l.re().FindStringIndex(s)
}

func (l *Regexp) FindStringSubmatch(s string) []string {
	if l.cannotMatch(s) {
		return nil
	}
	return l.re().FindStringSubmatch(s)
}

func (l *Regexp) FindStringSubmatchIndex(s string) []int {
	if l.cannotMatch(s) {
		return nil
	}
	return l.re().FindStringSubmatchIndex(s)
}

func (l *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	if l.cannotMatch(s) {
		return nil
	}
	return l.re().FindAllStringSubmatch(s, n)
}

func (l *Regexp) ReplaceAllString(s, with string) string {
	if l.cannotMatch(s) {
		return s
	}
	return l.re().ReplaceAllString(s, with)
}

func (l *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	if l.cannotMatch(s) {
		return s
	}
	return l.re().ReplaceAllStringFunc(s, with)
}
