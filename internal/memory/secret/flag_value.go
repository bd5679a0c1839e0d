package secret

import (
	"slices"
	"strings"
)

// noPassword reports what is no password though an option for one has it.
func noPassword(s string) bool { return noFlagValue(s, passwordName) }

// noFlagValue reports what an option for a secret is given without being one:
// something that is filled in or looked up, another option, a placeholder.
func noFlagValue(s string, c class) bool {
	switch {
	case len(s) < 4, isSpace(s[0]), isAny(s, isFilledIn, nextFlag, isReference, repeatsOne), strings.Contains(strings.ToLower(s), "xxxxx"):
		return true
	case consistsOf(s, digits+"."):
		return c != passwordName && len(s) < 8
	case c != passwordName && isPlainName(s):
		return true
	}
	return isMetavariable(s)
}

// isPlainName reports the name of a secret that lies elsewhere.
func isPlainName(s string) bool { return len(s) < 20 && isWordOnly(s) && s == strings.ToLower(s) }

// isFilledIn reports a variable or a placeholder in one of the usual signs. A
// sign alone makes none: a password may begin with it.
func isFilledIn(s string) bool {
	for _, open := range []string{"${{", "${", "$(", "{{", "#{", "<%", "%(", "$", "<", "{", "[", "%"} {
		if body, ok := strings.CutPrefix(s, open); ok {
			return isPlaceholderBehind(open, body)
		}
	}
	if i := strings.Index(s, "${"); i > 0 {
		name, _, closed := strings.Cut(s[i+2:], "}")
		return closed && isIdentifier(name) && isWordy(name)
	}
	return strings.HasPrefix(s, "…") || strings.HasPrefix(s, "...") || strings.HasSuffix(s, "%s")
}

// isPlaceholderBehind reports whether body, behind the sign that opens a placeholder, begins with a
// name and ends as a placeholder does.
func isPlaceholderBehind(open, body string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(body, "{(<% ."), "env:"), "Env:")
	end := strings.IndexFunc(name, func(r rune) bool { return r >= 0x80 || !isInName(byte(r)) })
	if end < 0 {
		end = len(name)
	}
	switch {
	case name == "":
		return true
	case end == 0 || !isWordy(name[:end]):
		return false
	case open == "<" && name == strings.ToLower(name):
		return true
	case len(open) == 1:
		return closesPlaceholder(open, name[end:])
	}
	return name[end:] == "" || !hasDigit(name[:end]) || isOneOf(lastByte(body), ")}]>")
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
		return lastByte(rest) == ']'
	}
	return rest[0] == '/' && isReference(rest)
}

// isIdentifier reports what may be the name of a variable.
func isIdentifier(s string) bool {
	for i := range len(s) {
		if !isInName(s[i]) {
			return false
		}
	}
	return s != ""
}

// isWordy reports whether the letters of s are written as words are, not as a
// generator of passwords throws them: lower case, upper case or with a capital,
// with a vowel somewhere, in parts that are not all tiny, with one number at most.
func isWordy(s string) bool {
	if !onePlaceOfDigits(s) {
		return false
	}
	parts, acronym, letters := wordsOf(s), false, 0
	for _, p := range parts {
		letters += len(p)
		upper := p == strings.ToUpper(p)
		acronym = acronym || upper && len(p) > 1
		if !isOfOneCase(p) || len(p) > 4 && !hasVowel(p) {
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

// wordsOf splits a name into its words: at signs and digits, and where a capital
// begins a new one ("dbPassword", "HTTPProxy").
func wordsOf(s string) []string {
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
		case !isLetter(s[i]):
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
	return isUpper(s[i]) && (!isUpper(s[i-1]) || isLower(byteAt(s, i+1)))
}

// nextFlag reports another option: "-h", "--host=x", "-p3306".
func nextFlag(s string) bool {
	name, dashed := strings.CutPrefix(s, "-")
	if !dashed {
		return false
	}
	if name == "" || isLetter(name[0]) && strings.Trim(name[1:], digits+".:") == "" {
		return true
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	for i := range len(name) {
		if !isLetter(name[i]) && name[i] != '-' {
			return false
		}
	}
	return name != "" && isWordy(name)
}

// keyFiles end the names of files with keys.
var keyFiles = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".json", ".txt", ".yaml", ".yml", ".crt", ".cer", ".der", ".asc", ".gpg", ".env", ".toml", ".ini", ".pub", ".ppk"}

// isReference reports where a secret lies: a path, an address, a variable's name.
func isReference(s string) bool {
	if containsAny(s, "://", `:\`) || hasAnyPrefix(s, "env:", "file:", "id=", "id_") {
		return true
	}
	s = strings.TrimPrefix(s, "@")
	for part := range strings.SplitSeq(s, "/") {
		if !isPathPart(part) {
			return false
		}
	}
	return hasAnyPrefix(s, "/", "./", "../", "~/") || hasAnySuffix(strings.ToLower(s), keyFiles...)
}

// isPathPart reports whether s may stand between the slashes of a path.
func isPathPart(s string) bool {
	if s == "" || s == "~" {
		return true
	}
	return isIdentifier(s) && (isWordy(s) || s == strings.ToLower(s))
}

// standIns are the words that stand for a secret in examples and manuals.
var standIns = strings.Fields(`a an my your our the some new old this that here is it its
	password passwd passphrase passwort pass pwd pw secret token key api access auth private client user db
	value string str text example sample dummy placeholder redacted changeme none null nil true false yes no
	undefined required optional default empty prompt stdin`)

// isMetavariable reports a value that says only what belongs there: "PASSWORD",
// "your-api-key", "my_token_2".
func isMetavariable(s string) bool {
	if s == strings.ToUpper(s) && isIdentifier(s) && !strings.ContainsAny(s, digits) {
		return true
	}
	parts := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == '_' || r < 0x80 && !isWord(byte(r)) })
	isShort := len(parts) == 1 && len(s) < 12
	for _, p := range parts {
		if bare := strings.Trim(p, digits); isShort && bare != "" && bare != p {
			return false // "token1": somebody may well have made it up
		}
		if p = strings.TrimRight(p, digits); p != "" && !slices.Contains(standIns, p) {
			return false
		}
	}
	return !strings.ContainsAny(s, "!#%^&*?@")
}

// isWordOnly reports a value that may be a word of a sentence: letters with
// hyphens between, but not as many as a passphrase has.
func isWordOnly(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !isLetter(c) && !isOneOf(c, "-/'") {
			return false
		}
	}
	return strings.Count(s, "-") < 2 && isOfOneCase(s)
}

// Words of a sentence about an option: before it, and behind it.
var (
	proseBefore = strings.Fields(`the a an this that these with without use uses used using add adds added pass passes passed passing set sets give
		via and or of for to in by your its new needs need no support any is requires require take takes accept accepts read reads
		missing only on remove drop both der die das mit ohne und oder von im`)
	proseBehind = strings.Fields(`flag flags option options argument arguments parameter parameters switch is was are were to and or on in of for from
		with without as at by if when where which that then it the must should can could may will would not only needs does has gets
		instead via using so but because before after works fails appears support handling parsing validation also twice again
		und oder ist wird nicht mit ohne`)
)

// inProse reports whether the word s behind the option at from is part of a
// sentence or of a help text, not of a command.
func inProse(text string, from int, s string) bool {
	if slices.Contains(proseBehind, strings.ToLower(s)) {
		return true
	}
	before := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text[max(0, from-80):from], "`\"'"), "\\\n"), " \t\\")
	if i := strings.LastIndexByte(before, '\n'); i >= 0 && strings.TrimSpace(before[i:]) == "" {
		return !strings.HasSuffix(before[:i], `\`)
	}
	if before == "" || strings.HasSuffix(before, ",") {
		return true
	}
	word := before[strings.LastIndexAny(before, " \t\n(\"'`")+1:]
	return slices.Contains(proseBefore, strings.ToLower(word))
}
