package memory

import (
	"maps"
	"slices"
	"strings"
)

// oneLine returns the first line of s that contains text, with white space collapsed and at most MaxTitle
// runes. An ellipsis shows that something was cut.
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

// cleanList cleans a list of words: it passes each through clean, cuts it at maxEntry, and removes empty
// and repeated ones. At most maxList remain.
func cleanList(words []string, clean func(string) string) []string {
	var out []string
	for _, w := range words {
		w = strings.TrimSpace(clean(Clip(w, maxEntry)))
		if w != "" && !slices.Contains(out, w) && len(out) < maxList {
			out = append(out, w)
		}
	}
	return out
}

// clipFields returns named fields of bounded size.
func clipFields(fields map[string]string) map[string]string {
	fits := true
	for k, v := range fields {
		fits = fits && k == Clip(k, maxEntry) && v == Clip(v, maxField)
	}
	if fits {
		return fields
	}
	out := make(map[string]string, len(fields))
	for _, k := range sortedKeys(fields) {
		out[Clip(k, maxEntry)] = Clip(fields[k], maxField)
	}
	return out
}

func containsPath(words []string, w string) bool { return slices.Contains(words, w) }

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
