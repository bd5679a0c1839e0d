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
	if filledIn(s) || v.quote == 0 && strings.HasPrefix(s, "0x") && len(s) <= len("0x")+16 || c == maybePassword && p.by == colon && !p.quoted && p.text[p.from:p.to] == "PASS" {
		return false
	}
	if v.quote == 0 && (c == passwordName || c == maybePassword) && p.ownLine() {
		if end, ok := p.phraseTo(v.start); ok {
			v.end = end
			return true
		}
	}
	if strings.ContainsAny(s, " \t") {
		return p.secretWords(c, v, s)
	}
	if noValue(s) || v.quote == 0 && (callLike(s) || codeLike(s) && !p.coinedValue(c, v, s) || p.by == space && wordOnly(s)) {
		return false
	}
	if v.beneath {
		return c == passwordName && (strong(s) || generated(s) || madeUp(s) || mixed(s) && !namesSecret(s)) || c == keyName && keyLike(s) && (random(s) || hexOnly(s)) && len(s) >= 16
	}
	switch c {
	case passwordName:
		return p.password(v, s)
	case maybePassword:
		return (strong(s) || madeUp(s) || p.coinedHere(v, s)) && !strings.Contains(s, "/")
	case keyName:
		return p.key(v, s)
	}
	return p.randomKey(v, s)
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
	hasNumber := c == passwordName && strings.ContainsAny(s, digits) && !namesSecret(s)
	return hasNumber && (p.variable() || p.by == equals && !p.spaced && !sentence(s))
}

// weak reports a place in which another word than a secret may stand: the argument of a
// call, and what only a space parts from its name.
func (p *place) weak() bool { return p.by == comma || p.by == opening || p.by == space }

// password reports whether s, which a name says is a password, is one.
func (p *place) password(v *given, s string) bool {
	switch {
	case p.variable(), strong(s), madeUp(s), p.coinedHere(v, s):
		return true
	case p.weak() || v.wrapped:
		return false
	}
	return v.quote != 0 || generated(s) || p.aloneWord(v, s) || p.wholeLine(v, s) || p.inPairs() && len(s) >= 4
}

// coinedHere reports words joined by signs where programs join names less often: in
// quotes, close to the sign of the assignment, behind a label.
func (p *place) coinedHere(v *given, s string) bool {
	return coined(s) && (v.quote != 0 || !p.spaced || p.label())
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
	return ok && nameWord(word) && len(number) <= 3 && strings.Trim(number, digits) == ""
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
	if hexOnly(s) || uuid(s) {
		return len(s) >= 32 && (p.variable() && len(name) > len("key") || p.ofCiphers(v))
	}
	if !random(s) || strings.ContainsAny(s, ":.%") || len(s) < 20 {
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
	return c != maybeKey && coined(s) && (c != keyName || strings.ContainsAny(s, digits)) && (p.inPairs() || !p.spaced || p.label() && p.endsLine(v.end))
}

// label reports whether the assignment begins its line, or a few words do that end with
// the name: BIOS supervisor password: …
func (p *place) label() bool {
	if p.ownLine() {
		return true
	}
	line := p.text[max(0, p.from-maxName):p.from]
	i := strings.LastIndexByte(line, '\n')
	if line = line[i+1:]; i < 0 && p.from > maxName || p.by != colon || p.quoted || strings.ContainsAny(line, "(){}=\"`<>,;") {
		return false
	}
	return len(strings.Fields(line)) <= 5
}

// aloneWord reports a plain word that is the password of a configuration file:
// nothing stands before the name or behind the word.
func (p *place) aloneWord(v *given, s string) bool {
	if !p.ownLine() || len(s) < 5 || s != strings.ToLower(s) || strings.Trim(s, lowerLetters+digits) != "" || slices.Contains(settings, s) {
		return false
	}
	rest, _, _ := strings.Cut(p.text[v.end:], "\n")
	name := p.text[p.from:p.to]
	return strings.TrimSpace(rest) == "" && (!strings.Contains(name, ".") || p.property()) && (p.by == equals || name != strings.ToUpper(name[:1])+name[1:]) && (p.by == colon || !p.spaced)
}

// inPairs reports whether another pair stands before the name, with no comma as
// in the call of a function: user=app password=…
func (p *place) inPairs() bool {
	if p.by != equals || p.spaced || p.from < 4 || strings.IndexByte(" ;&?,", p.text[p.from-1]) < 0 {
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

const lowerLetters = "abcdefghijklmnopqrstuvwxyz"

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
	case p.property() && strings.Count(line, " ") >= 3 && !namesSecret(line) && strings.Trim(line, lowerLetters+" ") == "":
	case !p.variable() && (secretInWords(line) || chosenWords(line)):
	default:
		return 0, false
	}
	return i + len(line), true
}
