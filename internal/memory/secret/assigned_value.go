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
	s := p.text[v.start:v.end]
	switch {
	case looks.IsFilledIn(s), v.quote == 0 && isHexNumber(s), c == looks.MaybePassword && p.isTestResult():
		return false
	}
	if v.quote == 0 && c.IsPassword() && p.beginsLine() {
		if end, ok := p.phraseTo(v.start); ok {
			v.end = end
			return true
		}
	}
	if strings.ContainsAny(s, " \t") {
		return p.isSecretWords(c, v, s)
	}
	if looks.IsNoValue(s) || v.quote == 0 && p.readsLikeProgram(c, v, s) {
		return false
	}
	if v.beneath {
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

// isHexNumber reports whether s is a number in hexadecimal notation, of up to 64 bits.
func isHexNumber(s string) bool { return strings.HasPrefix(s, "0x") && len(s) <= len("0x")+16 }

// isTestResult reports whether the name is what tests print that pass: PASS: …
func (p *place) isTestResult() bool {
	return p.by == byColon && !p.quoted && p.text[p.from:p.to] == "PASS"
}

// readsLikeProgram reports whether s, without quotes, is more likely the expression of a program, or
// a word behind a space, than a value.
func (p *place) readsLikeProgram(c looks.Class, v *given, s string) bool {
	if looks.IsCallLike(s) || p.by == byBlank && looks.IsWordOnly(s) {
		return true
	}
	return looks.IsCodeLike(s) && !p.isCoinedValue(c, v, s)
}

// isSecretBeneath reports whether s, which stands in a structure below the name, is a secret.
func isSecretBeneath(c looks.Class, s string) bool {
	switch c {
	case looks.PasswordName:
		return chars.IsAny(s, looks.IsStrong, looks.IsGenerated, looks.IsMadeUp) || looks.IsMixed(s) && !looks.NamesSecret(s)
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
	case p.isVariable() && !looks.IsSentence(s):
		return true
	}
	if c != looks.PasswordName || !chars.HasDigit(s) || looks.NamesSecret(s) {
		return false
	}
	if p.isVariable() {
		return true
	}
	return p.by == byEquals && !p.spaced && !looks.IsSentence(s)
}

// isWeak reports whether the place is one in which another word than a secret may stand: the argument of a
// call, and what only a space parts from its name.
func (p *place) isWeak() bool { return p.by == byComma || p.by == byCall || p.by == byBlank }

// isPassword reports whether s, which a name says is a password, is one.
func (p *place) isPassword(v *given, s string) bool {
	switch {
	case p.isVariable(), p.looksLikePassword(v, s):
		return true
	case p.isWeak() || v.wrapped:
		return false
	case v.quote != 0, looks.IsGenerated(s), p.isAloneWord(v, s), p.isWholeLine(v, s):
		return true
	}
	return p.isInPairs() && len(s) >= 4
}

// looksLikePassword reports whether s is a password wherever a name says so.
func (p *place) looksLikePassword(v *given, s string) bool {
	return looks.IsStrong(s) || looks.IsMadeUp(s) || p.isCoinedHere(v, s)
}

// isCoinedHere reports whether s consists of words joined by signs where programs join names less often: in
// quotes, close to the sign of the assignment, behind a label.
func (p *place) isCoinedHere(v *given, s string) bool {
	if !looks.IsCoined(s) {
		return false
	}
	return v.quote != 0 || !p.spaced || p.isLabel()
}

// isKey reports whether s, which a name says is a key, is one.
func (p *place) isKey(v *given, s string) bool {
	switch {
	case looks.IsKeyLike(s) && (v.quote != 0 || len(s) >= 10):
		return true
	case p.isVariable() && len(s) >= 4 && !looks.IsNameOnly(s):
		return true
	case !looks.IsCoined(s) || !strings.ContainsAny(s, chars.Digits) || isCounted(s):
		return false
	case v.quote != 0:
		return !p.isWeak()
	}
	return p.isLabel() && p.endsLine(v.end)
}

// isCounted reports whether s is a word and its number, as programs name what they have several of: Profile_1.
func isCounted(s string) bool {
	word, number, ok := chars.CutLast(s, "_")
	return ok && chars.IsNameWord(word) && chars.IsNumberUpTo(number, 3)
}

// isVariable reports whether the name is one of the environment: DB_PASSWORD=…
func (p *place) isVariable() bool {
	name := p.text[p.from:p.to]
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
	name := p.text[p.from:p.to]
	switch {
	case looks.IsHex(s), looks.IsUUID(s):
		if len(s) < 32 {
			return false
		}
	case !looks.IsRandom(s), strings.ContainsAny(s, ":.%"), len(s) < 20:
		return false
	}
	return p.isVariable() && len(name) > len("key") || p.speaksOfCiphers(v)
}

// cipherWords stand in a line whose key encrypts or signs.
var cipherWords = []string{"aes", "crypt'", `crypt"`, `"username"`, "encrypt", "decrypt", "cipher", "hmac", "secret", "crypto", "chacha", "salsa", "nacl", "sodium", "sign", "jwt", "fernet"}

// speaksOfCiphers reports whether the line of the name speaks of encryption.
func (p *place) speaksOfCiphers(v *given) bool {
	before, after := p.text[max(0, p.from-200):v.start], p.text[v.end:min(len(p.text), v.end+200)]
	before = before[lineAbove(before[:len(before)-(v.start-p.from)]):]
	after, _, _ = strings.Cut(after, "\n")
	line := strings.ToLower(before + " " + after)
	return slices.ContainsFunc(cipherWords, func(w string) bool { return strings.Contains(line, w) })
}

// lineAbove returns where the last line of s begins, or the one above if that opens what s is in:
// encryption:⏎  key: …
func lineAbove(s string) int {
	i := strings.LastIndexByte(s, '\n') + 1
	above := strings.TrimRight(s[:i], " \t\r\n")
	if above == "" || strings.IndexByte(":=([{>", above[len(above)-1]) < 0 {
		return i
	}
	return strings.LastIndexByte(above, '\n') + 1
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
	for _, word := range strings.Fields(line) {
		switch {
		case strings.Trim(word, chars.Digits+"→|#>-*+•") == "", slices.Contains(beforeNames, strings.ToLower(word)), strings.HasPrefix(word, "$env:"):
		default:
			return false
		}
	}
	return true
}

// beforeNames may stand before the name that begins a line: what sets a variable, and what is said
// of a password.
var beforeNames = strings.Fields(`export set declare local new old current initial temporary enter retype confirm repeat neues altes neu aktuelles nouveau ancien nueva
	nova novo nuova nové your`)

// isCoinedValue reports whether s consists of words joined by signs that programs join names with too, in a place
// that no program has: at the end of a line, or among pairs.
func (p *place) isCoinedValue(c looks.Class, v *given, s string) bool {
	switch {
	case c == looks.MaybeKey, !looks.IsCoined(s), c == looks.KeyName && !chars.HasDigit(s):
		return false
	case p.isInPairs(), !p.spaced:
		return true
	}
	return p.isLabel() && p.endsLine(v.end)
}

// isLabel reports whether the assignment begins its line, or a few words do that end with
// the name: BIOS supervisor password: …
func (p *place) isLabel() bool {
	if p.beginsLine() {
		return true
	}
	before := p.text[max(0, p.from-maxName):p.from]
	i := strings.LastIndexByte(before, '\n')
	isWhole := i >= 0 || p.from <= maxName
	if !isWhole || p.by != byColon || p.quoted {
		return false
	}
	line := before[i+1:]
	return !strings.ContainsAny(line, "(){}=\"`<>,;") && len(strings.Fields(line)) <= 5
}

// isAloneWord reports whether a plain word is the password of a configuration file:
// nothing stands before the name or behind the word.
func (p *place) isAloneWord(v *given, s string) bool {
	if !p.beginsLine() || len(s) < 5 {
		return false
	}
	if !chars.ConsistsOf(s, chars.LowerLetters+chars.Digits) || slices.Contains(looks.Settings, s) {
		return false
	}
	rest, _, _ := strings.Cut(p.text[v.end:], "\n")
	name := p.text[p.from:p.to]
	beginsCapital := name == strings.ToUpper(name[:1])+name[1:]
	switch {
	case strings.TrimSpace(rest) != "", strings.Contains(name, ".") && !p.isProperty(), beginsCapital && p.by != byEquals, p.spaced && p.by != byColon:
		return false
	}
	return true
}

// isInPairs reports whether another pair stands before the name, with no comma as
// in the call of a function: user=app password=…
func (p *place) isInPairs() bool {
	if p.by != byEquals || p.spaced || p.from < 4 {
		return false
	}
	if !chars.IsOneOf(p.text[p.from-1], " ;&?,") {
		return false
	}
	before := p.text[max(0, p.from-60):p.from]
	if before[len(before)-1] == ',' && strings.IndexByte(before, '(') >= 0 {
		return false
	}
	before = strings.TrimSuffix(strings.TrimRight(before, " ;&?"), ",")
	if strings.HasSuffix(p.text[:p.from], ", ") {
		return false
	}
	return strings.Contains(before[strings.LastIndexAny(before, " \t\n;&?,(")+1:], "=")
}

// isProperty reports whether the line is one of a file of properties, whose value goes on to its end: db.password=…
func (p *place) isProperty() bool {
	return p.by == byEquals && p.isCloseUp() && strings.Contains(p.text[p.from:p.to], ".")
}

const maxPhrase = 200 // bytes of a passphrase

// phraseTo returns where a password of several words ends, which goes on to the
// end of the line.
func (p *place) phraseTo(i int) (int, bool) {
	line, _, _ := strings.Cut(p.text[i:min(len(p.text), i+maxPhrase)], "\n")
	if comment := strings.Index(line, " #"); comment >= 0 {
		line = line[:comment]
	}
	line = strings.TrimRight(line, " \t\r")
	switch {
	case len(line) >= maxPhrase || !strings.Contains(line, " "):
		return 0, false
	case looks.IsPhrase(line):
	case p.isProperty() && isPlainText(line):
	case !p.isVariable() && (looks.HasSecretWord(line) || looks.IsChosenWords(line)):
	default:
		return 0, false
	}
	return i + len(line), true
}

// isPlainText reports whether s consists of four words or more in small letters, none of which names a secret.
func isPlainText(s string) bool {
	return strings.Count(s, " ") >= 3 && chars.ConsistsOf(s, chars.LowerLetters+" ") && !looks.NamesSecret(s)
}

// isWholeLine reports whether a value with letters and digits goes on to the end of
// the line which its name begins: the name of a secret, or of a variable of a
// program, is none.
func (p *place) isWholeLine(v *given, s string) bool {
	switch {
	case v.quote != 0, !p.beginsLine(), !p.endsLine(v.end), !looks.IsMixed(s) && !looks.IsCoined(s), p.by != byColon && p.spaced && looks.ProgramName(s):
		return false
	}
	return !looks.NamesSecret(s)
}

// endsLine reports whether nothing but a comment stands on the line behind end.
func (p *place) endsLine(end int) bool {
	rest, _, _ := strings.Cut(p.text[end:min(len(p.text), end+maxSpace)], "\n")
	rest = strings.TrimLeft(rest, " \t\r")
	return rest == "" || rest[0] == '#'
}
