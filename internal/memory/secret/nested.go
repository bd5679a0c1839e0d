package secret

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// Bounds of a structure beneath a name: bytes, and pairs before the value.
const (
	maxBeneath = 400
	maxPairs   = 6
	maxListed  = 16 // values in a list
)

// valueLabels are what the value of a setting is called in a structure.
var valueLabels = []string{"value", "val", "default", "plaintext", "plain", "plaintextvalue", "stringvalue", "string", "secretvalue", "current", "s", "text", "content", "_text", "_", "raw"}

// findBeneath returns the secrets in the structure that the name is given:
//
//	"db_password": {"sensitive": true, "type": "string", "value": "…"}
//	variable "db_password" {⏎  type = string⏎  default = "…"
//	passwords: ["…", "…"]    passwords:⏎  - …⏎  - …
func (p *place) findBeneath(c looks.Class) []form.Span {
	if p.by != byColon && p.by != byEquals || p.at >= len(p.text) {
		return nil
	}
	if strings.IndexByte("{[\r\n", p.text[p.at]) < 0 {
		return nil
	}
	if name := p.text[p.from:p.to]; c == looks.NoSecret && strings.HasSuffix(name, "s") {
		c = looks.ClassOf(strings.TrimSuffix(name, "s"))
	}
	switch {
	case c == looks.NoSecret || c == looks.MaybeKey || c == looks.MaybePassword:
		return nil
	case p.text[p.at] == '[':
		return p.findListed(c, p.at+1)
	case p.text[p.at] != '{':
		if found := p.findBulleted(c); len(found) > 0 {
			return found
		}
	}
	return p.findLabelled(c)
}

// findLabelled returns the value beneath the name that is called so.
func (p *place) findLabelled(c looks.Class) []form.Span {
	i := p.at
	if p.text[i] == '{' {
		i++
	} else if !p.isIndented() {
		return nil
	}
	at := valueLabel(p.text, i, min(len(p.text), i+maxBeneath))
	if at < 0 {
		return nil
	}
	return p.acceptValue(c, at)
}

// acceptValue returns the value at i, if it is a secret.
func (p *place) acceptValue(c looks.Class, i int) []form.Span {
	inner := *p
	inner.by, inner.at, inner.quoted = byEquals, i, true
	inner.longest = min(p.longest, maxInner)
	v, ok := inner.findValue()
	v.beneath = true
	if ok && v.quote == 0 {
		v.end = v.start + len(strings.TrimRight(p.text[v.start:v.end], "]}),"))
	}
	if !ok || v.end <= v.start || !inner.isSecret(c, &v) {
		return nil
	}
	return []form.Span{{Start: v.start, End: v.end, Kind: c.Kind()}}
}

// isIndented reports whether the next line is further to the right than that of the
// name.
func (p *place) isIndented() bool {
	line := p.text[max(0, p.from-maxName):p.from]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	below := strings.TrimLeft(p.text[p.at:min(len(p.text), p.at+maxName)], "\r\n")
	space := len(below) - len(strings.TrimLeft(below, " \t"))
	return space > len(line)-len(strings.TrimLeft(line, " \t-"))
}

// valueLabel returns where the first value begins in text[i:end] that is called
// one, −1 if there is none in the structure that i is in.
func valueLabel(text string, i, end int) int {
	for range maxPairs {
		i += len(text[i:end]) - len(strings.TrimLeft(text[i:end], " \t\r\n,;\"'\\:@#"))
		from := i
		for i < end && chars.IsWord(text[i]) {
			i++
		}
		label := strings.ToLower(text[from:i])
		for i < end && strings.IndexByte("\"'\\", text[i]) >= 0 {
			i++
		}
		i = min(skipBlank(text, i), end)
		n := signLength(text[i:end])
		if label == "" || n == 0 {
			return -1
		}
		i = min(skipBlank(text, i+n), end)
		if slices.Contains(valueLabels, label) || strings.HasSuffix(label, "value") {
			return i
		}
		if i = valueEnd(text, i, end); i < 0 {
			return -1
		}
	}
	return -1
}

// valueEnd returns where the value ends that begins at i, −1 where a structure
// does, or ends.
func valueEnd(text string, i, end int) int {
	for i < end && text[i] == '\\' {
		i++
	}
	if i < end && chars.IsQuote(text[i]) {
		n := strings.IndexByte(text[i+1:end], text[i])
		if n < 0 {
			return -1
		}
		return i + 1 + n + 1
	}
	for ; i < end && text[i] != ',' && text[i] != '\n'; i++ {
		if strings.IndexByte("{[}]", text[i]) >= 0 {
			return -1
		}
	}
	return i
}

// findListed returns the secrets in the list in brackets that begins at i.
func (p *place) findListed(c looks.Class, i int) (out []form.Span) {
	for range maxListed {
		i += len(p.text[i:]) - len(strings.TrimLeft(p.text[i:min(len(p.text), i+maxName)], " \t\r\n,"))
		i = min(i, len(p.text))
		rest := strings.TrimLeft(p.text[i:min(len(p.text), i+4)], `\`)
		if rest == "" || !chars.IsQuote(rest[0]) {
			return out
		}
		v, ok := p.valueInQuotes(i)
		if !ok {
			return out
		}
		out = append(out, p.acceptValue(c, i)...)
		i = min(v.end+1, len(p.text)) // a list that was cut off has no quote there
		for i < len(p.text) && (chars.IsQuote(p.text[i]) || p.text[i] == '\\') {
			i++
		}
	}
	return out
}

// findBulleted returns the secrets in the list of lines beneath the name.
func (p *place) findBulleted(c looks.Class) (out []form.Span) {
	i := p.at
	for i-p.at < 4 && chars.IsOneOf(chars.ByteAt(p.text, i), "\r\n") {
		i++
	}
	for range maxListed {
		line := form.LineAt(p.text, min(i, len(p.text)))
		value, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "- ")
		hasWords := strings.Contains(value, ": ") || strings.Contains(strings.TrimSpace(value), " ")
		if !ok || len(line) > maxInner || hasWords {
			return out
		}
		out = append(out, p.acceptValue(c, i+len(line)-len(strings.TrimLeft(value, " ")))...)
		i += len(line) + 1
	}
	return out
}

// throughMarks moves on behind what YAML, and what prints values for people, puts
// before a value at i: &anchor, !!str, string(12), (string) (len=12).
func (p *place) throughMarks(i int) int {
	s := p.text[i:min(len(p.text), i+maxName)]
	trimmed := strings.TrimLeft(s, " \t\r\n")
	if i+len(s)-len(trimmed) > i && !strings.HasPrefix(trimmed, "string(") {
		return i
	}
	for _, mark := range []string{"string(", "(string) (len=", "(string:", "!!str ", "!!binary ", "!unsafe ", "&"} {
		rest, ok := strings.CutPrefix(trimmed, mark)
		if !ok {
			continue
		}
		switch mark[len(mark)-1] {
		case '&':
			name := strings.TrimLeft(rest, chars.LowerLetters+"ABCDEFGHIJKLMNOPQRSTUVWXYZ_-"+chars.Digits)
			if name == "" || name[0] != ' ' || name == rest {
				return i
			}
			rest = name
		case ' ':
		default:
			rest = strings.TrimPrefix(strings.TrimLeft(rest, chars.Digits), ")")
		}
		return i + len(s) - len(strings.TrimLeft(rest, " "))
	}
	return i
}

// valueInElement returns the value in an element of XML that begins at i, which may stand
// in a section, or in an element for the value alone.
func (p *place) valueInElement(i int) (given, bool) {
	const section = "<![CDATA["
	end := "<"
	s := p.text[i:min(len(p.text), i+maxName)]
	if strings.HasPrefix(s, "@") {
		return given{}, false // of an address with placeholders: <user>:<password>@host
	}
	trimmed := strings.TrimLeft(s, " \t\r\n")
	for _, mark := range []string{"<value>", "<Value>", section} {
		if rest, ok := strings.CutPrefix(trimmed, mark); ok {
			i += len(s) - len(rest)
			if mark == section {
				end = "]]>"
			}
			break
		}
	}
	line := form.LineAt(p.text[:min(len(p.text), i+p.longest)], i)
	if n := strings.Index(line, end); n >= 0 {
		line = line[:n]
	}
	return given{start: i, end: i + len(line), quote: '<'}, line != "" && strings.IndexByte(",;:)", line[0]) < 0
}

// findElement finds the value in an element of XML whose attribute, or itself, has the
// name: <entry key="password">…</entry>, <password type="string">…</password>.
func (p *place) findElement(next int) bool {
	tagged := strings.TrimRight(p.text[max(0, p.from-maxName):p.from], `"'\`)
	if p.quoted && !chars.HasAnySuffix(tagged, "key=", "name=", " id=") {
		return false
	}
	rest := p.text[next:min(len(p.text), next+2*maxName)]
	n := strings.IndexAny(rest, "<>\n")
	if n < 0 || rest[n] != '>' {
		return false
	}
	if n > 0 && (rest[n-1] == '/' || strings.Count(rest[:n], "=") == 0) {
		return false
	}
	p.by, p.at = byTag, next+n+1
	return p.at < len(p.text)
}

// opensElement reports whether the name is that of an element, with the prefix of
// a namespace or without: <password>, <wsse:Password Type="…">.
func (p *place) opensElement() bool {
	i := p.from
	if i > 0 && p.text[i-1] == ':' {
		for i--; i > 0 && p.from-i < maxColumnName && chars.IsInName(p.text[i-1]); {
			i--
		}
	}
	return chars.ByteAt(p.text, i-1) == '<' && !chars.IsWord(chars.ByteAt(p.text, i-2))
}

// findFormPart finds the value of a field in the body of a form, behind the empty line
// at next or the headers before it.
func (p *place) findFormPart(next int) bool {
	before := p.text[max(0, p.from-maxName):p.from]
	if !strings.Contains(before, "form-data;") {
		return false
	}
	rest := p.text[next:min(len(p.text), next+2*maxName)]
	for _, empty := range []string{"\r\n\r\n", "\n\n", `\r\n\r\n`} {
		if n := strings.Index(rest, empty); n >= 0 && !strings.Contains(rest[:n], "filename") {
			p.by, p.at = byPart, next+n+len(empty)
			return p.at < len(p.text)
		}
	}
	return false
}

// findSerialized finds the value behind a name as PHP stores them: s:8:"password";s:7:"…";
func (p *place) findSerialized(next int) bool {
	rest, ok := strings.CutPrefix(p.text[next:min(len(p.text), next+16)], ";s:")
	if !ok {
		return false
	}
	n := len(rest) - len(strings.TrimLeft(rest, chars.Digits))
	if n == 0 || n == len(rest) || rest[n] != ':' {
		return false
	}
	p.by, p.at = byEquals, next+len(";s:")+n+1
	return p.at < len(p.text)
}
