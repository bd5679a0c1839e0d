package memory

import (
	"maps"
	"slices"
	"strings"
)

// oneLine returns the first line of s that has text, with runs of white space
// folded and at most MaxTitle runes; an ellipsis marks what was cut.
func oneLine(s string) string {
	s = strings.TrimSpace(s)
	s, _, _ = strings.Cut(s, "\n")
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	r := []rune(s)
	if len(r) <= MaxTitle {
		return s
	}
	return strings.TrimRight(string(r[:MaxTitle-1]), " ") + "…"
}

// list cleans a list of words: each passed through clean, empty ones and
// repetitions left out, each cut at maxEntry, at most maxList kept.
func list(words []string, clean func(string) string) []string {
	var out []string
	for _, w := range words {
		w = strings.TrimSpace(clean(Clip(w, maxEntry)))
		if w != "" && !slices.Contains(out, w) && len(out) < maxList {
			out = append(out, w)
		}
	}
	return out
}

func contains(words []string, w string) bool { return slices.Contains(words, w) }

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
