package secret

import (
	"strings"

	"recollect/internal/memory/secret/chars"
)

// A assignment is what stands between a name and its value.
type assignment int

const (
	byEquals assignment = iota // = := => ==
	byColon                    // :
	byComma                    // ("DB_PASSWORD", "…")
	byCall                     // setPassword("…")
	byTag                      // <password>…</password>
	byBlank                    // ENV DB_PASSWORD …
	byPart                     // name="password"⏎⏎…
)

// separate finds the separator behind the name, and where the value begins.
func (p *place) separate() bool {
	i := p.throughQuote()
	next := skipBlank(p.text, i)
	rest := p.text[next:]
	switch {
	case rest == "":
		return false
	case next > i && isTableCell(rest):
		return p.beginValue(byBlank, skipBlank(p.text, next+1))
	case chars.IsOneOf(rest[0], "=:?|+<"):
		return p.separateBySign(i, next)
	case p.quoted && p.separateByStructure(i, next):
		return true
	case p.separateArgument(i, next):
		return chars.IsQuote(chars.ByteAt(p.text, p.at)) || p.findNamed(i)
	case rest[0] == '>' && next == p.to && p.opensElement():
		p.by, p.at = byTag, next+1
		return true
	case p.isBare(next) && p.opensElement() && p.findElement(next):
		p.far = true
		return true
	case strings.HasPrefix(rest, "{ get;"):
		n := strings.Index(rest[:min(len(rest), maxSpace)], "} =")
		return p.beginValue(byEquals, skipBlank(p.text, next+max(n, 0)+len("} ="))) && n > 0
	}
	if p.findNamed(i) || p.findCommanded(next) {
		return true
	}
	return p.isBare(next) && p.findDeclared(next)
}

// beginValue records by what the value is separated from its name and where it begins, and reports
// whether there is one.
func (p *place) beginValue(by assignment, at int) bool {
	p.by, p.at = by, at
	return at < len(p.text)
}

// throughQuote returns where what follows the name begins: behind the quote and the bracket that
// close there.
func (p *place) throughQuote() int {
	i := p.to
	for i-p.to < 4 && chars.ByteAt(p.text, i) == '\\' {
		i++
	}
	if chars.IsQuote(chars.ByteAt(p.text, i)) {
		p.quoted = true
		i++
	} else {
		i = p.to
	}
	if chars.ByteAt(p.text, i) == ']' {
		i++
	}
	return i
}

// isTableCell reports whether s begins with the next cell in the row of a table.
func isTableCell(s string) bool {
	return strings.HasPrefix(s, "| ") && !strings.HasPrefix(s, "| -")
}

// isBare reports whether only spaces stand between the name and next.
func (p *place) isBare(next int) bool { return !p.quoted && next > p.to }

// separateBySign finds the value behind the sign of an assignment at next, which spaces may part
// from the end of the name at i.
func (p *place) separateBySign(i, next int) bool {
	rest := p.text[next:]
	n := signLength(rest)
	if n == 0 {
		return p.findNamed(i)
	}
	p.by = byEquals
	if rest[:n] == ":" {
		if chars.ByteAt(p.text, p.from-1) == ':' {
			return false // arn:aws:secretsmanager:eu-west-1:123456789012:secret:name
		}
		p.by = byColon
	}
	if chars.HasAnyPrefix(rest[n:], "** ", "__ ") {
		n += len("**") // Password:** …, as Markdown has it
	}
	p.at = skipBlank(p.text, next+n)
	p.spaced = p.at > next+n
	p.throughType()
	return p.at < len(p.text)
}

// separateByStructure finds the value behind a name in quotes: in a form, an element, a serialized
// record, or behind a label for it.
func (p *place) separateByStructure(i, next int) bool {
	if p.findFormPart(next) || p.findElement(next) {
		return true
	}
	return p.findSerialized(next) || p.findNamed(i)
}

// separateArgument finds the value that should be in quotes: the next argument of a call, or what
// follows the name in quotes.
func (p *place) separateArgument(i, next int) bool {
	switch c := p.text[next]; {
	case c == ',' && !p.quoted && chars.IsUpper(p.text[p.to-1]): // setProperty(Names.PASSWORD, "…")
		p.by, p.at = byComma, skipBlank(p.text, next+1)
	case chars.IsQuote(c) && next > i && chars.ByteAt(p.text, p.from-1) == ':': // {:password "…"}
		p.by, p.at = byEquals, next
	case chars.IsQuote(c) && p.quoted && next > i: // set "Db:Password" "…"
		p.by, p.at = byComma, next
	case c == ',' && p.quoted:
		p.by, p.at = byComma, skipBlank(p.text, next+1)
	case c == '(' && !p.quoted && next == p.to:
		p.by, p.at = byCall, next+1
	default:
		return false
	}
	return true
}

// findDeclared finds the value of a variable whose type stands behind its name, of which next
// is the beginning: var password string = "…", Dim password As String = "…".
func (p *place) findDeclared(next int) bool {
	i := next
	for words := 0; words < 2 && i < len(p.text) && chars.IsLetter(p.text[i]); words++ {
		for i < len(p.text) && i-next < maxSpace && isInType(p.text[i]) {
			i++
		}
		i = skipBlank(p.text, i)
	}
	if i == next || chars.ByteAt(p.text, i) != '=' {
		return false
	}
	p.by, p.at = byEquals, skipBlank(p.text, i+1)
	p.spaced = true
	return chars.IsQuote(chars.ByteAt(p.text, p.at))
}

// isInType reports whether c may be part of the type of a variable.
func isInType(c byte) bool { return chars.IsInName(c) || chars.IsOneOf(c, "*&[]") }

// isInTypeOfParts reports whether c may be part of a type, or of several joined by signs.
func isInTypeOfParts(c byte) bool { return chars.IsInName(c) || chars.IsOneOf(c, "[]<>|&*?") }

// skipBlank returns where what follows spaces at i begins.
func skipBlank(text string, i int) int {
	for n := 0; n < maxSpace && chars.IsBlank(chars.ByteAt(text, i)); n++ {
		i++
	}
	return i
}

// signLength returns how long the sign of an assignment is that s begins with.
func signLength(s string) int {
	for _, sign := range []string{"===", "||=", "??=", "::=", ":=", "=>", "==", "?=", "+=", "<-", "=", ":"} {
		if strings.HasPrefix(s, sign) {
			if sign == ":" && strings.HasPrefix(s, ":: ") {
				return len("::") // in base64, as LDIF has it
			}
			if sign == ":" && len(s) > 1 && s[1] == ':' {
				return 0
			}
			return len(sign)
		}
	}
	return 0
}

// throughType moves on behind the type of a variable: password: str = "…".
func (p *place) throughType() {
	if p.by != byColon {
		return
	}
	i := p.at
	for i < len(p.text) && i-p.at < maxName && isInTypeOfParts(p.text[i]) {
		i++
	}
	after := skipBlank(p.text, i)
	if i == p.at || after == i || !beginsAssignment(p.text[after:]) {
		return
	}
	if first := p.text[p.at]; chars.IsLetter(first) || chars.IsOneOf(first, "&*[") {
		p.by, p.at = byEquals, skipBlank(p.text, after+1)
	}
}

// beginsAssignment reports whether s begins with the sign of an assignment, with something behind it.
func beginsAssignment(s string) bool { return len(s) > 1 && s[0] == '=' && s[1] != '=' }

// findNamed finds the value of a name that is a value itself, of which i is the end:
//
//   - name: DB_PASSWORD⏎  value: …    {"name": "DB_PASSWORD", "value": "…"}    <add key="Password" value="…"/>
//     variable "db_password" {⏎  default = "…"
func (p *place) findNamed(i int) bool {
	before := strings.TrimRight(p.text[max(0, p.from-24):p.from], "\"'\\ \t:=")
	word := before[strings.LastIndexAny(before, " \t\n\"'<{,")+1:]
	switch strings.ToLower(word) {
	case "name", "key", "parametername", "parameterkey", "optionname", "<key", "variable", "type":
	default:
		if !strings.HasSuffix(word, "key>") {
			return false
		}
	}
	const within = 60
	rest := p.text[i:min(len(p.text), i+within)]
	for _, label := range []string{"value", "Value", "<string>", "default"} {
		n := strings.Index(rest, label)
		if n < 0 || strings.Trim(rest[:n], " \t\r\n\"',\\-</>{keyvalu") != "" {
			continue
		}
		at := i + n + len(label)
		for p.leadsToValue(at) {
			at++
		}
		p.at, p.by = at, byEquals
		if label == "<string>" {
			p.by = byTag
		}
		return at < len(p.text)
	}
	open := strings.TrimLeft(p.text[i:min(len(p.text), i+maxSpace)], " \t\"'\\")
	if open == "" || open[0] != ',' && open[0] != '{' {
		return false
	}
	i = min(len(p.text), i+maxSpace) - len(open) + 1
	p.at = valueLabel(p.text, i, min(len(p.text), i+maxBeneath))
	p.by, p.far = byEquals, true
	return p.at >= 0 && p.at < len(p.text)
}

// leadsToValue reports whether what stands at i, behind the label of a value, comes before the value.
func (p *place) leadsToValue(i int) bool {
	c := chars.ByteAt(p.text, i)
	if chars.IsOneOf(c, "\"'\\") {
		return p.by != byTag && !p.valueAt(i)
	}
	return chars.IsOneOf(c, " :=")
}

// valueAt reports whether a quote at i opens a value: a sign stands before it.
func (p *place) valueAt(i int) bool {
	before := strings.TrimRight(p.text[max(0, i-8):i], " \\")
	return strings.HasSuffix(before, ":") || strings.HasSuffix(before, "=")
}

// findCommanded finds the value that a command gives a name with a space between:
// ENV DB_PASSWORD …, set -x API_TOKEN …, aws configure set aws_secret_access_key ….
func (p *place) findCommanded(next int) bool {
	if next == p.to || next >= len(p.text) {
		return false
	}
	if before := strings.TrimRight(p.text[max(0, p.from-24):p.from], ":/"); !strings.HasSuffix(before, " ") {
		return false
	} else if words := strings.Fields(before); len(words) == 0 || !setsVariable(words) {
		return false
	}
	p.by, p.at = byBlank, next
	return true
}

// setsVariable reports whether the words before a name are a command that gives it
// a value.
func setsVariable(words []string) bool {
	switch words[len(words)-1] {
	case "ENV", "ARG", "setx", "SetEnv", "set", "Env", "setenv":
		return true
	case "-x", "-gx", "-Ux", "--global", "--local":
		return len(words) > 1 && (words[len(words)-2] == "set" || words[len(words)-2] == "config")
	case "config":
		return len(words) > 1 && words[len(words)-2] == "git"
	}
	return false
}
