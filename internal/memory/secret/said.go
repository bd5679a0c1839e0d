package secret

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// maxSaid bounds the part of a sentence that is read around a password's name,
// in bytes, and maxWords in words.
const (
	maxSaid  = 240
	maxWords = 12
)

// saidValue returns the secret that a sentence names:
//
//	the root password is …    das Passwort lautet …    log in with … as the password    my token …
//
// p is the name, of which nothing else is assigned.
func (p *place) saidValue() (span, bool) {
	if p.text[p.from] == '-' {
		return span{}, false // an option: see flagValue
	}
	name := strings.ToLower(p.text[p.from:p.to])
	c := p.classOfName()
	if c == keyName && p.isCalled("credentials") {
		c = noSecret // a name and a password
	}
	switch c {
	case noSecret:
		if p.isCalled("login") && isQuote(byteAt(p.text, p.to)) {
			return span{}, false // a field with the name of a user
		}
		if !slices.Contains(spokenNames, name) && !slices.Contains(pairNames, name) {
			return span{}, false
		}
		c = passwordName
	case maybePassword:
		return p.quotedPassword()
	}
	kind := "password"
	if c != passwordName {
		kind = "secret"
	}
	v, ok := p.besideName(c)
	if ok && p.isCalled("pin") && isConnector(p.text[v.start:v.end]) {
		return span{}, false
	}
	return span{start: v.start, end: v.end, kind: kind}, ok
}

// quotedPassword returns the password in quotes or brackets behind "pass", which means other things elsewhere.
func (p *place) quotedPassword() (span, bool) {
	next := skipBlank(p.text, p.to)
	if next > p.to && byteAt(p.text, p.from-1) == '(' {
		end := wordEnd(p.text, next) // (pass …)
		return span{start: next, end: end, kind: "password"}, byteAt(p.text, end) == ')' && isStrong(p.text[next:end])
	}
	if next == p.to || !isQuote(byteAt(p.text, next)) {
		return span{}, false
	}
	end := p.bareEnd(next)
	v, ok := p.spokenSecret(passwordName, span{start: next, end: min(len(p.text), end+1)}, false)
	return span{start: v.start, end: v.end, kind: "password"}, ok
}

// besideName returns the secret that stands behind, before or below the name.
func (p *place) besideName(c class) (v span, ok bool) {
	if p.hasSpaceBehind() {
		v, ok = p.behindName(c)
	}
	if !ok && p.isBehindAs() {
		v, ok = p.beforeName(c)
	}
	if !ok {
		v, ok = p.belowName(c)
	}
	return v, ok
}

// isCalled reports whether the name is the word, in any case of letters.
func (p *place) isCalled(word string) bool { return strings.EqualFold(p.text[p.from:p.to], word) }

// isConnector reports a pin of a chip or a board, with its other names: GPIO14, PA_7, D4/GPIO2.
func isConnector(s string) bool {
	for name := range strings.SplitSeq(s, "/") {
		letters := strings.TrimRight(strings.TrimRight(name, digits), "_.")
		if !isWithin(len(letters), 1, 4) || !isNameWord(letters) || len(name)-len(letters) > 4 {
			return false
		}
	}
	return true
}

// hasSpaceBehind reports whether words follow the name.
func (p *place) hasSpaceBehind() bool {
	i := p.to
	if strings.HasPrefix(p.text[i:], "'s ") || strings.HasPrefix(p.text[i:], "’s ") {
		return true
	}
	for i < len(p.text) && i-p.to < 3 && strings.IndexByte("\"'`*:),", p.text[i]) >= 0 {
		i++
	}
	return i < len(p.text) && (p.text[i] == ' ' || p.text[i] == '\t')
}

// belowName returns the secret that stands alone on the line below a sentence that
// ends with a colon: "The password of the user elastic:⏎  …".
func (p *place) belowName(c class) (span, bool) {
	rest := p.text[p.to:min(len(p.text), p.to+maxSaid)]
	line, below, ok := strings.Cut(rest, "\n")
	if line = strings.TrimRight(line, " \t\r*_"); !ok || line == "" || line[len(line)-1] != ':' {
		return span{}, false
	}
	trimmed := strings.TrimLeft(below, " \t\r\n>`\"'")
	word, _, _ := strings.Cut(trimmed, "\n")
	if word = strings.TrimRight(word, " \t\r`\"'"); len(word) < 8 || strings.ContainsAny(word, " \t()[]{}'\",:;/=<>") || strings.Count(below[:len(below)-len(trimmed)], "\n") > 1 {
		return span{}, false
	}
	start := p.to + len(rest) - len(trimmed)
	v := span{start: start, end: start + len(word)}
	if c == passwordName {
		return v, isAny(word, isStrong, isMadeUp, isLongHex)
	}
	return v, isKeyLike(word) && len(word) >= 20 && isRandomOrHex(word)
}

// isBehindAs reports whether the name is the end of "… as the password".
func (p *place) isBehindAs() bool {
	before := p.text[max(0, p.from-maxSaid/2):p.from]
	for range 5 {
		trimmed := strings.TrimRight(before, " ")
		if len(trimmed) == len(before) {
			return false
		}
		i := strings.LastIndexAny(trimmed, " \n") + 1
		word := trimmed[i:]
		if slices.Contains(asWords, word) {
			return true
		}
		if !slices.Contains(articles, word) {
			return false
		}
		before = trimmed[:i]
	}
	return false
}

// spokenNames are the last words of names for a password that are several words,
// or that only sentences have.
var spokenNames = []string{"passe", "pin", "contraseña", "parola", "login", "credentials", "zugangsdaten", "identifiants", "credenciales"}

// pairNames are followed by the name of a user and a password.
var pairNames = []string{"creds", "logins", "zugang", "acceso", "accesso"}

// Words of a sentence between the name of a password and the password, in the
// languages that prompts come in.
var (
	copulas = strings.Fields(`is s c'est are was be = : := to lautet ist war heißt heisst wurde auf est sera était a à en es era será fue è is: are: reads equals being becomes -> →
		é è foi sono är er je will should shall it's`)
	fillers = strings.Fields(`now still currently just actually simply probably also the following set changed reset to be been jetzt noch nun immer aktuell einfach neu
		maintenant toujours désormais ahora todavía sigue siendo still always temporarily = : called auf gesetzt geändert définie défini mis este esta esto this mine only
		übrigens derzeit momentan vorerst actuellement désormais actualmente btw temporarily`)
	// bridges lead on to what the password is now: "the token was rotated, the new one is …".
	bridges = strings.Fields(`changed rotated reset updated expired renewed new one it its now and so the neu neue neuer geändert secreta secret nueva neues
		temporary initial default provisoire temporaire initiale actuel temporal provisional inicial actual provisória provisório temporária provvisoria iniziale
		provisorisch vorläufige vorläufiges`)
	qualifiers = strings.Fields(`for of to on in at from with von vom für zu zum zur der des dem den die das im am du de des la le les pour sur dans el los las para del en my our the
		your mein meine meiner meines unser unsere mon ma mes mi su your his her their its
		do da dos das della di van het wifi fürs beim ans vors dein unser este questo`)
	asWords  = []string{"as", "als", "comme", "como", "come", "is", "ist", "est", "es"}
	articles = strings.Fields(`the a an my our your this new root admin user initial das mein dein unser neues le la mon ma votre nouveau mot de el mi tu su nueva contraseña api access auth
		secret db database master temporary login default wifi wi-fi phrase`)
)

// fromWords lead to what a password was before it changed.
var fromWords = []string{"from", "von", "van", "da", "z"}

// What a word does between the name of a password and the password.
const (
	copula = 1 << iota
	filler
	qualifier
	bridge
)

// linking has the words of copulas, fillers, qualifiers and bridges.
var linking = sync.OnceValue(func() map[string]int {
	kinds := map[string]int{}
	for kind, words := range map[int][]string{copula: copulas, filler: fillers, qualifier: qualifiers, bridge: bridges} {
		for _, w := range words {
			kinds[w] |= kind
		}
	}
	return kinds
})

// behindName returns the secret that stands behind the name: at once, or behind a
// word like "is", of what it is the password in between.
func (p *place) behindName(c class) (span, bool) {
	line, _, _ := strings.Cut(p.text[p.to:min(len(p.text), p.to+maxSaid)], "\n")
	r := reading{place: p, class: c, line: line}
	for w := range wordSpans(line, p.to) {
		if r.words++; r.words > maxWords {
			break
		}
		if v, ok, ends := r.next(w); ends {
			return v, ok
		}
	}
	return span{}, false
}

// A reading is what has been read of a sentence behind the name of a secret.
type reading struct {
	*place
	class  class
	line   string
	words  int
	verb   bool // a word has led to the secret: is, lautet, or a colon
	titled bool // that was the colon of a title, password form: …
	from   int  // behind the word that leads to what the password was before, or 0
}

// next reads the next word of the sentence. It reports whether the reading ends with it, and then
// whether v is a secret.
func (r *reading) next(w span) (v span, ok, ends bool) {
	isFirst, isPassword := r.words == 1, r.class == passwordName
	isFirstOfPassword := isFirst && isPassword
	text := r.text[w.start:w.end]
	word := strings.ToLower(strings.Trim(text, ".,;\"'`*()"))
	kind := linking()[word]
	switch {
	case !r.verb && !isFirst && text[0] == '{': // what a program gives to something else
		return span{}, false, true
	case r.readsLink(text, word, kind):
		return span{}, false, false
	case isFirstOfPassword && len(word) >= 6 && consistsOf(word, digits):
		v, ok = r.spokenSecret(r.class, w, true)
		return v, ok, true
	case isFirstOfPassword && isQuote(text[0]) && text[0] != '`':
		if v, ok = r.quotedPhrase(w.start); ok {
			return v, ok, true
		}
		return r.readNamed(w)
	case isFirstOfPassword && slices.Contains(fromWords, word):
		r.from = w.end
	case r.from > 0 && w.start <= r.from+2:
		v, ok = r.spokenSecret(r.class, w, true)
		return v, ok, ok
	case isFirst && text[0] == '(':
		v, ok = r.spokenSecret(r.class, w, false)
		return v, ok, ok
	case r.verb:
		v, ok = r.behindVerb(w)
		return v, ok, true
	case r.words <= 3 && isUserAndPassword(word) && slices.Contains(spokenNames, r.name()):
		v, ok = r.behindUser(r.class, w, r.line)
		return v, ok, true
	case kind&qualifier != 0:
	case isFirstOfPassword && r.isCoinedAtEnd(w, word):
		return span{start: w.start, end: w.start + len(strings.TrimRight(text, ".,;"))}, true, true
	case isFirst && !consistsOf(text, lowerLetters+".,;:!?"), isPassword && hasInnerSign(word):
		return r.readNamed(w)
	case strings.ContainsAny(text[len(text)-1:], ".;!?"):
		return span{}, false, true
	}
	return span{}, false, false
}

// readsLink reports whether a word leads from the name to the secret, and records whether it was a verb.
func (r *reading) readsLink(text, word string, kind int) bool {
	isBridge := kind&bridge != 0
	isTitle := r.class == passwordName && len(word) > 4
	endsLead := r.words > 1 || isBridge || isTitle
	switch {
	case r.verb:
		return kind&(filler|copula) != 0
	case lastByte(text) == ':' && endsLead:
		r.verb, r.titled = true, r.words == 1 && !isBridge
	case word == "", isBridge:
	case kind&copula != 0:
		r.verb = true
	default:
		return false
	}
	return true
}

// readNamed reads a word that is a secret, or else the name of what has one.
func (r *reading) readNamed(w span) (v span, ok, ends bool) {
	v, ok = r.spokenSecret(r.class, w, false)
	return v, ok, ok || !isNameWord(r.text[w.start:w.end])
}

// behindVerb returns the secret that the word behind a verb is, or one that stands behind the name of a user.
func (r *reading) behindVerb(w span) (span, bool) {
	if slices.Contains(pairNames, r.name()) {
		return r.behindUser(r.class, w, r.line)
	}
	if v, ok := r.spokenSecret(r.class, w, true); ok {
		return v, !r.titled || v.end <= w.end
	}
	return r.behindUser(r.class, w, r.line)
}

// name returns the name of the secret in small letters.
func (r *reading) name() string { return strings.ToLower(r.text[r.place.from:r.to]) }

// isCoinedAtEnd reports whether a word that somebody made up, with a number, ends its sentence or a part of it.
func (r *reading) isCoinedAtEnd(w span, word string) bool {
	return r.endsClause(w) && hasDigit(word) && isCoined(strings.TrimRight(r.text[w.start:w.end], ".,;"))
}

// isUserAndPassword reports a word with a colon within, which is no structure of a program.
func isUserAndPassword(word string) bool {
	return strings.IndexByte(word, ':') > 0 && !strings.ContainsAny(word, `"'{}[]/,`)
}

// endsClause reports whether a sentence, a part of it or the line ends with the word w.
func (p *place) endsClause(w span) bool {
	return isOneOf(p.text[w.end-1], ".,;") || w.end == len(p.text) || isOneOf(p.text[w.end], "\r\n")
}

// isNameWord reports a word of letters alone, as the name of what has a password.
func isNameWord(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && !isLetter(byte(r)) })
}

// behindUser returns the secret that stands behind the name of a user: "admin / …",
// "admin:…".
func (p *place) behindUser(c class, w span, line string) (span, bool) {
	if n := strings.IndexByte(p.text[w.start:w.end], ':'); isWithin(n, 1, w.end-w.start-2) && !strings.HasPrefix(p.text[w.start+n:], "://") && !isTechnical(p.text[w.start:w.start+n]) {
		return p.spokenSecret(c, span{start: w.start + n + 1, end: w.end}, false)
	}
	rest, ok := strings.CutPrefix(line[w.end-p.to:], " / ")
	if !ok {
		return span{}, false
	}
	n := strings.IndexByte(rest+" ", ' ')
	start := w.end + len(" / ")
	return p.spokenSecret(c, span{start: start, end: start + n}, true)
}

// beforeName returns the secret that stands before the name: "… as the password".
func (p *place) beforeName(c class) (span, bool) {
	from := max(0, p.from-maxSaid/2)
	line := p.text[from:p.from]
	if i := strings.LastIndexByte(line, '\n'); i >= 0 {
		from, line = from+i+1, line[i+1:]
	}
	words := slices.Collect(wordSpans(line, from))
	for n := len(words) - 1; n > 0 && len(words)-n <= 5; n-- {
		word := strings.ToLower(p.text[words[n].start:words[n].end])
		if slices.Contains(asWords, word) {
			return p.spokenSecret(c, words[n-1], true)
		}
		if !slices.Contains(articles, word) {
			break
		}
	}
	return span{}, false
}

// wordSpans returns where the words of s are, which begins at offset.
func wordSpans(s string, offset int) iter.Seq[span] {
	return func(yield func(span) bool) {
		for i := 0; i < len(s); {
			for i < len(s) && isSpace(s[i]) {
				i++
			}
			start := i
			for i < len(s) && !isSpace(s[i]) {
				i++
			}
			if i > start && !yield(span{start: offset + start, end: offset + i}) {
				return
			}
		}
	}
}

// spokenSecret returns the secret that the word w of a sentence is. If a verb says
// that it is one, less of the word itself has to.
func (p *place) spokenSecret(c class, w span, verb bool) (span, bool) {
	start, end, quoted := unwrap(p.text, w)
	if i := strings.IndexByte(p.text[start:max(start, end)], '"'); !quoted && i >= 0 {
		end = start + i // what is quoted ends there, as the message of a record
	}
	said := verb && c == passwordName
	if !quoted && !said && consistsOf(p.text[start:end], lowerLetters) {
		return span{}, false // most words are none
	}
	code := start > 0 && p.text[start-1] == '`' // which quotes names in prose
	if quoted && said && !code {
		if v, ok := p.valueInQuotes(start - 1); ok && v.end > end && !isAny(p.text[v.start:v.end], isSentence, isNoValue) {
			return span{start: v.start, end: v.end}, true
		}
	}
	if end <= start {
		return span{}, false
	}
	s := p.text[start:end]
	found := false
	switch {
	case said && isWithin(len(s), 4, 12) && consistsOf(s, digits):
		found = true
	case isNoValue(s), !quoted && isProgramText(s, said):
	case c == passwordName:
		found = spokenPassword(s, verb, quoted, code)
	case c == keyName:
		found = isSpokenKey(s, verb)
	default:
		found = isSpokenToken(s)
	}
	if !found && said {
		if v, ok := p.spokenPhrase(start); ok {
			return v, ok
		}
	}
	return span{start: start, end: end}, found
}

// spokenPhrase returns the passphrase that begins at start, up to the end of a part of its sentence.
func (p *place) spokenPhrase(start int) (span, bool) {
	line, _, _ := strings.Cut(p.text[start:min(len(p.text), start+maxSaid)], "\n")
	if i := strings.IndexAny(line, ".,;!?–—("); i > 0 {
		line = line[:i]
	}
	return span{start: start, end: start + len(strings.TrimRight(line, " \t\r"))}, isPhrase(line)
}

// isProgramText reports a call or an expression of a program. Where a verb has said that s is a
// password, words that people join are none.
func isProgramText(s string, said bool) bool {
	if isCallLike(s) {
		return true
	}
	return isCodeLike(s) && !(said && isAny(s, isDotted, isCoined))
}

// isSpokenKey reports a key in a sentence. If a verb says that it is one, it need not be random.
func isSpokenKey(s string, verb bool) bool {
	if len(s) < 16 || isFingerprint(s) || strings.ContainsAny(s, "()[]{}=,") {
		return false
	}
	return isKeyLike(s) && (verb || isRandomOrHex(s))
}

// isSpokenToken reports what is secret in a sentence whatever the name before it says.
func isSpokenToken(s string) bool {
	switch {
	case len(s) < 24, isAny(s, isHex, isUUID), strings.ContainsAny(s, "/.:()[]{}=,"), strings.ToLower(s) == s:
		return false
	}
	return isRandom(s)
}

// isLongHex reports a long number in hexadecimal notation.
func isLongHex(s string) bool { return isHex(s) && len(s) >= 16 && !consistsOf(s, digits) }

// isFingerprint reports that of a public key, as OpenPGP writes it.
func isFingerprint(s string) bool { return len(s) == 40 && isHex(s) && strings.ToUpper(s) == s }

// quotedPhrase returns the words in the quotes that open at i, if they are no sentence: the password "…".
func (p *place) quotedPhrase(i int) (span, bool) {
	v, ok := p.valueInQuotes(i)
	if !ok {
		return span{}, false
	}
	s := p.text[v.start:v.end]
	spaces := strings.Count(s, " ")
	return span{start: v.start, end: v.end}, isWithin(spaces, 1, 5) && !isAny(s, isSentence, namesSecret, isNoValue)
}

// isWordAndNumber reports a word with a number behind, as people choose: Summer2023.
func isWordAndNumber(s string) bool {
	letters := strings.TrimRight(s, digits)
	if len(s)-len(letters) < 2 || len(letters) < 4 {
		return false
	}
	return isNameWord(letters) && strings.ToUpper(letters) != letters && !isTechnical(s)
}

// spokenPassword reports a password in a sentence: quoted, or in the quotes of code, or behind a verb.
func spokenPassword(s string, verb, quoted, code bool) bool {
	isExpected := verb || quoted || len(s) >= 8
	switch {
	case isExpected && isStrong(s), isNumbered(s) && strings.Count(s, "-") >= 2:
		return true
	case quoted && !code:
		return isAny(s, isMadeUp, isCoined) || verb && len(s) >= 4
	case !verb:
		return false
	case isMadeUp(s), isWordAndNumber(s), isCoined(s) && !isDescribed(s):
		return true
	}
	return !code && isDotted(s)
}

// isDescribed reports how a password is made or kept, in words joined by hyphens: Argon2-hashed.
func isDescribed(s string) bool {
	_, last, ok := cutLast(s, "-")
	return ok && slices.ContainsFunc([]string{"ed", "ing", "able", "ible", "less", "al", "ive"}, func(end string) bool { return strings.HasSuffix(last, end) })
}

// unwrap returns a word without the quotes, brackets and signs of a sentence around
// it.
func unwrap(text string, w span) (start, end int, quoted bool) {
	start, end = w.start, w.end
	for _, open := range []string{"**", "(", "\\\"", "\"", "'", "`", "“", "„", "«", "‘"} {
		if strings.HasPrefix(text[start:end], open) {
			start += len(open)
			quoted = quoted || open != "(" && open != "**"
		}
	}
	s := text[start:end]
	if quoted {
		if i := strings.LastIndexAny(s, "\"'`”“»’"); i > 0 && len(s)-i <= 6 {
			return start, start + len(strings.TrimRight(s[:i], `\`)), true
		}
	}
	return start, start + len(strings.TrimRight(s, ".,;:!?)\"'`*\\")), quoted
}
