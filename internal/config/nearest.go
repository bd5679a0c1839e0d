package config

import (
	"strings"

	"recollect/internal/config/layout"
	"recollect/internal/config/spelling"
)

// meant returns the end of a message about a name that is none of names: the
// one that was probably meant, or nothing where none is near.
func meant(name string, names []string) string {
	if near := nearest(name, names); near != "" {
		return ": did you mean " + near + "?"
	}
	return ""
}

// nearest returns the one of names that the fewest edits make of name: no more
// than one, and another one for every five letters. It returns "" where there
// is none. A missing table before a key counts as one edit, a wrong one as two.
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

// elsewhere counts the edits from name to a candidate in another table. Names
// that differ in more than that are as far apart as can be.
func elsewhere(name, candidate string) int {
	if strings.HasSuffix(candidate, "."+name) || strings.HasSuffix(candidate, "_"+name) {
		return 1
	}
	if n := spelling.Edits(layout.Name(name), layout.Name(candidate)); layout.Table(name) != "" && layout.Table(candidate) != "" && n <= 1 {
		return n + 2
	}
	return len(name) + len(candidate)
}
