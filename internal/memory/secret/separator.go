package secret

import "strings"

// A separator is what stands between a name and its value.
type separator int

const (
	equals  separator = iota // = := => ==
	colon                    // :
	comma                    // ("DB_PASSWORD", "…")
	opening                  // setPassword("…")
	tag                      // <password>…</password>
	space                    // ENV DB_PASSWORD …
	part                     // name="password"⏎⏎…
)

// separate finds the separator behind the name, and where the value begins.
func (p *place) separate() bool {
	i := p.to
	for i < len(p.text) && i-p.to < 4 && p.text[i] == '\\' {
		i++
	}
	if i < len(p.text) && isQuote(p.text[i]) {
		p.quoted = true
		i++
	} else {
		i = p.to
	}
	if i < len(p.text) && p.text[i] == ']' {
		i++
	}
	next := skipBlank(p.text, i)
	rest := p.text[next:]
	if rest == "" {
		return false
	}
	switch c := rest[0]; {
	case c == '|' && next > i && strings.HasPrefix(rest, "| ") && !strings.HasPrefix(rest, "| -"): // a row of a table
		p.by, p.at = space, skipBlank(p.text, next+1)
		return p.at < len(p.text)
	case c == '=' || c == ':' || c == '?' || c == '|' || c == '+' || c == '<':
		n := sign(rest)
		if n == 0 {
			return p.named(i)
		}
		p.by = equals
		if rest[:n] == ":" {
			if p.from > 0 && p.text[p.from-1] == ':' {
				return false // arn:aws:secretsmanager:eu-west-1:123456789012:secret:name
			}
			p.by = colon
		}
		if strings.HasPrefix(rest[n:], "** ") || strings.HasPrefix(rest[n:], "__ ") {
			n += len("**") // Password:** …, as Markdown has it
		}
		p.at = skipBlank(p.text, next+n)
		p.spaced = p.at > next+n
		p.throughType()
		return p.at < len(p.text)
	case p.quoted && (p.formPart(next) || p.element(next) || p.serialized(next) || p.named(i)):
		return true
	case c == ',' && !p.quoted && isUpper(p.text[p.to-1]): // setProperty(Names.PASSWORD, "…")
		p.by, p.at = comma, skipBlank(p.text, next+1)
	case isQuote(c) && next > i && p.from > 0 && p.text[p.from-1] == ':': // {:password "…"}
		p.by, p.at = equals, next
	case isQuote(c) && p.quoted && next > i: // set "Db:Password" "…"
		p.by, p.at = comma, next
	case c == ',' && p.quoted:
		p.by, p.at = comma, skipBlank(p.text, next+1)
	case c == '(' && !p.quoted && next == p.to:
		p.by, p.at = opening, next+1
	case c == '>' && next == p.to && p.opensElement():
		p.by, p.at = tag, next+1
	case !p.quoted && next > p.to && p.opensElement() && p.element(next):
		p.far = true
	case strings.HasPrefix(rest, "{ get;"):
		n := strings.Index(rest[:min(len(rest), maxSpace)], "} =")
		p.by, p.at = equals, skipBlank(p.text, next+max(n, 0)+len("} ="))
		return n > 0 && p.at < len(p.text)
	default:
		return p.named(i) || p.commanded(next) || !p.quoted && next > p.to && p.declared(next)
	}
	return p.by == tag || p.at < len(p.text) && isQuote(p.text[p.at]) || p.named(i)
}

// declared finds the value of a variable whose type stands behind its name, of which next
// is the beginning: var password string = "…", Dim password As String = "…".
func (p *place) declared(next int) bool {
	i := next
	for words := 0; words < 2 && i < len(p.text) && isLetter(p.text[i]); words++ {
		for i < len(p.text) && i-next < maxSpace && (inName(p.text[i]) || strings.IndexByte("*&[]", p.text[i]) >= 0) {
			i++
		}
		i = skipBlank(p.text, i)
	}
	if i == next || i >= len(p.text) || p.text[i] != '=' {
		return false
	}
	p.by, p.at = equals, skipBlank(p.text, i+1)
	p.spaced = true
	return p.at < len(p.text) && isQuote(p.text[p.at])
}

// skipBlank returns where what follows spaces at i begins.
func skipBlank(text string, i int) int {
	for n := 0; i < len(text) && n < maxSpace && (text[i] == ' ' || text[i] == '\t'); n++ {
		i++
	}
	return i
}

// sign returns how long the sign of an assignment is that s begins with.
func sign(s string) int {
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
	if p.by != colon {
		return
	}
	i := p.at
	for i < len(p.text) && i-p.at < maxName && (inName(p.text[i]) || strings.IndexByte("[]<>|&*?", p.text[i]) >= 0) {
		i++
	}
	after := skipBlank(p.text, i)
	if i > p.at && after < len(p.text)-1 && p.text[after] == '=' && p.text[after+1] != '=' && after > i && (isLetter(p.text[p.at]) || strings.IndexByte("&*[", p.text[p.at]) >= 0) {
		p.by, p.at = equals, skipBlank(p.text, after+1)
	}
}

// named finds the value of a name that is a value itself, of which i is the end:
//
//   - name: DB_PASSWORD⏎  value: …    {"name": "DB_PASSWORD", "value": "…"}    <add key="Password" value="…"/>
//     variable "db_password" {⏎  default = "…"
func (p *place) named(i int) bool {
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
		for at < len(p.text) && (strings.IndexByte("\"'\\", p.text[at]) >= 0 && p.by != tag && !p.valueAt(at) || p.text[at] == ' ' || p.text[at] == ':' || p.text[at] == '=') {
			at++
		}
		p.at, p.by = at, equals
		if label == "<string>" {
			p.by = tag
		}
		return at < len(p.text)
	}
	open := strings.TrimLeft(p.text[i:min(len(p.text), i+maxSpace)], " \t\"'\\")
	if open == "" || open[0] != ',' && open[0] != '{' {
		return false
	}
	i = min(len(p.text), i+maxSpace) - len(open) + 1
	p.at = valueLabel(p.text, i, min(len(p.text), i+maxBeneath))
	p.by, p.far = equals, true
	return p.at >= 0 && p.at < len(p.text)
}

// valueAt reports whether a quote at i opens a value: a sign stands before it.
func (p *place) valueAt(i int) bool {
	before := strings.TrimRight(p.text[max(0, i-8):i], " \\")
	return strings.HasSuffix(before, ":") || strings.HasSuffix(before, "=")
}

// commanded finds the value that a command gives a name with a space between:
// ENV DB_PASSWORD …, set -x API_TOKEN …, aws configure set aws_secret_access_key ….
func (p *place) commanded(next int) bool {
	if next == p.to || next >= len(p.text) {
		return false
	}
	if before := strings.TrimRight(p.text[max(0, p.from-24):p.from], ":/"); !strings.HasSuffix(before, " ") {
		return false
	} else if words := strings.Fields(before); len(words) == 0 || !setsVariable(words) {
		return false
	}
	p.by, p.at = space, next
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
