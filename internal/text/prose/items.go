package prose

import (
	"fmt"
	"strings"

	"recollect/internal/text/rule"
)

// JoinItems returns the items of a list in a row, in at most about room bytes.
// Where there is too little room, items lose their details first, so that the
// others remain, and then the last items go, but not without a word.
func JoinItems(items []string, room int) string {
	const between = "; "
	size := len(between) * max(0, len(items)-1)
	for _, item := range items {
		size += len(item)
	}
	if size > room {
		items = shortened(items, room)
	}
	return strings.Join(items, between)
}

// shortened returns as many of the items as there is room for.
func shortened(items []string, room int) []string {
	var out []string
	for i, item := range items {
		share := max(room/(len(items)-i), minItem)
		if len(item) > share {
			item = ClipClause(withoutDetails(withoutPlaces(item), share), max(share, minClipped))
		}
		if len(item) > room && i > 0 {
			return append(out, fmt.Sprintf("%d more", len(items)-i))
		}
		item = ClipClause(item, max(room, minItem))
		out = append(out, item)
		room -= len(item) + len("; ")
	}
	return out
}

// Bounds of items where there is too little room, in bytes.
const (
	minItem    = 70  // that an item with details keeps
	minClipped = 110 // that an item without any keeps
)

// withoutPlaces drops from an item the brackets that only say where something
// is: "Moved the lock (store/shelf.go:12-17): it is taken first".
func withoutPlaces(item string) string { return place.ReplaceAllString(item, "") }

var place = rule.Lazy(` \((?:(?:in|at) )?(?:[\w.]*/[\w./-]+(?::[\d-]+)?|\w+\.\w+:[\d-]+|lines? [\d-]+)\)`)

// withoutDetails drops of an item what goes on behind its first n bytes, if
// what remains says something: its further sentences, what is listed or set
// apart behind it. Else it remains as it is.
func withoutDetails(item string, n int) string {
	end, listed := 0, false
	depth, quoted := 0, false
	for i := 0; i < min(n, len(item)-1); i++ {
		switch c := item[i]; {
		case c == '`':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth > 0:
		case c == '.' && endsSentence(item, 0, i), c == ';' && item[i+1] == ' ', c == ',' && listed:
			end = i
		case c == ':' && item[i+1] == ' ':
			if listed = true; !isOpenEnded(item[:i]) && strings.Count(item[end:i], " ") > 1 {
				end = i
			}
		case strings.HasPrefix(item[i:], " - "), strings.HasPrefix(item[i:], " – "), strings.HasPrefix(item[i:], " — "):
			end = i
		}
	}
	if end < minDetailed {
		return item
	}
	return strings.TrimRight(item[:end], " ")
}

// minDetailed is how many bytes say something without what follows them.
const minDetailed = 30

// ClipClause shortens s to n bytes at the end of a sentence; where there is none
// in its second half, at the end of a clause or between two words, with an
// ellipsis.
func ClipClause(s string, n int) string {
	if len(s) <= n {
		return s
	}
	sentence, clause := clauseEnds(s, n-len("…"))
	switch {
	case sentence*2 >= n:
		return strings.TrimRight(s[:sentence], ";")
	case clause*4 >= n*3:
		return s[:clause] + "…"
	}
	return ClipWords(s, n-len("…"))
}

// clauseEnds returns where the last sentence and the last clause end in the
// first n bytes of s, outside of code and brackets.
func clauseEnds(s string, n int) (sentence, clause int) {
	depth, quoted := 0, false
	for i := range s[:n] {
		switch c := s[i]; {
		case c == '`':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case depth > 0:
		case c == '.' && endsSentence(s, 0, i), c == ';':
			sentence = i + 1
		case c == ',' && s[i+1] == ' ':
			clause = i
		}
	}
	return sentence, clause
}
