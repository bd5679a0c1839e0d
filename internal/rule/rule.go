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
	"sync"
)

// A Regexp is a regular expression that is compiled when it is first used.
// There are so many of them here that compiling all takes longer than the rest
// of a process's start, and most processes capture nothing.
type Regexp struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// Lazy does what regexp.MustCompile does, later: a text that is no regular
// expression panics where it is first used.
func Lazy(text string) *Regexp { return &Regexp{text: text} }

// The methods below are those of regexp.Regexp.
func (l *Regexp) re() *regexp.Regexp {
	l.once.Do(func() { l.compiled = regexp.MustCompile(l.text) })
	return l.compiled
}

func (l *Regexp) MatchString(s string) bool { return l.re().MatchString(s) }

func (l *Regexp) FindString(s string) string { return l.re().FindString(s) }

func (l *Regexp) FindStringIndex(s string) []int { return l.re().FindStringIndex(s) }

func (l *Regexp) FindStringSubmatch(s string) []string { return l.re().FindStringSubmatch(s) }

func (l *Regexp) FindStringSubmatchIndex(s string) []int {
	return l.re().FindStringSubmatchIndex(s)
}

func (l *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return l.re().FindAllStringSubmatch(s, n)
}

func (l *Regexp) ReplaceAllString(s, with string) string {
	return l.re().ReplaceAllString(s, with)
}

func (l *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return l.re().ReplaceAllStringFunc(s, with)
}
