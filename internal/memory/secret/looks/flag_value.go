package looks

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
)

// NoPassword reports whether s is no password though an option for one has it.
func NoPassword(s string) bool { return NoFlagValue(s, PasswordName) }

// NoFlagValue reports whether s, which an option for a secret is given, is none:
// something that is filled in or looked up, another option, a placeholder.
func NoFlagValue(s string, c Class) bool {
	switch {
	case len(s) < 4, chars.IsAny(s, IsFilledIn, nextFlag, isReference, chars.RepeatsOne):
		return true
	case chars.ConsistsOf(s, chars.Digits+"."):
		return c != PasswordName && len(s) < 8
	case c != PasswordName && isPlainName(s):
		return true
	}
	return IsMetavariable(s)
}

// isPlainName reports whether s is the name of a secret that lies elsewhere.
func isPlainName(s string) bool { return len(s) < 20 && IsWordOnly(s) && s == strings.ToLower(s) }

// IsFilledIn reports whether s is a variable or a placeholder in one of the usual signs. A
// sign alone makes none: a password may begin with it.
func IsFilledIn(s string) bool {
	for _, open := range []string{"${{", "${", "$(", "{{", "#{", "<%", "%(", "$", "<", "{", "[", "%"} {
		if body, ok := strings.CutPrefix(s, open); ok {
			return isPlaceholderBehind(open, body)
		}
	}
	if i := strings.Index(s, "${"); i > 0 {
		name, _, closed := strings.Cut(s[i+2:], "}")
		return closed && IsIdentifier(name) && IsWordy(name)
	}
	return strings.HasPrefix(s, "…") || strings.HasPrefix(s, "...") || strings.HasSuffix(s, "%s")
}

// isPlaceholderBehind reports whether body, behind the sign that opens a placeholder, begins with a
// name and ends as a placeholder does.
func isPlaceholderBehind(open, body string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(body, "{(<% ."), "env:"), "Env:")
	end := strings.IndexFunc(name, func(r rune) bool { return r >= 0x80 || !chars.IsInName(byte(r)) })
	if end < 0 {
		end = len(name)
	}
	switch {
	case name == "":
		return true
	case end == 0 || !IsWordy(name[:end]):
		return false
	case open == "<" && name == strings.ToLower(name):
		return true
	case len(open) == 1:
		return closesPlaceholder(open, name[end:])
	}
	return name[end:] == "" || !chars.HasDigit(name[:end]) || chars.IsOneOf(chars.LastByte(body), ")}]>")
}

// closesPlaceholder reports whether the rest behind a name in a placeholder is its end:
// a variable may be part of a path or have an index.
func closesPlaceholder(open, rest string) bool {
	switch open {
	case "<":
		return strings.Trim(rest, ">") == "" && rest != ""
	case "{", "[":
		return strings.Trim(rest, "]}") == "" && rest != ""
	case "%":
		return rest == "%"
	}
	switch {
	case rest == "", rest == "}":
		return true
	case rest[0] == '[':
		return chars.LastByte(rest) == ']'
	}
	return rest[0] == '/' && isReference(rest)
}

// IsIdentifier reports whether s may be the name of a variable.
func IsIdentifier(s string) bool {
	for i := range len(s) {
		if !chars.IsInName(s[i]) {
			return false
		}
	}
	return s != ""
}

// IsWordy reports whether the letters of s are written as words are, not as a
// generator of passwords throws them: lower case, upper case or with a capital,
// with a vowel somewhere, in parts that are not all tiny, with one number at most.
func IsWordy(s string) bool {
	if !onePlaceOfDigits(s) {
		return false
	}
	parts, acronym, letters := WordsOf(s), false, 0
	for _, p := range parts {
		letters += len(p)
		upper := p == strings.ToUpper(p)
		acronym = acronym || upper && len(p) > 1
		if !chars.IsOfOneCase(p) || len(p) > 4 && !chars.HasVowel(p) {
			return false
		}
	}
	lower := strings.ToLower(s)
	if len(s) < 8 || s == lower || s == strings.ToUpper(s) {
		return true
	}
	return !acronym && 2*letters >= 7*len(parts) || slices.ContainsFunc(secretNouns, func(n string) bool { return strings.Contains(lower, n) })
}

// secretNouns are in the names of variables that hold a secret.
var secretNouns = []string{"pass", "pwd", "token", "secret", "key", "auth", "cred", "user"}

func onePlaceOfDigits(s string) bool {
	return len(strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })) < 2
}

// WordsOf splits a name into its words: at signs and digits, and where a capital
// begins a new one ("dbPassword", "HTTPProxy").
func WordsOf(s string) []string {
	var out []string
	start := 0
	cut := func(end, next int) {
		if end > start {
			out = append(out, s[start:end])
		}
		start = next
	}
	for i := range len(s) {
		switch {
		case !chars.IsLetter(s[i]):
			cut(i, i+1)
		case i > start && beginsWord(s, i):
			cut(i, i)
		}
	}
	cut(len(s), len(s))
	return out
}

// beginsWord reports whether a new word begins at i, within letters.
func beginsWord(s string, i int) bool {
	return chars.IsUpper(s[i]) && (!chars.IsUpper(s[i-1]) || chars.IsLower(chars.ByteAt(s, i+1)))
}

// nextFlag reports whether s is another option: "-h", "--host=x", "-p3306".
func nextFlag(s string) bool {
	name, dashed := strings.CutPrefix(s, "-")
	if !dashed {
		return false
	}
	if name == "" || chars.IsLetter(name[0]) && strings.Trim(name[1:], chars.Digits+".:") == "" {
		return true
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	for i := range len(name) {
		if !chars.IsLetter(name[i]) && name[i] != '-' {
			return false
		}
	}
	return name != "" && IsWordy(name)
}

// keyFiles end the names of files with keys.
var keyFiles = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".json", ".txt", ".yaml", ".yml", ".crt", ".cer", ".der", ".asc", ".gpg", ".env", ".toml", ".ini", ".pub", ".ppk"}

// isReference reports whether s is where a secret lies: a path, an address, a variable's name.
func isReference(s string) bool {
	if chars.ContainsAny(s, "://", `:\`) || chars.HasAnyPrefix(s, "env:", "file:", "id=", "id_") {
		return true
	}
	s = strings.TrimPrefix(s, "@")
	for part := range strings.SplitSeq(s, "/") {
		if !isPathPart(part) {
			return false
		}
	}
	return chars.HasAnyPrefix(s, "/", "./", "../", "~/") || chars.HasAnySuffix(strings.ToLower(s), keyFiles...)
}

// isPathPart reports whether s may stand between the slashes of a path.
func isPathPart(s string) bool {
	if s == "" || s == "~" {
		return true
	}
	return IsIdentifier(s) && (IsWordy(s) || s == strings.ToLower(s))
}

// StandIns are the words that stand for a secret in examples and manuals.
var StandIns = strings.Fields(`a an my your our the some new old this that here is it its
	password passwd passphrase passwort pass pwd pw secret token key api access auth private client user db
	value string str text example sample dummy placeholder redacted changeme none null nil true false yes no
	undefined required optional default empty prompt stdin`)

// IsMetavariable reports whether a value says only what belongs there: "PASSWORD",
// "your-api-key", "my_token_2".
func IsMetavariable(s string) bool {
	if s == strings.ToUpper(s) && IsIdentifier(s) && !strings.ContainsAny(s, chars.Digits) {
		return true
	}
	parts := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == '_' || r < 0x80 && !chars.IsWord(byte(r)) })
	isShort := len(parts) == 1 && len(s) < 12
	for _, p := range parts {
		if bare := strings.Trim(p, chars.Digits); isShort && bare != "" && bare != p {
			return false // "token1": somebody may well have made it up
		}
		if p = strings.TrimRight(p, chars.Digits); p != "" && !slices.Contains(StandIns, p) {
			return false
		}
	}
	return !strings.ContainsAny(s, "!#%^&*?@")
}

// IsWordOnly reports whether a value may be a word of a sentence: letters with
// hyphens between, but not as many as a passphrase has.
func IsWordOnly(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !chars.IsLetter(c) && !chars.IsOneOf(c, "-/'") {
			return false
		}
	}
	return strings.Count(s, "-") < 2 && chars.IsOfOneCase(s)
}
