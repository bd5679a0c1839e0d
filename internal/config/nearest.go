package config

import (
	"strings"

	"recollect/internal/config/layout"
	"recollect/internal/config/spelling"
)

// meant returns the end of a message about an unknown name: the name that was probably meant, or "" if
// none is similar.
func meant(name string, names []string) string {
	if similar := nearest(name, names); similar != "" {
		return ": did you mean " + similar + "?"
	}
	return ""
}

// nearest returns the one of names that needs the fewest edits to become name: at most one, and one more
// for every five letters. It returns "" if there is none. A missing table before a key counts as one
// edit, a wrong one as two.
func nearest(name string, names []string) string {
	best, found := 2+len(name)/5, ""
	name = strings.ToLower(name)
	for _, candidate := range names {
		c := strings.ToLower(candidate)
		n := min(spelling.Edits(name, c), elsewhere(name, c))
		if n < best {
			best, found = n, candidate
		}
	}
	return found
}

// elsewhere counts the edits from name to a candidate in another table. It returns a very large number if
// the names differ in more than the table.
func elsewhere(name, candidate string) int {
	if strings.HasSuffix(candidate, "."+name) || strings.HasSuffix(candidate, "_"+name) {
		return 1
	}
	if n := spelling.Edits(layout.Name(name), layout.Name(candidate)); layout.Table(name) != "" && layout.Table(candidate) != "" && n <= 1 {
		return n + 2
	}
	return len(name) + len(candidate)
}
