package form

import (
	"regexp"
	"strings"
	"sync"

	"recollect/internal/memory/secret/chars"
)

// A private key is a block of lines between "-----BEGIN … PRIVATE KEY…-----"
// and "-----END …", or one of OpenVPN's. Of one that was cut only the beginning or the end may be
// there: then it goes on to the end of the text, or begins with the first of
// the lines that look like a key's.
var keyEdge = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`-----(BEGIN|END)(?:[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?| OpenVPN [\w -]{1,40}?)-----`)
})

// FindKeyBlocks returns the private keys in s.
func FindKeyBlocks(s string) []Span {
	if !strings.Contains(s, "PRIVATE KEY") && !strings.Contains(s, "BEGIN OpenVPN ") {
		return nil
	}
	var out []Span
	open, last := -1, 0 // where a key began that has not ended, and where the last one ended
	for _, m := range keyEdge().FindAllStringSubmatchIndex(s, -1) {
		if s[m[2]:m[3]] == "BEGIN" {
			out = append(out, unfinished(s, open, m[0])...)
			open = m[0]
			continue
		}
		start := open
		if open < 0 {
			start = last + lineStartAbove(s[last:m[0]])
		}
		out = append(out, keyBlock(start, m[1]))
		open, last = -1, m[1]
	}
	return append(out, unfinished(s, open, len(s))...)
}

// rankKey comes before all rules: a key may hold what looks like a token.
const rankKey = -1

func keyBlock(start, end int) Span {
	return Span{Start: start, End: end, Kind: "private-key", Rank: rankKey}
}

// unfinished returns the key that begins at open and has no end before end.
// It is none where the words are only spoken of.
func unfinished(s string, open, end int) []Span {
	if open < 0 {
		return nil
	}
	const soon = 300 // bytes: the line itself, and headers of an encrypted key
	run := 0
	for i := open + len("-----BEGIN PRIVATE KEY-----"); i < min(end, open+soon); i++ {
		if run++; !isBase64(s[i]) {
			run = 0
		}
		if run == MinRun {
			return []Span{keyBlock(open, end)}
		}
	}
	return nil
}

// lineStartAbove returns where the lines of a key begin that end s.
func lineStartAbove(s string) int {
	start := len(s)
	for start > 0 {
		line := strings.LastIndexByte(s[:start-1], '\n') + 1
		if n := keyLine(s[line:start]); n < 0 || chars.IsWithin(n, 1, MinRun-1) && start < len(s) {
			break
		}
		start = line
	}
	return start
}

// keyLine returns how many characters a line has in whatever quotes, −1 where
// they are no base64. Only the last line of a key is a short one.
func keyLine(line string) int {
	line = strings.Trim(strings.ReplaceAll(line, `\n`, ""), " \t\r\n\"'`+,>|")
	for i := range len(line) {
		if !isBase64(line[i]) {
			return -1
		}
	}
	return len(line)
}

func isBase64(c byte) bool { return chars.IsWord(c) && c != '_' || chars.IsOneOf(c, "+/=") }
