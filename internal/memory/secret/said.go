package secret

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
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
func (p *place) saidValue() (form.Span, bool) {
	if p.text[p.from] == '-' {
		return form.Span{}, false // an option: see flagValue
	}
	name := strings.ToLower(p.text[p.from:p.to])
	c := p.classOfName()
	if c == looks.KeyName && p.isCalled("credentials") {
		c = looks.NoSecret // a name and a password
	}
	switch c {
	case looks.NoSecret:
		if p.isCalled("login") && chars.IsQuote(chars.ByteAt(p.text, p.to)) {
			return form.Span{}, false // a field with the name of a user
		}
		if !slices.Contains(spokenNames, name) && !slices.Contains(pairNames, name) {
			return form.Span{}, false
		}
		c = looks.PasswordName
	case looks.MaybePassword:
		return p.quotedPassword()
	}
	kind := "password"
	if c != looks.PasswordName {
		kind = "secret"
	}
	v, ok := p.besideName(c)
	if ok && p.isCalled("pin") && isConnector(p.text[v.Start:v.End]) {
		return form.Span{}, false
	}
	return form.Span{Start: v.Start, End: v.End, Kind: kind}, ok
}

// quotedPassword returns the password in quotes or brackets behind "pass", which means other things elsewhere.
func (p *place) quotedPassword() (form.Span, bool) {
	next := skipBlank(p.text, p.to)
	if next > p.to && chars.ByteAt(p.text, p.from-1) == '(' {
		end := wordEnd(p.text, next) // (pass …)
		return form.Span{Start: next, End: end, Kind: "password"}, chars.ByteAt(p.text, end) == ')' && looks.IsStrong(p.text[next:end])
	}
	if next == p.to || !chars.IsQuote(chars.ByteAt(p.text, next)) {
		return form.Span{}, false
	}
	end := p.bareEnd(next)
	v, ok := p.spokenSecret(looks.PasswordName, form.Span{Start: next, End: min(len(p.text), end+1)}, false)
	return form.Span{Start: v.Start, End: v.End, Kind: "password"}, ok
}

// besideName returns the secret that stands behind, before or below the name.
func (p *place) besideName(c looks.Class) (v form.Span, ok bool) {
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

// isConnector reports whether s is a pin of a chip or a board, with its other names: GPIO14, PA_7, D4/GPIO2.
func isConnector(s string) bool {
	for name := range strings.SplitSeq(s, "/") {
		letters := strings.TrimRight(strings.TrimRight(name, chars.Digits), "_.")
		if !chars.IsWithin(len(letters), 1, 4) || !chars.IsNameWord(letters) || len(name)-len(letters) > 4 {
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
func (p *place) belowName(c looks.Class) (form.Span, bool) {
	rest := p.text[p.to:min(len(p.text), p.to+maxSaid)]
	line, below, ok := strings.Cut(rest, "\n")
	if line = strings.TrimRight(line, " \t\r*_"); !ok || line == "" || line[len(line)-1] != ':' {
		return form.Span{}, false
	}
	trimmed := strings.TrimLeft(below, " \t\r\n>`\"'")
	word, _, _ := strings.Cut(trimmed, "\n")
	if word = strings.TrimRight(word, " \t\r`\"'"); len(word) < 8 || strings.ContainsAny(word, " \t()[]{}'\",:;/=<>") || strings.Count(below[:len(below)-len(trimmed)], "\n") > 1 {
		return form.Span{}, false
	}
	start := p.to + len(rest) - len(trimmed)
	v := form.Span{Start: start, End: start + len(word)}
	if c == looks.PasswordName {
		return v, chars.IsAny(word, looks.IsStrong, looks.IsMadeUp, isLongHex)
	}
	return v, looks.IsKeyLike(word) && len(word) >= 20 && looks.IsRandomOrHex(word)
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

// endsClause reports whether a sentence, a part of it or the line ends with the word w.
func (p *place) endsClause(w form.Span) bool {
	return chars.IsOneOf(p.text[w.End-1], ".,;") || w.End == len(p.text) || chars.IsOneOf(p.text[w.End], "\r\n")
}

// behindUser returns the secret that stands behind the name of a user: "admin / …",
// "admin:…".
func (p *place) behindUser(c looks.Class, w form.Span, line string) (form.Span, bool) {
	if n := strings.IndexByte(p.text[w.Start:w.End], ':'); chars.IsWithin(n, 1, w.End-w.Start-2) && !strings.HasPrefix(p.text[w.Start+n:], "://") && !looks.IsTechnical(p.text[w.Start:w.Start+n]) {
		return p.spokenSecret(c, form.Span{Start: w.Start + n + 1, End: w.End}, false)
	}
	rest, ok := strings.CutPrefix(line[w.End-p.to:], " / ")
	if !ok {
		return form.Span{}, false
	}
	n := strings.IndexByte(rest+" ", ' ')
	start := w.End + len(" / ")
	return p.spokenSecret(c, form.Span{Start: start, End: start + n}, true)
}

// beforeName returns the secret that stands before the name: "… as the password".
func (p *place) beforeName(c looks.Class) (form.Span, bool) {
	from := max(0, p.from-maxSaid/2)
	line := p.text[from:p.from]
	if i := strings.LastIndexByte(line, '\n'); i >= 0 {
		from, line = from+i+1, line[i+1:]
	}
	words := slices.Collect(wordSpans(line, from))
	for n := len(words) - 1; n > 0 && len(words)-n <= 5; n-- {
		word := strings.ToLower(p.text[words[n].Start:words[n].End])
		if slices.Contains(asWords, word) {
			return p.spokenSecret(c, words[n-1], true)
		}
		if !slices.Contains(articles, word) {
			break
		}
	}
	return form.Span{}, false
}

// wordSpans returns where the words of s are, which begins at offset.
func wordSpans(s string, offset int) iter.Seq[form.Span] {
	return func(yield func(form.Span) bool) {
		for i := 0; i < len(s); {
			for i < len(s) && chars.IsSpace(s[i]) {
				i++
			}
			start := i
			for i < len(s) && !chars.IsSpace(s[i]) {
				i++
			}
			if i > start && !yield(form.Span{Start: offset + start, End: offset + i}) {
				return
			}
		}
	}
}

// spokenSecret returns the secret that the word w of a sentence is. If a verb says
// that it is one, less of the word itself has to.
func (p *place) spokenSecret(c looks.Class, w form.Span, verb bool) (form.Span, bool) {
	start, end, quoted := unwrap(p.text, w)
	if i := strings.IndexByte(p.text[start:max(start, end)], '"'); !quoted && i >= 0 {
		end = start + i // what is quoted ends there, as the message of a record
	}
	said := verb && c == looks.PasswordName
	if !quoted && !said && chars.ConsistsOf(p.text[start:end], chars.LowerLetters) {
		return form.Span{}, false // most words are none
	}
	code := start > 0 && p.text[start-1] == '`' // which quotes names in prose
	if quoted && said && !code {
		if v, ok := p.valueInQuotes(start - 1); ok && v.end > end && !chars.IsAny(p.text[v.start:v.end], looks.IsSentence, looks.IsNoValue) {
			return form.Span{Start: v.start, End: v.end}, true
		}
	}
	if end <= start {
		return form.Span{}, false
	}
	s := p.text[start:end]
	found := false
	switch {
	case said && chars.IsWithin(len(s), 4, 12) && chars.ConsistsOf(s, chars.Digits):
		found = true
	case looks.IsNoValue(s), !quoted && isProgramText(s, said):
	case c == looks.PasswordName:
		found = spokenPassword(s, verb, quoted, code)
	case c == looks.KeyName:
		found = isSpokenKey(s, verb)
	default:
		found = isSpokenToken(s)
	}
	if !found && said {
		if v, ok := p.spokenPhrase(start); ok {
			return v, ok
		}
	}
	return form.Span{Start: start, End: end}, found
}

// spokenPhrase returns the passphrase that begins at start, up to the end of a part of its sentence.
func (p *place) spokenPhrase(start int) (form.Span, bool) {
	line, _, _ := strings.Cut(p.text[start:min(len(p.text), start+maxSaid)], "\n")
	if i := strings.IndexAny(line, ".,;!?–—("); i > 0 {
		line = line[:i]
	}
	return form.Span{Start: start, End: start + len(strings.TrimRight(line, " \t\r"))}, looks.IsPhrase(line)
}

// isProgramText reports whether s is a call or an expression of a program. Where a verb has said that s is a
// password, words that people join are none.
func isProgramText(s string, said bool) bool {
	if looks.IsCallLike(s) {
		return true
	}
	return looks.IsCodeLike(s) && !(said && chars.IsAny(s, looks.IsDotted, looks.IsCoined))
}

// isSpokenKey reports whether s is a key in a sentence. If a verb says that it is one, it need not be random.
func isSpokenKey(s string, verb bool) bool {
	if len(s) < 16 || isFingerprint(s) || strings.ContainsAny(s, "()[]{}=,") {
		return false
	}
	return looks.IsKeyLike(s) && (verb || looks.IsRandomOrHex(s))
}

// isSpokenToken reports whether s is what is secret in a sentence whatever the name before it says.
func isSpokenToken(s string) bool {
	switch {
	case len(s) < 24, chars.IsAny(s, looks.IsHex, looks.IsUUID), strings.ContainsAny(s, "/.:()[]{}=,"), strings.ToLower(s) == s:
		return false
	}
	return looks.IsRandom(s)
}

// isLongHex reports whether s is a long number in hexadecimal notation.
func isLongHex(s string) bool {
	return looks.IsHex(s) && len(s) >= 16 && !chars.ConsistsOf(s, chars.Digits)
}

// isFingerprint reports whether s is that of a public key, as OpenPGP writes it.
func isFingerprint(s string) bool { return len(s) == 40 && looks.IsHex(s) && strings.ToUpper(s) == s }

// quotedPhrase returns the words in the quotes that open at i, if they are no sentence: the password "…".
func (p *place) quotedPhrase(i int) (form.Span, bool) {
	v, ok := p.valueInQuotes(i)
	if !ok {
		return form.Span{}, false
	}
	s := p.text[v.start:v.end]
	spaces := strings.Count(s, " ")
	return form.Span{Start: v.start, End: v.end}, chars.IsWithin(spaces, 1, 5) && !chars.IsAny(s, looks.IsSentence, looks.NamesSecret, looks.IsNoValue)
}

// spokenPassword reports whether s is a password in a sentence: quoted, or in the quotes of code, or behind a verb.
func spokenPassword(s string, verb, quoted, code bool) bool {
	isExpected := verb || quoted || len(s) >= 8
	switch {
	case isExpected && looks.IsStrong(s), looks.IsNumbered(s) && strings.Count(s, "-") >= 2:
		return true
	case quoted && !code:
		return chars.IsAny(s, looks.IsMadeUp, looks.IsCoined) || verb && len(s) >= 4
	case !verb:
		return false
	case looks.IsMadeUp(s), looks.IsWordAndNumber(s), looks.IsCoined(s) && !isDescribed(s):
		return true
	}
	return !code && looks.IsDotted(s)
}

// isDescribed reports whether s is how a password is made or kept, in words joined by hyphens: Argon2-hashed.
func isDescribed(s string) bool {
	_, last, ok := chars.CutLast(s, "-")
	return ok && slices.ContainsFunc([]string{"ed", "ing", "able", "ible", "less", "al", "ive"}, func(end string) bool { return strings.HasSuffix(last, end) })
}

// unwrap returns a word without the quotes, brackets and signs of a sentence around
// it.
func unwrap(text string, w form.Span) (start, end int, quoted bool) {
	start, end = w.Start, w.End
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
