package secret

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// behindName returns the secret that stands behind the name: at once, or behind a
// word like "is", of what it is the password in between.
func (p *place) behindName(c looks.Class) (form.Span, bool) {
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
	return form.Span{}, false
}

// A reading is what has been read of a sentence behind the name of a secret.
type reading struct {
	*place
	class  looks.Class
	line   string
	words  int
	verb   bool // a word has led to the secret: is, lautet, or a colon
	titled bool // that was the colon of a title, password form: …
	from   int  // behind the word that leads to what the password was before, or 0
}

// next reads the next word of the sentence. It reports whether the reading ends with it, and then
// whether v is a secret.
func (r *reading) next(w form.Span) (v form.Span, ok, ends bool) {
	isFirst, isPassword := r.words == 1, r.class == looks.PasswordName
	text := r.text[w.Start:w.End]
	word := strings.ToLower(strings.Trim(text, ".,;\"'`*()"))
	kind := linking()[word]
	switch {
	case !r.verb && !isFirst && text[0] == '{': // what a program gives to something else
		return form.Span{}, false, true
	case r.readsLink(text, word, kind):
		return form.Span{}, false, false
	case r.verb:
		v, ok = r.behindVerb(w)
		return v, ok, true
	case isFirst && isPassword && slices.Contains(fromWords, word):
		r.from = w.End
	case r.from > 0 && w.Start <= r.from+2:
		v, ok = r.spokenSecret(r.class, w, true)
		return v, ok, ok
	case isFirst && text[0] == '(':
		v, ok = r.spokenSecret(r.class, w, false)
		return v, ok, ok
	case r.words <= 3 && isUserAndPassword(word) && slices.Contains(spokenNames, strings.ToLower(r.name())):
		v, ok = r.behindUser(r.class, w, r.line)
		return v, ok, true
	case kind&qualifier != 0:
	case isFirst && !chars.ConsistsOf(text, chars.LowerLetters+".,;:!?"), isPassword && looks.HasInnerSign(word):
		if isPassword && chars.IsOneOf(text[0], `"'`) {
			if v, ok = r.quotedPhrase(w.Start); ok {
				return v, ok, true
			}
		}
		if isPassword && isFirst && r.isCoinedAtEnd(w, word) {
			return form.Span{Start: w.Start, End: w.Start + len(strings.TrimRight(text, ".,;"))}, true, true
		}
		isNumber := isPassword && len(word) >= 6 && chars.ConsistsOf(word, chars.Digits)
		v, ok = r.spokenSecret(r.class, w, isNumber)
		return v, ok, ok || !chars.IsNameWord(text)
	case strings.ContainsAny(text[len(text)-1:], ".;!?"):
		return form.Span{}, false, true
	}
	return form.Span{}, false, false
}

// readsLink reports whether a word leads from the name to the secret, and records whether it was a verb.
func (r *reading) readsLink(text, word string, kind int) bool {
	isBridge := kind&bridge != 0
	isTitle := r.class == looks.PasswordName && len(word) > 4
	endsLead := r.words > 1 || isBridge || isTitle
	switch {
	case r.verb:
		return kind&(filler|copula) != 0
	case chars.LastByte(text) == ':' && endsLead:
		r.verb, r.titled = true, r.words == 1 && !isBridge
	case word == "", isBridge:
	case kind&copula != 0:
		r.verb = true
	default:
		return false
	}
	return true
}

// behindVerb returns the secret that the word behind a verb is, or one that stands behind the name of a user.
func (r *reading) behindVerb(w form.Span) (form.Span, bool) {
	if slices.Contains(pairNames, strings.ToLower(r.name())) {
		return r.behindUser(r.class, w, r.line)
	}
	if v, ok := r.spokenSecret(r.class, w, true); ok {
		return v, !r.titled || v.End <= w.End
	}
	return r.behindUser(r.class, w, r.line)
}

// isCoinedAtEnd reports whether a word that somebody made up, with a number, ends its sentence or a part of it.
func (r *reading) isCoinedAtEnd(w form.Span, word string) bool {
	return r.endsClause(w) && chars.HasDigit(word) && looks.IsCoined(strings.TrimRight(r.text[w.Start:w.End], ".,;"))
}

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

// spokenSecret returns the secret that the word w of a sentence is. If a verb says
// that it is one, less of the word itself has to.
func (p *place) spokenSecret(c looks.Class, w form.Span, verb bool) (form.Span, bool) {
	start, end, quoted := unwrap(p.text, w)
	if i := strings.IndexByte(p.text[start:max(start, end)], '"'); !quoted && i >= 0 {
		end = start + i // what is quoted ends there, as the message of a record
	}
	said := verb && c == looks.PasswordName
	if !quoted && !said && chars.ConsistsOf(p.text[start:max(start, end)], chars.LowerLetters) {
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
	}
	if !found && said {
		line, _, _ := strings.Cut(p.text[start:min(len(p.text), start+maxSaid)], "\n")
		if i := strings.IndexAny(line, ".,;!?–—("); i > 0 {
			line = line[:i]
		}
		if line = strings.TrimRight(line, " \t\r"); looks.IsPhrase(line) {
			return form.Span{Start: start, End: start + len(line)}, true
		}
	}
	return form.Span{Start: start, End: end}, found
}

// quotedPhrase returns the words in the quotes that open at i, if they are no sentence: the password "…".
func (p *place) quotedPhrase(i int) (form.Span, bool) {
	v, ok := p.valueInQuotes(i)
	s := p.text[v.start:v.end]
	isFew := chars.IsWithin(strings.Count(s, " "), 1, 5)
	return form.Span{Start: v.start, End: v.end}, ok && isFew && !chars.IsAny(s, looks.IsSentence, looks.NamesSecret, looks.IsNoValue)
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

// isFingerprint reports whether s is that of a public key, as OpenPGP writes it.
func isFingerprint(s string) bool { return len(s) == 40 && looks.IsHex(s) && strings.ToUpper(s) == s }

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
	case looks.IsMadeUp(s), looks.IsCoined(s):
		return true
	}
	return !code && looks.IsDotted(s)
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

// isUserAndPassword reports whether word is a word with a colon within, which is no structure of a program.
func isUserAndPassword(word string) bool {
	return strings.IndexByte(word, ':') > 0 && !strings.ContainsAny(word, `"'{}[]/,`)
}
