package secret

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// maxFlagValue bounds the value of an option, in bytes.
const maxFlagValue = 4096

// isOption reports whether the name is that of an option of a command.
func (p *place) isOption() bool {
	dashes := len(p.name()) - len(strings.TrimLeft(p.name(), "-"))
	return chars.IsWithin(dashes, 1, 2) && (p.from == 0 || chars.IsOneOf(p.text[p.from-1], " \t\r\n\"'`([{,|\\;"))
}

// argument returns the secret that the option of a command which the name is of is given:
//
//	--password hunter2    --db-password='…'    -token "…"
//
// The value may contain any characters. Variables and placeholders, paths, and the next
// word of a sentence about the option are not secrets.
func (p *place) argument() []form.Span {
	class := looks.ClassOf(p.name())
	switch class {
	case looks.NoSecret, looks.MaybeKey:
		return nil
	case looks.MaybePassword:
		class = looks.PasswordName
	}
	v, ok := argumentOf(p.text, p.from, p.to)
	s, isApart := p.text[v.Start:v.End], v.Start > p.to
	if !ok || !isApart || looks.NoFlagValue(s, class) {
		return nil
	}
	if v.loose && isNextWord(p.text, p.from, s, class) {
		return nil
	}
	v.Kind = class.Kind()
	return []form.Span{v.Span}
}

// isNextWord reports whether s, which only a space parts from the option at from, is the next word
// of a sentence about it.
func isNextWord(text string, from int, s string, c looks.Class) bool {
	return looks.IsWordOnly(strings.TrimRight(s, "]")) && (c != looks.PasswordName || inProse(text, from, s))
}

// An argument is the value of an option. It is loose if only a space parts it
// from the option: then it may be the next word of a sentence.
type argument struct {
	form.Span
	loose bool
}

// argumentOf returns the value of the option text[from:to], which follows at once or behind a sign, a
// space, or the end of a line that goes on.
func argumentOf(text string, from, to int) (argument, bool) {
	i, loose := to, false
	if beginsWithSign(text[i:]) {
		i++
	} else {
		i += blankLength(text[i:])
		loose = i > to
	}
	if chars.ByteAt(text, i) == '\\' && chars.IsQuote(chars.ByteAt(text, i+1)) {
		i++
	}
	if c := chars.ByteAt(text, i); chars.IsQuote(c) && chars.ByteAt(text, from-1) != c {
		n := quotedLength(text[i:])
		return argument{Span: form.Span{Start: i + 1, End: i + 1 + n}}, n > 0
	}
	end := wordEnd(text, i)
	return argument{form.Span{Start: i, End: end}, loose}, end > i
}

// blankLength returns how long the space is that s begins with. The end of a line
// is only part of it where a backslash says that the line goes on.
func blankLength(s string) int {
	t := strings.TrimLeft(s, " \t")
	if goesOn := strings.TrimLeft(t, "\\\r"); len(t) < len(s) && goesOn != t && strings.HasPrefix(goesOn, "\n") {
		t = strings.TrimLeft(goesOn, "\n \t")
	}
	return len(s) - len(t)
}

// quotedLength returns how long the value is that s begins with in quotes, 0
// if there is none.
func quotedLength(s string) int {
	for i := 1; i < min(len(s), maxFlagValue); i++ {
		next := chars.ByteAt(s, i+1)
		switch c := s[i]; {
		case c == s[0], c == '\\' && next == s[0] && !chars.IsWord(chars.ByteAt(s, i+2)):
			return i - 1
		case c == '\\' && (next == s[0] || s[0] != '\''):
			i++ // a quote within
		case c == '\n':
			return 0
		}
	}
	return 0
}

// wordEnd returns where the word ends that begins at i. A quote ends it too,
// unless the word goes on behind it; what ends a sentence, a list or a command
// is no part of it.
func wordEnd(text string, i int) int {
	end := i
	for end < len(text) && end-i < maxFlagValue && !chars.IsSpace(text[end]) {
		if chars.IsQuote(text[end]) && (end+1 == len(text) || !chars.IsWord(text[end+1])) {
			break
		}
		end++
	}
	return i + len(strings.TrimRight(text[i:end], `.,;:)\`))
}

// beginsWithSign reports whether s, behind the name of an option, begins with the sign that gives it a value.
func beginsWithSign(s string) bool {
	if chars.ByteAt(s, 0) == ':' {
		return len(s) > 1 && !chars.IsSpace(s[1])
	}
	return chars.ByteAt(s, 0) == '='
}

// Words of a sentence about an option: before it, and behind it.
var (
	proseBefore = strings.Fields(`the a an this that these with without use uses used using add adds added pass passes passed passing set sets give
		via and or of for to in by your its new needs need no support any is requires require take takes accept accepts read reads
		missing only on remove drop both der die das mit ohne und oder von im`)
	proseBehind = strings.Fields(`flag flags option options argument arguments parameter parameters switch is was are were to and or on in of for from
		with without as at by if when where which that then it the must should can could may will would not only needs does has gets
		instead via using so but because before after works fails appears support handling parsing validation also twice again
		und oder ist wird nicht mit ohne`)
)

// inProse reports whether the word s behind the option at from is part of a
// sentence or of a help text, not of a command.
func inProse(text string, from int, s string) bool {
	if slices.Contains(proseBehind, strings.ToLower(s)) {
		return true
	}
	before := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text[max(0, from-80):from], "`\"'"), "\\\n"), " \t\\")
	if i := strings.LastIndexByte(before, '\n'); i >= 0 && strings.TrimSpace(before[i:]) == "" {
		return !strings.HasSuffix(before[:i], `\`)
	}
	if before == "" || strings.HasSuffix(before, ",") {
		return true
	}
	word := before[strings.LastIndexAny(before, " \t\n(\"'`")+1:]
	return slices.Contains(proseBefore, strings.ToLower(word))
}

// Bounds of a command that is searched for an option: bytes and arguments.
const (
	maxCommand   = 600
	maxArguments = 24
)

// endsCommand reports whether c stands between two commands.
func endsCommand(c byte) bool { return chars.IsOneOf(c, "|;&") }

// optionValues returns the values of the rule's options in the command whose program ends
// at i, and up to where it has read. An option with a sign behind it, as "-u:", has a name and a secret
// with that sign between; behind "-p+" the value follows at once: -pVALUE.
func (r *rule) optionValues(text string, i int) (out []form.Span, read int) {
	end := min(len(text), i+maxCommand)
	for range maxArguments {
		for i < end && !chars.IsSpace(text[i]) && !endsCommand(text[i]) {
			i++
		}
		i += blankLength(text[i:end])
		if i >= end || chars.IsSpace(text[i]) || endsCommand(text[i]) {
			break
		}
		if found := r.optionAt(text, i); len(found) > 0 {
			out, i = append(out, found...), found[len(found)-1].End
		}
	}
	return out, i
}

// optionAt returns the secrets in the values of those of the rule's options that stand at i.
func (r *rule) optionAt(text string, i int) (out []form.Span) {
	for _, option := range r.Options {
		name := strings.TrimRight(option, ":%,+=")
		if !strings.HasPrefix(text[i:], name) {
			continue
		}
		sign, to := option[len(name):], i+len(name)
		v, ok := argumentOf(text, i, to)
		switch {
		case !ok, strings.HasPrefix(name, "--") && v.Start == to, sign == "+" && v.loose:
			continue
		}
		if sign != "" && sign != "+" {
			n := strings.Index(text[v.Start:v.End], sign)
			if n <= 0 || strings.HasPrefix(text[v.Start+n:v.End], "://") {
				continue
			}
			v.Start += n + 1
		}
		if v.End > v.Start && r.isSecret(text[v.Start:v.End], nil) {
			out = append(out, v.Span)
		}
	}
	return out
}
