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
	isFirstOfPassword := isFirst && isPassword
	text := r.text[w.Start:w.End]
	word := strings.ToLower(strings.Trim(text, ".,;\"'`*()"))
	kind := linking()[word]
	switch {
	case !r.verb && !isFirst && text[0] == '{': // what a program gives to something else
		return form.Span{}, false, true
	case r.readsLink(text, word, kind):
		return form.Span{}, false, false
	case isFirstOfPassword && len(word) >= 6 && chars.ConsistsOf(word, chars.Digits):
		v, ok = r.spokenSecret(r.class, w, true)
		return v, ok, true
	case isFirstOfPassword && chars.IsQuote(text[0]) && text[0] != '`':
		if v, ok = r.quotedPhrase(w.Start); ok {
			return v, ok, true
		}
		return r.readNamed(w)
	case isFirstOfPassword && slices.Contains(fromWords, word):
		r.from = w.End
	case r.from > 0 && w.Start <= r.from+2:
		v, ok = r.spokenSecret(r.class, w, true)
		return v, ok, ok
	case isFirst && text[0] == '(':
		v, ok = r.spokenSecret(r.class, w, false)
		return v, ok, ok
	case r.verb:
		v, ok = r.behindVerb(w)
		return v, ok, true
	case r.words <= 3 && isUserAndPassword(word) && slices.Contains(spokenNames, strings.ToLower(r.name())):
		v, ok = r.behindUser(r.class, w, r.line)
		return v, ok, true
	case kind&qualifier != 0:
	case isFirstOfPassword && r.isCoinedAtEnd(w, word):
		return form.Span{Start: w.Start, End: w.Start + len(strings.TrimRight(text, ".,;"))}, true, true
	case isFirst && !chars.ConsistsOf(text, chars.LowerLetters+".,;:!?"), isPassword && looks.HasInnerSign(word):
		return r.readNamed(w)
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

// readNamed reads a word that is a secret, or else the name of what has one.
func (r *reading) readNamed(w form.Span) (v form.Span, ok, ends bool) {
	v, ok = r.spokenSecret(r.class, w, false)
	return v, ok, ok || !chars.IsNameWord(r.text[w.Start:w.End])
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

// isUserAndPassword reports whether word is a word with a colon within, which is no structure of a program.
func isUserAndPassword(word string) bool {
	return strings.IndexByte(word, ':') > 0 && !strings.ContainsAny(word, `"'{}[]/,`)
}
