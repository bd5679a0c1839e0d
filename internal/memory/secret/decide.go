package secret

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/looks"
)

// isSecret reports whether v is a secret, and not what a program, a manual or a
// form says in the place of one. It moves the end of v to the end of the line
// if the words there belong to it.
func (p *place) isSecret(c looks.Class, v *given) bool {
	s, isBare := p.text[v.start:v.end], v.quote == 0
	if looks.IsFilledIn(s) || c == looks.MaybePassword && p.isTestResult() {
		return false
	}
	if isBare && c.IsPassword() && p.beginsLine() {
		if end, ok := p.phraseTo(v.start); ok {
			v.end = end
			return true
		}
	}
	switch {
	case strings.ContainsAny(s, " \t"):
		return p.isSecretWords(c, v, s)
	case looks.IsNoValue(s), isBare && p.readsLikeProgram(v, s):
		return false
	case v.beneath:
		return isSecretBeneath(c, s)
	}
	switch c {
	case looks.PasswordName:
		return p.isPassword(v, s)
	case looks.MaybePassword:
		return p.looksLikePassword(v, s) && !strings.Contains(s, "/")
	case looks.KeyName:
		return p.isKey(v, s)
	}
	return p.isRandomKey(v, s)
}

// isTestResult reports whether the name is what tests print that pass: PASS: …
func (p *place) isTestResult() bool { return p.by == byColon && p.name() == "PASS" }

// readsLikeProgram reports whether s, without quotes, is more likely the expression of a program, a number of it, or
// a word behind a space, than a value.
func (p *place) readsLikeProgram(v *given, s string) bool {
	isHexNumber := strings.HasPrefix(s, "0x") && len(s) <= len("0x")+16
	switch {
	case isHexNumber, looks.IsCallLike(s), p.by == byBlank && looks.IsWordOnly(s):
		return true
	}
	return looks.IsCodeLike(s) && !p.isCoinedHere(v, s)
}

// isSecretBeneath reports whether s, which stands in a structure below the name, is a secret.
func isSecretBeneath(c looks.Class, s string) bool {
	switch c {
	case looks.PasswordName:
		return chars.IsAny(s, looks.IsStrong, looks.IsMadeUp, looks.IsGenerated) || looks.IsMixed(s) && !looks.NamesSecret(s)
	case looks.KeyName:
		return len(s) >= 16 && looks.IsKeyLike(s) && looks.IsRandomOrHex(s)
	}
	return false
}

// isSecretWords reports whether s, of several words, is a secret.
func (p *place) isSecretWords(c looks.Class, v *given, s string) bool {
	switch {
	case c == looks.MaybeKey:
		return false
	case looks.IsPhrase(s):
		return true
	case c == looks.MaybePassword:
		return false
	case looks.HasSecretWord(s), c == looks.PasswordName && looks.IsChosenWords(s):
		return true
	case v.quote == 0:
		return false
	}
	isNumbered := c == looks.PasswordName && chars.HasDigit(s) && !looks.NamesSecret(s)
	if looks.IsSentence(s) {
		return isNumbered && p.isVariable()
	}
	isCloseTo := p.by == byEquals && !p.spaced
	return p.isVariable() || isNumbered && isCloseTo
}

// isPassword reports whether s, which a name says is a password, is one.
func (p *place) isPassword(v *given, s string) bool {
	switch {
	case p.isVariable(), p.looksLikePassword(v, s):
		return true
	case p.by == byComma, p.by == byCall, p.by == byBlank, v.wrapped: // another word may stand there
		return false
	case v.quote != 0, looks.IsGenerated(s), p.isAlone(v, s):
		return true
	}
	return p.isInPairs() && len(s) >= 4
}

// looksLikePassword reports whether s is a password wherever a name says so.
func (p *place) looksLikePassword(v *given, s string) bool {
	return looks.IsStrong(s) || looks.IsMadeUp(s) || p.isCoinedHere(v, s)
}

// isCoinedHere reports whether s consists of words that people join with signs, where programs join names less often: in
// quotes, close to the sign of the assignment, or at the end of a line.
func (p *place) isCoinedHere(v *given, s string) bool {
	if !looks.IsCoined(s) {
		return false
	}
	return v.quote != 0 || !p.spaced || p.endsLine(v.end)
}

// isKey reports whether s, which a name says is a key, is one.
func (p *place) isKey(v *given, s string) bool {
	if isLong := v.quote != 0 || len(s) >= 10; isLong && looks.IsKeyLike(s) {
		return true
	}
	if p.isVariable() && len(s) >= 4 && !looks.IsNameOnly(s) {
		return true
	}
	word, number, _ := chars.CutLast(s, "_")
	isCounted := chars.IsNameWord(word) && chars.IsNumberUpTo(number, 3) // as programs name what they have several of: Profile_1
	return p.isCoinedHere(v, s) && chars.HasDigit(s) && !isCounted
}

// isVariable reports whether the name is one of the environment: DB_PASSWORD=…
func (p *place) isVariable() bool {
	name := p.name()
	if name != strings.ToUpper(name) {
		return false
	}
	switch p.by {
	case byBlank:
		return !p.far
	case byEquals:
		return p.isCloseUp()
	case byColon:
		return strings.Contains(name, "_") && p.beginsLine()
	}
	return false
}

// isCloseUp reports whether no space stands beside the sign of the assignment.
func (p *place) isCloseUp() bool { return !p.spaced && p.text[p.at-2] != ' ' }

// isRandomKey reports whether s is a key, where only the word "key" says so.
func (p *place) isRandomKey(v *given, s string) bool {
	if !looks.IsRandom(s) || strings.ContainsAny(s, ":.%") || len(s) < 20 {
		return false
	}
	return p.isVariable() && p.to-p.from > len("key") || p.speaksOfCiphers(v)
}

// cipherWords stand in a line whose key encrypts or signs.
var cipherWords = []string{"aes", "crypt'", `crypt"`, `"username"`, "encrypt", "decrypt", "cipher", "hmac", "secret", "crypto", "chacha", "salsa", "nacl", "sodium", "sign", "jwt", "fernet"}

// speaksOfCiphers reports whether the line of the name, or the one above that opens what it is in, speaks of encryption.
func (p *place) speaksOfCiphers(v *given) bool {
	before, after := p.text[max(0, p.from-200):p.from], p.text[v.end:min(len(p.text), v.end+200)]
	if above := strings.TrimRight(before, " \t\r\n"); above != "" && strings.IndexByte(":=([{>", above[len(above)-1]) >= 0 {
		before = above
	}
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after, _, _ = strings.Cut(after, "\n")
	line := strings.ToLower(before + p.name() + " " + after)
	return slices.ContainsFunc(cipherWords, func(w string) bool { return strings.Contains(line, w) })
}

// beginsLine reports whether the assignment begins its line.
func (p *place) beginsLine() bool {
	if p.by != byEquals && p.by != byColon || p.quoted {
		return false
	}
	line := p.text[max(0, p.from-40):p.from]
	if i := strings.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i+1:]
	} else if len(line) == 40 {
		return false
	}
	return !slices.ContainsFunc(strings.Fields(line), func(word string) bool {
		return !chars.ConsistsOf(word, chars.Digits+"→|#>-*+•") && !slices.Contains(beforeNames, strings.ToLower(word))
	})
}

// beforeNames may stand before the name that begins a line: what sets a variable, and what is said
// of a password.
var beforeNames = strings.Fields(`export set declare local new old current initial temporary enter retype confirm repeat neues altes neu aktuelles nouveau ancien nueva
	nova novo nuova nové your`)

// isAlone reports whether s is all that a line gives the name it begins with, as in a file of settings,
// and neither the name of a secret nor a variable of a program.
func (p *place) isAlone(v *given, s string) bool {
	if !p.beginsLine() || !p.endsLine(v.end) {
		return false
	}
	switch {
	case p.by != byColon && p.spaced && looks.ProgramName(s):
		return false
	case looks.IsMixed(s):
		return true
	}
	return len(s) >= 5 && chars.ConsistsOf(s, chars.LowerLetters+chars.Digits) && !slices.Contains(looks.Settings, s)
}

// endsLine reports whether nothing but a comment stands on the line behind end.
func (p *place) endsLine(end int) bool {
	rest, _, _ := strings.Cut(p.text[end:min(len(p.text), end+maxSpace)], "\n")
	rest = strings.TrimLeft(rest, " \t\r")
	return rest == "" || rest[0] == '#'
}

// isInPairs reports whether another pair stands before the name, with no comma as
// in the call of a function: user=app password=…
func (p *place) isInPairs() bool {
	isClose := p.by == byEquals && !p.spaced
	if !isClose || p.from < 4 || !chars.IsOneOf(p.text[p.from-1], " ;&?,") {
		return false
	}
	before := strings.TrimRight(p.text[max(0, p.from-60):p.from], " ;&?")
	if strings.HasSuffix(p.text[:p.from], ", ") {
		return false
	}
	before = strings.TrimSuffix(before, ",")
	return strings.Contains(before[strings.LastIndexAny(before, " \t\n;&?,(")+1:], "=")
}

const maxPhrase = 200 // bytes of a passphrase

// phraseTo returns where a password of several words ends, which goes on to the
// end of the line.
func (p *place) phraseTo(i int) (int, bool) {
	line, _, _ := strings.Cut(p.text[i:min(len(p.text), i+maxPhrase)], "\n")
	line, _, _ = strings.Cut(line, " #")
	line = strings.TrimRight(line, " \t\r")
	if len(line) >= maxPhrase || !strings.Contains(line, " ") {
		return 0, false
	}
	if looks.IsPhrase(line) {
		return i + len(line), true
	}
	return i + len(line), !p.isVariable() && chars.IsAny(line, looks.HasSecretWord, looks.IsChosenWords)
}
