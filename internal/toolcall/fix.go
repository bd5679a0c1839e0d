package toolcall

import "strings"

// FixKind is what a fix did: with equal ones the same was done twice.
// Edits are alike when they were made in the same file, commands when they
// begin with the same two words.
func FixKind(fix string) string {
	first, _, _ := strings.Cut(fix, "; ")
	verb, rest, _ := strings.Cut(first, " ")
	switch {
	case verb == "edited", verb == "wrote":
		file, _, _ := strings.Cut(rest, ":")
		return "edited " + file
	case verb == "ran":
		return "ran " + firstWords(rest, 2)
	case strings.HasSuffix(first, " works"):
		return "use " + firstWords(first, 1)
	}
	return ""
}

func firstWords(s string, n int) string {
	words := strings.Fields(strings.Trim(s, "`"))
	return strings.Trim(strings.Join(words[:min(n, len(words))], " "), "`")
}
