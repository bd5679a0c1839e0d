package secret

import (
	"strings"
)

// maxFlag bounds the name of an option, and maxFlagValue its value, in bytes.
const (
	maxFlag      = 64
	maxFlagValue = 4096
)

// flagValue returns the secret that an option of a command is given, where
// the keyword from start to end is part of the option's name:
//
//	--password hunter2    --db-password='…'    -token "…"    ["--api-key", "…"]
//
// The value may contain any characters. Variables and placeholders, paths, and the next
// word of a sentence about the option are not secrets.
func flagValue(text string, start, end int) (span, bool) {
	from, to := flagName(text, start, end)
	if from < 0 {
		return span{}, false
	}
	class := classOf(strings.TrimLeft(text[from:to], "-"))
	switch class {
	case noSecret, maybeKey:
		return span{}, false
	case maybePassword:
		class = passwordName
	}
	v, ok := valueBehind(text, from, to)
	if !ok {
		return span{}, false
	}
	s := text[v.start:v.end]
	if noFlagValue(s, class) || v.loose && isNextWord(text, from, s, class) {
		return span{}, false
	}
	return v.span, true
}

// isNextWord reports whether s, which only a space parts from the option at from, is the next word
// of a sentence about it.
func isNextWord(text string, from int, s string, c class) bool {
	return isWordOnly(s) && (c != passwordName || inProse(text, from, s))
}

// flagName returns where the option that has text[start:end] in its name
// begins and ends, dashes included, −1 if there is none.
func flagName(text string, start, end int) (from, to int) {
	for from = start; from > 0 && start-from < maxFlag && isInName(text[from-1]); from-- {
	}
	for to = end; to < len(text) && to-end < maxFlag && isInName(text[to]); to++ {
	}
	dashes := len(text[from:to]) - len(strings.TrimLeft(text[from:to], "-"))
	if !isWithin(dashes, 1, 2) || from > 0 && !isOneOf(text[from-1], " \t\r\n\"'`([{,|\\;") {
		return -1, -1
	}
	return from, to
}

// A flagSpan is the value of an option. It is loose if only a space parts it
// from the option: then it may be the next word of a sentence.
type flagSpan struct {
	span
	loose bool
}

// valueBehind returns the value of the option text[from:to].
func valueBehind(text string, from, to int) (flagSpan, bool) {
	i, loose, list := to, false, false
	if rest := text[i:]; beginsWithSign(rest) {
		i++
	} else if n := listSeparator(rest); n > 0 {
		i, list = i+n, true
	} else if n := blankLength(rest); n > 0 {
		i, loose = i+n, true
	} else {
		return flagSpan{}, false
	}
	if opensMarkedQuote(text[i:]) {
		i++
	}
	if c := byteAt(text, i); isQuote(c) && (list || byteAt(text, from-1) != c) {
		if n := quotedLength(text[i:], list); n > 0 {
			return flagSpan{span: span{start: i + 1, end: i + 1 + n}}, true
		}
		return flagSpan{}, false
	}
	if list {
		return flagSpan{}, false
	}
	end := wordEnd(text, i)
	return flagSpan{span: span{start: i, end: end}, loose: loose}, end > i
}

// listSeparator returns how long the rest is of an option in a list of
// arguments, up to the quote of the next one: `", "`.
func listSeparator(s string) int {
	t := strings.TrimPrefix(s, `\`)
	if t == "" || !isQuote(t[0]) {
		return 0
	}
	q := t[0]
	t = strings.TrimLeft(t[1:], " \t\r\n")
	rest, comma := strings.CutPrefix(t, ",")
	rest = strings.TrimPrefix(strings.TrimLeft(rest, " \t\r\n"), `\`)
	if !comma && len(t) == len(s)-1 || byteAt(rest, 0) != q {
		return 0
	}
	return len(s) - len(rest)
}

// blankLength returns how long the space is that s begins with. The end of a line
// is only part of it where a backslash says that the line goes on.
func blankLength(s string) int {
	t := strings.TrimLeft(s, " \t")
	if len(t) == len(s) {
		return 0
	}
	for _, goesOn := range []string{"\\\n", "\\\r\n"} {
		if rest, ok := strings.CutPrefix(t, goesOn); ok {
			t = strings.TrimLeft(rest, " \t")
		}
	}
	return len(s) - len(t)
}

// quotedLength returns how long the value is that s begins with in quotes, 0
// if there is none. In a list of arguments one with a space is a description.
func quotedLength(s string, list bool) int {
	q := s[0]
	for i := 1; i < min(len(s), maxFlagValue); i++ {
		next := byteAt(s, i+1)
		switch c := s[i]; {
		case c == '\\' && q != '\'' && next != q:
			i++
		case c == '\\' && next == q && isWord(byteAt(s, i+2)):
			i++ // a quote within
		case c == '\\' && next == q, c == q:
			return i - 1
		case c == '\n', list && isSpace(c):
			return 0
		}
	}
	return 0
}

// wordEnd returns where the word ends that begins at i. A quote ends it too,
// unless the word goes on behind it; what ends a sentence, a list or a command
// is no part of it.
func wordEnd(text string, i int) int {
	end := i
	for end < len(text) && end-i < maxFlagValue && !isSpace(text[end]) {
		if isQuote(text[end]) && (end+1 == len(text) || !isWord(text[end+1])) {
			break
		}
		end++
	}
	return i + len(strings.TrimRight(text[i:end], `.,;:)\`))
}

// beginsWithSign reports whether s, behind the name of an option, begins with the sign that gives it a value.
func beginsWithSign(s string) bool {
	if byteAt(s, 0) == ':' {
		return len(s) > 1 && !isSpace(s[1])
	}
	return byteAt(s, 0) == '='
}

// opensMarkedQuote reports whether s begins with a quote that is escaped, or with $' of a shell.
func opensMarkedQuote(s string) bool {
	return strings.HasPrefix(s, "$'") || byteAt(s, 0) == '\\' && isQuote(byteAt(s, 1))
}
