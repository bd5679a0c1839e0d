package secret

import (
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
)

// Bounds of a command that is searched for an option: bytes and arguments.
const (
	maxCommand   = 600
	maxArguments = 24
)

// optionValues returns the values of the rule's options in the command whose program ends
// at i. An option with a sign behind it, as "-u:", has a name and a secret
// with that sign between; behind "-p+" the value follows at once: -pVALUE.
func (r *rule) optionValues(text string, start, i int) (out []form.Span, read int) {
	if start > 0 && (chars.IsWord(text[start-1]) || text[start-1] == '.') {
		return nil, 0
	}
	end := min(len(text), i+maxCommand)
	for n := 0; n < maxArguments && i < end; n++ {
		for i < end && !chars.IsSpace(text[i]) && strings.IndexByte("|;&", text[i]) < 0 {
			i++
		}
		i += blankLength(text[i:end])
		if i >= end || chars.IsSpace(text[i]) || strings.IndexByte("|;&", text[i]) >= 0 {
			break
		}
		if text[i] != '-' {
			continue
		}
		for _, option := range r.Options {
			option, separator := strings.TrimRight(option, ":%,+="), option[len(strings.TrimRight(option, ":%,+=")):]
			if v, ok := argumentOf(text, i, option); ok && (separator != "+" || isAttached(text, v, i+len(option))) {
				if out = append(out, r.secretOf(text, v, separator)...); len(out) > 0 {
					i = v.End
				}
			}
		}
	}
	return out, i
}

// argumentOf returns the value of an option at i, which follows at once or
// behind a space or an equals sign.
func argumentOf(text string, i int, option string) (form.Span, bool) {
	if !strings.HasPrefix(text[i:], option) {
		return form.Span{}, false
	}
	at := i + len(option)
	if at < len(text) && text[at] == '=' {
		at++
	} else {
		at += blankLength(text[at:])
	}
	if strings.HasPrefix(option, "--") && at == i+len(option) || at >= len(text) {
		return form.Span{}, false
	}
	if text[at] == '\\' && at+1 < len(text) && chars.IsQuote(text[at+1]) {
		at++
	}
	if chars.IsQuote(text[at]) {
		n := quotedLength(text[at:], false)
		return form.Span{Start: at + 1, End: at + 1 + n}, n > 0
	}
	end := wordEnd(text, at)
	return form.Span{Start: at, End: end}, end > at
}

// secretOf returns what of the value v of an option is secret.
func (r *rule) secretOf(text string, v form.Span, separator string) []form.Span {
	if separator != "" && separator != "+" {
		n := strings.Index(text[v.Start:v.End], separator)
		if n <= 0 || strings.HasPrefix(text[v.Start+n:v.End], "://") {
			return nil
		}
		v.Start += n + 1
	}
	if v.End <= v.Start || !r.isSecret(text[v.Start:v.End], nil) {
		return nil
	}
	return []form.Span{v}
}

// shortOption returns the value of one of the rule's options at i, of whatever
// program.
func (r *rule) shortOption(text string, i int) []form.Span {
	for _, option := range r.Options {
		if v, ok := argumentOf(text, i, option); ok {
			return r.secretOf(text, v, "")
		}
	}
	return nil
}

// isAttached reports whether a value begins right behind the end of its option, or behind one sign.
func isAttached(text string, v form.Span, end int) bool {
	return v.Start <= end+1 && !chars.IsSpace(text[v.Start-1])
}
