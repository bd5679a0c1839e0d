package secret

import "strings"

// Bounds of a command that is searched for an option: bytes and arguments.
const (
	maxCommand   = 600
	maxArguments = 24
)

// optionValues returns the values of the rule's options in the command whose program ends
// at i. An option with a sign behind it, as "-u:", has a name and a secret
// with that sign between; behind "-p+" the value follows at once: -pVALUE.
func (r *rule) optionValues(text string, start, i int) (out []span, read int) {
	if start > 0 && (isWord(text[start-1]) || text[start-1] == '.') {
		return nil, 0
	}
	end := min(len(text), i+maxCommand)
	for n := 0; n < maxArguments && i < end; n++ {
		for i < end && !isSpace(text[i]) && strings.IndexByte("|;&", text[i]) < 0 {
			i++
		}
		i += blankLength(text[i:end])
		if i >= end || isSpace(text[i]) || strings.IndexByte("|;&", text[i]) >= 0 {
			break
		}
		if text[i] != '-' {
			continue
		}
		for _, option := range r.Options {
			option, separator := strings.TrimRight(option, ":%,+="), option[len(strings.TrimRight(option, ":%,+=")):]
			if v, ok := argumentOf(text, i, option); ok && (separator != "+" || isAttached(text, v, i+len(option))) {
				if out = append(out, r.secretOf(text, v, separator)...); len(out) > 0 {
					i = v.end
				}
			}
		}
	}
	return out, i
}

// argumentOf returns the value of an option at i, which follows at once or
// behind a space or an equals sign.
func argumentOf(text string, i int, option string) (span, bool) {
	if !strings.HasPrefix(text[i:], option) {
		return span{}, false
	}
	at := i + len(option)
	if at < len(text) && text[at] == '=' {
		at++
	} else {
		at += blankLength(text[at:])
	}
	if strings.HasPrefix(option, "--") && at == i+len(option) || at >= len(text) {
		return span{}, false
	}
	if text[at] == '\\' && at+1 < len(text) && isQuote(text[at+1]) {
		at++
	}
	if isQuote(text[at]) {
		n := quotedLength(text[at:], false)
		return span{start: at + 1, end: at + 1 + n}, n > 0
	}
	end := wordEnd(text, at)
	return span{start: at, end: end}, end > at
}

// secretOf returns what of the value v of an option is secret.
func (r *rule) secretOf(text string, v span, separator string) []span {
	if separator != "" && separator != "+" {
		n := strings.Index(text[v.start:v.end], separator)
		if n <= 0 || strings.HasPrefix(text[v.start+n:v.end], "://") {
			return nil
		}
		v.start += n + 1
	}
	if v.end <= v.start || !r.isSecret(text[v.start:v.end], nil) {
		return nil
	}
	return []span{v}
}

// shortOption returns the value of one of the rule's options at i, of whatever
// program.
func (r *rule) shortOption(text string, i int) []span {
	for _, option := range r.Options {
		if v, ok := argumentOf(text, i, option); ok {
			return r.secretOf(text, v, "")
		}
	}
	return nil
}

// isAttached reports whether a value begins right behind the end of its option, or behind one sign.
func isAttached(text string, v span, end int) bool {
	return v.start <= end+1 && !isSpace(text[v.start-1])
}
