package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// askedFor are the words for what is asked for, and behindAsked what may stand between them and the
// question mark.
const (
	askedFor = `pw|pwd|passwd|password|passphrase|passcode|pass|pin|passwort|kennwort|mdp|mot de passe|contraseña|clave|senha|password[oa]|` +
		`wachtwoord|hasło|пароль|密码|パスワード`
	behindAsked = `again|please|pls|now|here|there|for [^?]{1,40}|of [^?]{1,40}|did you (?:set|use|choose)|should i (?:use|enter|take)|` +
		`do i (?:use|need|enter)|to use|bitte|svp|por favor`
)

// asking is a question for a password, in the words before its mark: pw?  what's the wifi password?
var asking = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}-])(` + askedFor + `)(?: (?:` + behindAsked + `))?[ \x{a0}]*[?？]+[ \t]*`)
})

// beginsAbout are how questions about a password begin whose answer is none.
const beginsAbout = `where|why|how|when|who|is there|are there|does|did you (?:change|set up)|do (?:we|i|you) (?:need|have)|can|could|should (?:we|the)|` +
	`which .*(?:hash|type|kind|field|manager|policy)`

// aboutIt is such a beginning: where is the password?  which kind of password?
var aboutIt = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:` + beginsAbout + `)\b`) })

// findAnswers returns the answers to questions for a password: behind the question, or on the next line.
func findAnswers(s string) []form.Span {
	if !strings.ContainsAny(s, "?？") {
		return nil
	}
	var out []form.Span
	for _, m := range asking().FindAllStringSubmatchIndex(s, -1) {
		from := max(strings.LastIndexByte(s[:m[2]], '\n')+1, m[2]-maxSaid)
		if aboutIt().MatchString(s[from:m[2]]) {
			continue
		}
		if v, ok := findAnswer(s, m[1]); ok && isAnswer(s[v.Start:v.End], s[m[2]:m[3]]) {
			out = append(out, passwordAt(v.Start, v.End))
		}
	}
	return out
}

// speaker is what stands before an answer: a name, the mark of a list or a quotation.
var speaker = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\s>*-]*(?:[\p{L}\d._@-]{1,30}:[ \t]+)?`) })

// findAnswer returns the one word that answers a question which ends at i, on its line or the next.
func findAnswer(s string, i int) (form.Span, bool) {
	line := form.LineAt(s, i)
	for below := 0; strings.Trim(line, " \t\r\"'`*>)") == ""; below++ {
		if i += len(line) + 1; i >= len(s) || below > 1 {
			return form.Span{}, false
		}
		line = form.LineAt(s, i)
	}
	i += len(speaker().FindString(line))
	word := form.Span{Start: i, End: i + len(strings.TrimRight(form.LineAt(s, i), " \t\r"))}
	if strings.ContainsAny(strings.TrimSpace(s[word.Start:word.End]), " \t") {
		return form.Span{}, false
	}
	start, end, _ := unwrap(s, word)
	return form.Span{Start: start, End: end}, end > start
}

// isAnswer reports whether a word answers a question for a password, or for a number.
func isAnswer(word, asked string) bool {
	switch {
	case strings.Trim(word, chars.Digits) == "":
		return len(word) >= 4 && len(word) <= 10
	case len(word) < 6, chars.IsAny(word, looks.IsNoValue, isConnector, looks.IsCodeLike):
		return false
	case looks.IsStrong(word):
		return true
	case strings.EqualFold(asked, "pass"): // says that tests did, too
		return false
	}
	isNumbered := looks.IsUndivided(word) && chars.HasDigit(word) && !looks.IsTechnical(word)
	return isNumbered || looks.NumberLength(word) >= 4 || chars.IsAny(word, looks.IsWordAndNumber, looks.IsMadeUp, looks.IsCoined)
}

// Answer is Redact for what somebody said after something else: a question for a password may stand
// there. Only the end of that is looked at.
func Answer(before, said string) string {
	before = strings.TrimSpace(before)
	line := before[strings.LastIndexByte(before, '\n')+1:]
	line = line[max(0, len(line)-maxSaid):]
	if !strings.ContainsAny(line, "?？") {
		return Redact(said)
	}
	lead := line + "\n"
	found := findAnswers(lead + said)
	for i := range found {
		found[i].Start, found[i].End = found[i].Start-len(lead), found[i].End-len(lead)
	}
	return Redact(putMarkers(said, slices.DeleteFunc(found, func(f form.Span) bool { return f.Start < 0 })))
}

// Alone reports whether a text is one word that looks like a password and like nothing else.
func Alone(s string) bool {
	s = strings.Trim(s, " \t\r\n`\"'")
	return s != "" && !strings.ContainsAny(s, " \t\r\n") && isAnswer(s, "pass")
}
