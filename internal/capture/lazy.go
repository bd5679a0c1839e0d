package capture

import (
	"regexp"
	"sync"
)

// A lazyRegexp is a regular expression that is compiled when it is first used.
// There are so many of them here that compiling all takes longer than the rest
// of a process's start, and most processes capture nothing.
type lazyRegexp struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// lazy does what regexp.MustCompile does, later: a text that is no regular
// expression panics where it is first used.
func lazy(text string) *lazyRegexp { return &lazyRegexp{text: text} }

// The methods below are those of regexp.Regexp.
func (l *lazyRegexp) re() *regexp.Regexp {
	l.once.Do(func() { l.compiled = regexp.MustCompile(l.text) })
	return l.compiled
}

func (l *lazyRegexp) MatchString(s string) bool { return l.re().MatchString(s) }

func (l *lazyRegexp) FindString(s string) string { return l.re().FindString(s) }

func (l *lazyRegexp) FindStringIndex(s string) []int { return l.re().FindStringIndex(s) }

func (l *lazyRegexp) FindStringSubmatch(s string) []string { return l.re().FindStringSubmatch(s) }

func (l *lazyRegexp) FindStringSubmatchIndex(s string) []int {
	return l.re().FindStringSubmatchIndex(s)
}

func (l *lazyRegexp) FindAllStringSubmatch(s string, n int) [][]string {
	return l.re().FindAllStringSubmatch(s, n)
}

func (l *lazyRegexp) ReplaceAllString(s, with string) string {
	return l.re().ReplaceAllString(s, with)
}

func (l *lazyRegexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return l.re().ReplaceAllStringFunc(s, with)
}
