package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/chars"
)

// An assignment is what stands between a name and its value.
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

// A notation gives a name its value by something else than the sign of an assignment.
type notation struct {
	by      assignment
	first   string             // one of these bytes stands behind the name and spaces, if any do
	when    func(p place) bool // the name is one for it
	between string             // what stands behind the name, a regular expression; the value begins with its group, or behind it
	far     bool               // much stands between: the value must look like a secret
}

// Parts of the regular expressions of notations.
const (
	opening = `(\\*["'\x60])`
	pairs   = `(?:["'\\]*\w+["'\\]*[ \t]*[:=][ \t]*(?:"[^"\n]*"|[^\s,"{}\[\]]+)[\s,]*){0,6}?`
	labels  = `["'\\]*(?i:\w*value|default|plaintext|plain|string|val|current|s|text|content|raw)["'\\]*[ \t]*[:=]+[ \t]*`
)

var notations = []notation{
	{by: byTag, first: "<", when: isNamed, between: `</\w+>\s*<string>`},                                                  // <key>Password</key><string>…
	{by: byEquals, first: "\r\n,>/<-vVdD", when: isNamed, between: `[\s,>/<-]*` + labels},                                 // name: PASSWORD⏎  value: …
	{by: byEquals, first: ",{", when: isNamed, between: `[\s,{]*` + pairs + labels, far: true},                            // {"name": "PASSWORD", "slot": false, "value": "…"}
	{by: byBlank, first: "|", when: isBare, between: `[ \t]+\| +([^-|])`},                                                 // | Password | … |
	{by: byCall, first: "(", when: isBare, between: `\(` + opening},                                                       // setPassword("…")
	{by: byComma, first: ",", when: isQuoted, between: `\s*,\s*` + opening},                                               // getenv("PASSWORD", "…")
	{by: byComma, first: ",", when: isConstant, between: `,[ \t]*` + opening},                                             // set(Names.PASSWORD, "…")
	{by: byEquals, first: "\"'`", when: isSymbol, between: `[ \t]+` + opening},                                            // {:password "…"}
	{by: byTag, first: ">", when: opensElement, between: `>`},                                                             // <password>…
	{by: byTag, when: opensElement, between: `[ \t][^<>\n]*=[^<>\n]*[^/<>\n]>`, far: true},                                // <password type="string">…
	{by: byTag, when: isAttribute, between: `(?:[ \t][^<>\n]*=[^<>\n]*[^/<>\n])?>`},                                       // <entry key="password">…
	{by: byEquals, first: "{", when: isBare, between: `[ \t]*\{ get;[^}\n]{0,24}\} = ` + opening},                         // Password { get; set; } = "…"
	{by: byPart, first: "\r\n\\", when: isFormField, between: `(?:\r?\n[\w-]+: [^\r\n]*)*(?:(?:\r?\n){2}|(?:\\r\\n){2})`}, // name="password"⏎⏎…
	{by: byEquals, first: ";", when: isQuoted, between: `;s:\d+:`},                                                        // s:8:"password";s:7:"…"
	{by: byBlank, when: isSetByCommand, between: `[ \t]+`},                                                                // ENV DB_PASSWORD …
}

// anchored returns the regular expressions of notations, which match at the beginning.
var anchored = sync.OnceValue(func() (out []*regexp.Regexp) {
	for _, n := range notations {
		out = append(out, regexp.MustCompile(`\A`+n.between))
	}
	return out
})

// maxBetween bounds what stands between a name and its value, in bytes.
const maxBetween = 400

// separate finds the separator behind the name, and where the value begins.
func (p *place) separate() bool {
	i := p.throughQuote()
	next := skipBlank(p.text, i)
	if n := signLength(p.text[next:]); n > 0 {
		return p.separateBySign(next, n)
	}
	rest := p.text[i:min(len(p.text), i+maxBetween)]
	if rest == "" {
		return false
	}
	for n, notation := range notations {
		mayStand := notation.first == "" || chars.IsOneOf(chars.ByteAt(p.text, next), notation.first)
		if !mayStand || !notation.when(*p) {
			continue
		}
		if m := anchored()[n].FindStringSubmatchIndex(rest); m != nil {
			p.by, p.far, p.at = notation.by, notation.far, i+m[1]
			if len(m) > 2 {
				p.at = i + m[2]
			}
			return p.at < len(p.text)
		}
	}
	return false
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

// separateBySign finds the value behind the sign of an assignment at i, which is n bytes long.
func (p *place) separateBySign(i, n int) bool {
	p.by = byEquals
	if p.text[i:i+n] == ":" {
		if chars.ByteAt(p.text, p.from-1) == ':' {
			return false // arn:aws:secretsmanager:eu-west-1:123456789012:secret:name
		}
		p.by = byColon
	}
	i += n
	if chars.HasAnyPrefix(p.text[i:], "** ", "__ ") {
		i += len("**") // Password:** …, as Markdown has it
	}
	p.at = skipBlank(p.text, i)
	p.spaced = p.at > i
	if p.by == byColon {
		p.throughType()
	}
	return p.at < len(p.text)
}

// skipBlank returns where what follows spaces at i begins.
func skipBlank(text string, i int) int {
	for n := 0; n < maxSpace && chars.IsBlank(chars.ByteAt(text, i)); n++ {
		i++
	}
	return i
}

// signLength returns how long the sign of an assignment is that s begins with.
func signLength(s string) int {
	if s == "" || !chars.IsOneOf(s[0], "=:?|+<") {
		return 0
	}
	for _, sign := range []string{"===", "||=", "??=", "::=", ":=", "=>", "==", "?=", "+=", "<-", "="} {
		if strings.HasPrefix(s, sign) {
			return len(sign)
		}
	}
	switch {
	case strings.HasPrefix(s, ":: "): // in base64, as LDIF has it
		return len("::")
	case s[0] == ':' && chars.ByteAt(s, 1) != ':':
		return 1
	}
	return 0
}

var typed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A[\w.&*\[][\w.\[\]<>|&*?-]*[ \t]+=[ \t]*([^=\s])`) })

// throughType moves on behind the type of a variable: password: str = "…".
func (p *place) throughType() {
	if !strings.Contains(p.text[p.at:min(len(p.text), p.at+maxName)], " =") {
		return
	}
	if m := typed().FindStringSubmatchIndex(p.text[p.at:min(len(p.text), p.at+maxName)]); m != nil {
		p.by, p.at = byEquals, p.at+m[2]
	}
}

func isQuoted(p place) bool { return p.quoted }

func isBare(p place) bool { return !p.quoted }

// isConstant reports whether the name is one in capitals: Names.PASSWORD
func isConstant(p place) bool { return !p.quoted && chars.IsUpper(p.text[p.to-1]) }

// isSymbol reports whether the name begins with a colon, as keys of maps do in some languages.
func isSymbol(p place) bool { return chars.ByteAt(p.text, p.from-1) == ':' }

// before returns up to n bytes of what stands before the name, without the signs.
func (p *place) before(n int, signs string) string {
	return strings.TrimRight(p.text[max(0, p.from-n):p.from], signs)
}

// isNamed reports whether the name is a value itself, that of something which has another: name: DB_PASSWORD
func isNamed(p place) bool {
	return chars.HasAnySuffix(strings.ToLower(p.before(24, "\"'\\ \t:=")), "name", "key", "key>", "variable", "type")
}

// isAttribute reports whether the name is that of an element, in an attribute.
func isAttribute(p place) bool {
	return p.quoted && chars.HasAnySuffix(p.before(24, `"'\`), "key=", "name=", " id=")
}

// isFormField reports whether the name is that of a field in the body of a form.
func isFormField(p place) bool {
	return p.quoted && strings.Contains(p.before(maxName, ""), "form-data;")
}

// opensElement reports whether the name is that of an element, with the prefix of
// a namespace or without: <password>, <wsse:Password Type="…">.
func opensElement(p place) bool {
	i := p.from
	if i > 0 && p.text[i-1] == ':' {
		for i--; i > 0 && p.from-i < maxColumnName && chars.IsInName(p.text[i-1]); {
			i--
		}
	}
	return chars.ByteAt(p.text, i-1) == '<' && !chars.IsWord(chars.ByteAt(p.text, i-2))
}

// setters are the last words of commands that give a variable a value.
var setters = []string{"ENV ", "ARG ", "setx ", "SetEnv ", "set ", "Env ", "setenv ", "set -x ", "set -gx ", "set -Ux ", "config --global ", "config --local ", "git config "}

// isSetByCommand reports whether the words before the name are a command that gives it a value:
// ENV DB_PASSWORD …, set -x API_TOKEN …, aws configure set aws_secret_access_key ….
func isSetByCommand(p place) bool {
	before := p.before(24, ":/")
	return !p.quoted && slices.ContainsFunc(setters, func(words string) bool {
		command, ok := strings.CutSuffix(before, words)
		return ok && !chars.IsInName(chars.LastByte(command))
	})
}
