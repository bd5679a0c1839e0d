package form

import (
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/looks"
)

// issued prefixes begin tokens whose issuers mark them so.
var tokenPrefixes = []string{
	"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "sk-", "sk_live_", "sk_test_", "rk_live_", "xoxb-", "xoxp-", "xoxa-", "xapp-", "AKIA", "ASIA", "AIza",
	"npm_", "pypi-", "eyJ", "hf_", "dop_v1_", "SG.", "shpat_", "AGE-SECRET-KEY-", "ya29.", "whsec_", "lin_api_", "nvapi-", "gsk_", "dckr_pat_", "ATATT", "glsa_", "xai-",
}

const (
	leastHead = 6 // characters of a wrapped token behind its prefix, on its first line
	leastTail = 4 // and on each further line
	mostTails = 8 // further lines
)

// FindWrappedTokens returns the tokens in s that a terminal, a mail or a page has wrapped over lines.
func FindWrappedTokens(s string) []Span {
	var out []Span
	for at, end := 0, 0; at < len(s); at = end + 1 {
		if end = strings.IndexByte(s[at:], '\n'); end < 0 {
			break
		}
		end += at
		head, ok := lastToken(s, at, end)
		if !ok {
			continue
		}
		tails := tailsOf(s, end+1)
		if len(tails) > 0 {
			for _, part := range append(tails, head) {
				out = append(out, Span{Start: part.Start, End: part.End, Kind: "token", Rank: RankShape})
			}
		}
	}
	return out
}

// lastToken returns the token that a line ends with.
func lastToken(s string, from, to int) (Span, bool) {
	to = from + len(strings.TrimRight(s[from:to], " \t\r\\"))
	start := to
	for start > from && isInToken(s[start-1]) {
		start--
	}
	for _, prefix := range tokenPrefixes {
		rest, ok := strings.CutPrefix(s[start:to], prefix)
		if ok && len(rest) >= leastHead && !chars.IsAny(rest, looks.IsWordy, looks.IsPlaceholder) {
			return Span{Start: start, End: to}, true
		}
	}
	return Span{}, false
}

// tailsOf returns the further parts of a token, each the first of a line.
func tailsOf(s string, at int) (out []Span) {
	for len(out) < mostTails && at < len(s) {
		line := LineAt(s, at)
		start := at + len(line) - len(strings.TrimLeft(line, " \t>│|"))
		end := start
		for end < at+len(line) && isInToken(s[end]) {
			end++
		}
		part := s[start:end]
		if !isTail(part) || assignsBehind(s, end) {
			break
		}
		out = append(out, Span{Start: start, End: end})
		if at += len(line) + 1; strings.TrimRight(s[end:at-1], " \t\r\\") != "" {
			break // more stands on its line, so it ended there
		}
	}
	return out
}

// isTail reports whether a part of a line may go on with a token of the line before.
func isTail(part string) bool {
	words := len(part) >= 8 && looks.IsWordy(part)
	return len(part) >= leastTail && strings.ContainsAny(part, chars.Digits) && !words
}

// assignsBehind reports whether a name ends at i to which something is assigned.
func assignsBehind(s string, i int) bool {
	if value, ok := strings.CutPrefix(s[min(i, len(s)):], "="); ok {
		return value != "" && value[0] != '=' && !chars.IsSpace(value[0])
	}
	return i < len(s) && s[i] == ':'
}

// isInToken reports whether c is a character of tokens.
func isInToken(c byte) bool { return chars.IsWord(c) || strings.IndexByte("-.+/", c) >= 0 }
