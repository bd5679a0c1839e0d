package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// maxAddress bounds the part of an address that names a user and a password, in bytes.
const maxAddress = 1024

// webSchemes are of addresses that have a path with an at sign now and then.
var webSchemes = []string{"http", "https", "ws", "wss", "git", "file"}

// addressPassword returns the password in the address whose user begins at i:
// postgres://ada:…@db/x. It ends at the last at sign before a host, because a
// password may have one itself.
func addressPassword(text string, i int) []form.Span {
	from := i - len("://")
	for from > 0 && i-from < 20 && isInScheme(text[from-1]) {
		from--
	}
	scheme := strings.ToLower(text[from : i-len("://")])
	stops := " \t\r\n\"'`<>"
	if slices.Contains(webSchemes, scheme) {
		stops += "/?#"
	}
	rest := text[i:min(len(text), i+maxAddress)]
	if end := strings.IndexAny(rest, stops); end >= 0 {
		rest = rest[:end]
	}
	user, host := strings.IndexByte(rest, ':'), hostBehind(rest)
	if user < 0 || host < user+2 || strings.ContainsAny(rest[:user], "/?#@") {
		return nil
	}
	s := rest[user+1 : host]
	switch {
	case looks.IsFilledIn(s), chars.ContainsAny(s, looks.MarkerStart, "://"), chars.ConsistsOf(s, "*•.x"),
		slices.Contains([]string{"password", "pass", "pw", "pwd"}, s),
		looks.IsIdentifier(rest[:user]) && strings.ToUpper(rest[:user]) == rest[:user] && looks.IsMetavariable(s):
		return nil
	}
	return []form.Span{{Start: i + user + 1, End: i + host}}
}

// hostBehind returns where the last at sign is that a host follows, −1 if there is none.
func hostBehind(s string) int {
	for end := len(s); ; {
		at := strings.LastIndexByte(s[:end], '@')
		if at < 0 || beginsHost(s[at+1:]) {
			return at
		}
		end = at
	}
}

var cookiePair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([^=;\s"']+)(?:=|["']\s*:\s*["'])([^;\s"'\x60,]+)`) })

// cookieAttributes are no cookies, but say for how long one is kept, and where.
var cookieAttributes = []string{"path", "domain", "expires", "max-age", "samesite", "priority", "version"}

// cookieValues returns the values of the cookies in a header, or in an option
// of a command, whose name ends at i. A word, like the name of a theme or a
// language, opens no session. It also returns up to where it has read.
func cookieValues(text string, i int) (out []form.Span, read int) {
	line, _, _ := strings.Cut(text[i:min(len(text), i+maxValue)], "\n")
	if n := len(line) - len(strings.TrimLeft(line, "s\"'\\])")); n >= len(line) || strings.IndexByte(":= (,", line[n]) < 0 {
		return nil, i
	}
	for _, m := range cookiePair().FindAllStringSubmatchIndex(line, -1) {
		name, value := strings.ToLower(line[m[2]:m[3]]), line[m[4]:m[5]]
		if !slices.Contains(cookieAttributes, name) && isCookieSecret(value) {
			out = append(out, form.Span{Start: i + m[4], End: i + m[5]})
		}
	}
	return out, i + len(line)
}

func isInScheme(c byte) bool { return chars.IsInName(c) || c == '+' }

// beginsHost reports whether s, behind an @, may begin with the name of a host.
func beginsHost(s string) bool { return s != "" && (chars.IsWord(s[0]) || chars.IsOneOf(s[0], "[${")) }

func isCookieSecret(value string) bool {
	return len(value) >= 6 && !chars.IsAny(value, looks.IsFilledIn, looks.IsNameOnly, looks.IsCodeLike, looks.IsDate)
}
