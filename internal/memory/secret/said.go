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
	fromWords = []string{"from", "von", "van", "da", "z"} // lead to what a password was before it changed
	asWords   = []string{"as", "als", "comme", "como", "come", "is", "ist", "est", "es"}
	articles  = strings.Fields(`the a an my our your this new root admin user initial das mein dein unser neues le la mon ma votre nouveau mot de el mi tu su nueva contraseña api access auth
		secret db database master temporary login default wifi wi-fi phrase`)
)

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

// saidValue returns the secret that a sentence names:
//
//	the root password is …    das Passwort lautet …    log in with … as the password    my token …
//
// p is the name, of which nothing else is assigned. The secret stands behind, before or below it.
func (p *place) saidValue() (v form.Span, ok bool) {
	name, c := strings.ToLower(p.name()), p.classOfName()
	switch {
	case c == looks.MaybePassword:
		return p.quotedPassword()
	case c == looks.NoSecret, name == "credentials": // a name and a password
		isField := name == "login" && chars.IsQuote(chars.ByteAt(p.text, p.to)) // with the name of a user
		if isField || !slices.Contains(spokenNames, name) && !slices.Contains(pairNames, name) {
			return form.Span{}, false
		}
		c = looks.PasswordName
	}
	if p.hasSpaceBehind() {
		v, ok = p.behindName(c)
	}
	if !ok {
		v, ok = p.beforeName(c)
	}
	if !ok {
		v, ok = p.belowName(c)
	}
	v.Kind = c.Kind()
	return v, ok && !(name == "pin" && isConnector(p.text[v.Start:v.End]))
}

// quotedPassword returns the password in quotes or brackets behind "pass", which means other things elsewhere.
func (p *place) quotedPassword() (form.Span, bool) {
	next := skipBlank(p.text, p.to)
	if next == p.to {
		return form.Span{}, false
	}
	if chars.ByteAt(p.text, p.from-1) == '(' { // (pass …)
		end := wordEnd(p.text, next)
		return form.Span{Start: next, End: end, Kind: "password"}, chars.ByteAt(p.text, end) == ')' && looks.IsStrong(p.text[next:end])
	}
	v, ok := p.valueInQuotes(next)
	s := p.text[v.start:v.end]
	isWord := ok && !strings.Contains(s, " ") && !looks.IsNoValue(s)
	return form.Span{Start: v.start, End: v.end, Kind: "password"}, isWord && spokenPassword(s, false, true, v.quote == '`')
}

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
	rest := p.text[p.to:min(len(p.text), p.to+4)]
	if chars.HasAnyPrefix(rest, "'s ", "’s ") {
		return true
	}
	return chars.IsBlank(chars.ByteAt(strings.TrimLeft(rest, "\"'`*:),"), 0))
}

// belowName returns the secret that stands alone on the line below a sentence that
// ends with a colon: "The password of the user elastic:⏎  …".
func (p *place) belowName(c looks.Class) (form.Span, bool) {
	rest := p.text[p.to:min(len(p.text), p.to+maxSaid)]
	line, below, ok := strings.Cut(rest, "\n")
	if !ok || chars.LastByte(heading(line)) != ':' {
		return form.Span{}, false
	}
	trimmed := strings.TrimLeft(below, " \t\r\n>`\"'")
	word, _, _ := strings.Cut(trimmed, "\n")
	word = strings.TrimRight(word, " \t\r`\"'")
	isAway := strings.Count(below[:len(below)-len(trimmed)], "\n") > 1
	if len(word) < 8 || strings.ContainsAny(word, " \t()[]{}'\",:;/=<>") || isAway {
		return form.Span{}, false
	}
	start := p.to + len(rest) - len(trimmed)
	v := form.Span{Start: start, End: start + len(word)}
	if c == looks.PasswordName {
		isLongHex := looks.IsHex(word) && len(word) >= 16 && !chars.ConsistsOf(word, chars.Digits)
		return v, isLongHex || looks.IsStrong(word) || looks.IsMadeUp(word)
	}
	return v, looks.IsKeyLike(word) && len(word) >= 20 && looks.IsRandomOrHex(word)
}

// beforeName returns the secret that stands before the name: "… as the password".
func (p *place) beforeName(c looks.Class) (form.Span, bool) {
	from := max(0, p.from-maxSaid/2)
	before := p.text[from:p.from]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	from = p.from - len(before)
	for range 5 {
		trimmed := strings.TrimRight(before, " ")
		i := strings.LastIndexAny(trimmed, " \t") + 1
		word := strings.ToLower(trimmed[i:])
		switch {
		case len(trimmed) == len(before):
			return form.Span{}, false
		case slices.Contains(asWords, word):
			said := strings.TrimRight(trimmed[:i], " \t")
			start := strings.LastIndexAny(said, " \t") + 1
			return p.spokenSecret(c, form.Span{Start: from + start, End: from + len(said)}, true)
		case !slices.Contains(articles, word):
			return form.Span{}, false
		}
		before = trimmed[:i]
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
