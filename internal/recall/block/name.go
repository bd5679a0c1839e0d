package block

import (
	"strings"
	"unicode"

	"recollect/internal/text/disguise"
)

// inName are the signs that the name of a file, a project or a session's agent has beside letters
// and digits. None of them ends one of the facts in a heading.
const inName = `._-/\@+~#%=:$`

// Name returns a name as it stands among other words: as it is if it has only what such names have,
// else in quotes, so that none can say something beside itself.
func Name(name string) string {
	name = Inline(name)
	if name != "" && !strings.ContainsFunc(name, isForeignToNames) {
		return name
	}
	return quoted(name)
}

// isForeignToNames reports whether no name of a file, a project or an agent has r.
func isForeignToNames(r rune) bool {
	plain := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
	return !plain && !strings.ContainsRune(inName, r)
}

// quoted returns words in quotes that they cannot end.
func quoted(words string) string {
	return `"` + strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Quotation_Mark, r) && r != '\'' && r != '’' {
			return '\''
		}
		return r
	}, words) + `"`
}

// InQuotes returns a name as it may stand between single quotes, which it cannot end.
func InQuotes(name string) string { return strings.ReplaceAll(Inline(name), "'", "’") }

// Signature returns the name of an author as it stands among other words. Who claims to be the
// user, Claude, the system or an administrator is not taken at their word.
func Signature(author string) string {
	shown := Inline(author)
	switch {
	case disguise.Claims(author):
		return quoted(shown) + " (as claimed)"
	case strings.ContainsAny(author, endsFact):
		return quoted(shown)
	}
	return shown
}

// endsFact are the signs that may end the fact in a heading that a name is part of.
const endsFact = ",;:()[]{}|\"“”„«»，；：（）［］「」、"
