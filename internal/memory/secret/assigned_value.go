package secret

import (
	"slices"
	"strings"
)

// secret reports whether v is a secret, and not what a program, a manual or a
// form says in the place of one. It moves the end of v to the end of the line
// if the words there belong to it.
func (p *place) secret(c class, v *given) bool {
	s := p.text[v.start:v.end]
	switch {
	case filledIn(s), v.quote == 0 && isHexNumber(s), c == maybePassword && p.isTestResult():
		return false
	}
	if v.quote == 0 && c.isPassword() && p.ownLine() {
		if end, ok := p.phraseTo(v.start); ok {
			v.end = end
			return true
		}
	}
	if strings.ContainsAny(s, " \t") {
		return p.secretWords(c, v, s)
	}
	if noValue(s) || v.quote == 0 && p.readsLikeProgram(c, v, s) {
		return false
	}
	if v.beneath {
		return isSecretBeneath(c, s)
	}
	switch c {
	case passwordName:
		return p.password(v, s)
	case maybePassword:
		return p.looksLikePassword(v, s) && !strings.Contains(s, "/")
	case keyName:
		return p.key(v, s)
	}
	return p.randomKey(v, s)
}

// isHexNumber reports a number in hexadecimal notation, of up to 64 bits.
func isHexNumber(s string) bool { return strings.HasPrefix(s, "0x") && len(s) <= len("0x")+16 }

// isTestResult reports whether the name is what tests print that pass: PASS: …
func (p *place) isTestResult() bool {
	return p.by == colon && !p.quoted && p.text[p.from:p.to] == "PASS"
}

// readsLikeProgram reports whether s, without quotes, is more likely the expression of a program, or
// a word behind a space, than a value.
func (p *place) readsLikeProgram(c class, v *given, s string) bool {
	if callLike(s) || p.by == space && wordOnly(s) {
		return true
	}
	return codeLike(s) && !p.coinedValue(c, v, s)
}

// isSecretBeneath reports whether s, which stands in a structure below the name, is a secret.
func isSecretBeneath(c class, s string) bool {
	switch c {
	case passwordName:
		return isAny(s, strong, generated, madeUp) || mixed(s) && !namesSecret(s)
	case keyName:
		return len(s) >= 16 && keyLike(s) && randomOrHex(s)
	}
	return false
}

// secretWords reports whether s, of several words, is a secret.
func (p *place) secretWords(c class, v *given, s string) bool {
	switch {
	case c == maybeKey:
		return false
	case phrase(s):
		return true
	case c == maybePassword:
		return false
	case secretInWords(s), c == passwordName && chosenWords(s):
		return true
	case v.quote == 0:
		return false
	case p.variable() && !sentence(s):
		return true
	}
	if c != passwordName || !hasDigit(s) || namesSecret(s) {
		return false
	}
	if p.variable() {
		return true
	}
	return p.by == equals && !p.spaced && !sentence(s)
}

// weak reports a place in which another word than a secret may stand: the argument of a
// call, and what only a space parts from its name.
func (p *place) weak() bool { return p.by == comma || p.by == opening || p.by == space }

// password reports whether s, which a name says is a password, is one.
func (p *place) password(v *given, s string) bool {
	switch {
	case p.variable(), p.looksLikePassword(v, s):
		return true
	case p.weak() || v.wrapped:
		return false
	case v.quote != 0, generated(s), p.aloneWord(v, s), p.wholeLine(v, s):
		return true
	}
	return p.inPairs() && len(s) >= 4
}

// looksLikePassword reports whether s is a password wherever a name says so.
func (p *place) looksLikePassword(v *given, s string) bool {
	return strong(s) || madeUp(s) || p.coinedHere(v, s)
}

// coinedHere reports words joined by signs where programs join names less often: in
// quotes, close to the sign of the assignment, behind a label.
func (p *place) coinedHere(v *given, s string) bool {
	if !coined(s) {
		return false
	}
	return v.quote != 0 || !p.spaced || p.label()
}

// key reports whether s, which a name says is a key, is one.
func (p *place) key(v *given, s string) bool {
	switch {
	case keyLike(s) && (v.quote != 0 || len(s) >= 10), p.variable() && len(s) >= 4 && !nameOnly(s):
		return true
	case !coined(s) || !strings.ContainsAny(s, digits) || counted(s):
		return false
	case v.quote != 0:
		return !p.weak()
	}
	return p.label() && p.endsLine(v.end)
}

// counted reports a word and its number, as programs name what they have several of: Profile_1.
func counted(s string) bool {
	word, number, ok := cutLast(s, "_")
	return ok && nameWord(word) && isNumberUpTo(number, 3)
}

// variable reports whether the name is one of the environment: DB_PASSWORD=…
func (p *place) variable() bool {
	name := p.text[p.from:p.to]
	if name != strings.ToUpper(name) {
		return false
	}
	switch p.by {
	case space:
		return !p.far
	case equals:
		return p.closeUp()
	case colon:
		return strings.Contains(name, "_") && p.ownLine()
	}
	return false
}

// closeUp reports whether no space stands beside the sign of the assignment.
func (p *place) closeUp() bool { return !p.spaced && p.text[p.at-2] != ' ' }

// randomKey reports whether s is a key, where only the word "key" says so.
func (p *place) randomKey(v *given, s string) bool {
	name := p.text[p.from:p.to]
	switch {
	case hexOnly(s), uuid(s):
		if len(s) < 32 {
			return false
		}
	case !random(s), strings.ContainsAny(s, ":.%"), len(s) < 20:
		return false
	}
	return p.variable() && len(name) > len("key") || p.ofCiphers(v)
}

// cipherWords stand in a line whose key encrypts or signs.
var cipherWords = []string{"aes", "crypt'", `crypt"`, `"username"`, "encrypt", "decrypt", "cipher", "hmac", "secret", "crypto", "chacha", "salsa", "nacl", "sodium", "sign", "jwt", "fernet"}

// ofCiphers reports whether the line of the name speaks of encryption.
func (p *place) ofCiphers(v *given) bool {
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

// ownLine reports whether the assignment begins its line.
func (p *place) ownLine() bool {
	if p.by != equals && p.by != colon || p.quoted {
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
		case strings.Trim(word, digits+"→|#>-*+•") == "", slices.Contains(beforeNames, strings.ToLower(word)), strings.HasPrefix(word, "$env:"):
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

// coinedValue reports words joined by signs that programs join names with too, in a place
// that no program has: at the end of a line, or among pairs.
func (p *place) coinedValue(c class, v *given, s string) bool {
	switch {
	case c == maybeKey, !coined(s), c == keyName && !hasDigit(s):
		return false
	case p.inPairs(), !p.spaced:
		return true
	}
	return p.label() && p.endsLine(v.end)
}

// label reports whether the assignment begins its line, or a few words do that end with
// the name: BIOS supervisor password: …
func (p *place) label() bool {
	if p.ownLine() {
		return true
	}
	before := p.text[max(0, p.from-maxName):p.from]
	i := strings.LastIndexByte(before, '\n')
	isWhole := i >= 0 || p.from <= maxName
	if !isWhole || p.by != colon || p.quoted {
		return false
	}
	line := before[i+1:]
	return !strings.ContainsAny(line, "(){}=\"`<>,;") && len(strings.Fields(line)) <= 5
}

// aloneWord reports a plain word that is the password of a configuration file:
// nothing stands before the name or behind the word.
func (p *place) aloneWord(v *given, s string) bool {
	if !p.ownLine() || len(s) < 5 {
		return false
	}
	if !consistsOf(s, lowerLetters+digits) || slices.Contains(settings, s) {
		return false
	}
	rest, _, _ := strings.Cut(p.text[v.end:], "\n")
	name := p.text[p.from:p.to]
	beginsCapital := name == strings.ToUpper(name[:1])+name[1:]
	switch {
	case strings.TrimSpace(rest) != "", strings.Contains(name, ".") && !p.property(), beginsCapital && p.by != equals, p.spaced && p.by != colon:
		return false
	}
	return true
}

// inPairs reports whether another pair stands before the name, with no comma as
// in the call of a function: user=app password=…
func (p *place) inPairs() bool {
	if p.by != equals || p.spaced || p.from < 4 {
		return false
	}
	if !isOneOf(p.text[p.from-1], " ;&?,") {
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

// property reports a line of a file of properties, whose value goes on to its end: db.password=…
func (p *place) property() bool {
	return p.by == equals && p.closeUp() && strings.Contains(p.text[p.from:p.to], ".")
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
	case phrase(line):
	case p.property() && isPlainText(line):
	case !p.variable() && (secretInWords(line) || chosenWords(line)):
	default:
		return 0, false
	}
	return i + len(line), true
}

// isPlainText reports four words or more in small letters, none of which names a secret.
func isPlainText(s string) bool {
	return strings.Count(s, " ") >= 3 && consistsOf(s, lowerLetters+" ") && !namesSecret(s)
}
