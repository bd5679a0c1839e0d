package secret

import (
	"regexp"
	"strings"
	"sync"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// A given value is what a name is given.
type given struct {
	start, end int
	quote      byte // the quote it stands in, or 0
	wrapped    bool // it is in a call: Buffer.from("…")
	beneath    bool // it is in a structure
}

// marks are what YAML, and what prints values for people, puts before a value, and the end of a line
// before one in quotes.
var marks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A(?:[|>][-+]?\s*\n[ \t]+|\\?\r?\n[ \t]+(?:string\(\d+\) )?["'\x60]|string\(\d+\) |\(string\) \(len=\d+\) |!\S{3,9} |&[\w-]+ +)`)
})

// call begins a call, or is the prefix of a string: Buffer.from(", b", $'
var call = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A(?:[\w.&@$:\[\](]*\(|(?i:[BRFUN]|L|@|\$){1,2})\\*["'\x60]`)
})

// findValue returns the value that begins at p.at.
func (p *place) findValue() (given, bool) {
	i := p.at
	switch p.by {
	case byTag:
		return p.valueInElement(i)
	case byPart:
		n := strings.IndexAny(p.text[i:min(len(p.text), i+p.longest)]+"\n", "\r\n\\")
		return given{start: i, end: i + n, quote: '\n'}, n > 0
	case byColon, byEquals:
		if chars.IsOneOf(chars.ByteAt(p.text, i), "|>\\\r\n(!&s") {
			i += prefixLength(marks(), p.text[i:min(len(p.text), i+maxName)])
		}
	}
	c := chars.ByteAt(p.text, i)
	if s := p.text[i:min(len(p.text), i+maxCall)]; !chars.IsQuote(c) && strings.ContainsAny(s, "\"'`") {
		if n := prefixLength(call(), s); n > 0 {
			v, ok := p.valueInQuotes(i + n)
			v.wrapped = n > 1
			return v, ok
		}
	}
	switch {
	case chars.IsQuote(c) && !p.quoted && c == chars.ByteAt(p.text, p.from-1):
		return given{}, false // the end of what the name begins
	case chars.IsQuote(c), c == '\\':
		return p.valueInQuotes(i)
	}
	end := p.bareEnd(i)
	return given{start: i, end: end}, end > i
}

// prefixLength returns how long the part of s is that re matches at its beginning, without the quote that opens a value.
func prefixLength(re *regexp.Regexp, s string) int {
	return len(strings.TrimRight(re.FindString(s), "\\\"'`"))
}

// valueInQuotes returns the value in the quotes that open at i. Where these are
// escaped, so is their end. What has no end on its line goes on to a space.
func (p *place) valueInQuotes(i int) (given, bool) {
	depth := 0
	for i < len(p.text) && p.text[i] == '\\' {
		i, depth = i+1, depth+1
	}
	if i >= len(p.text) || !chars.IsQuote(p.text[i]) {
		return given{}, false
	}
	q, start := p.text[i], i+1
	if strings.HasPrefix(p.text[i:], `"""`) || strings.HasPrefix(p.text[i:], "'''") {
		start += 2
	}
	for i, escaped := start, 0; i < min(len(p.text), start+p.longest) && p.text[i] != '\n'; i++ {
		switch c := p.text[i]; {
		case c == '\\':
			escaped++
			continue
		case c == q && (escaped <= depth || escaped%2 == 0):
			return given{start: start, end: i - min(escaped, depth), quote: q}, i > start
		}
		escaped = 0
	}
	end := p.bareEnd(start)
	return given{start: start, end: end, quote: '"'}, end > start
}

// bareEnd returns where a value without quotes ends that begins at i.
func (p *place) bareEnd(i int) int {
	inQuery := chars.IsOneOf(chars.ByteAt(p.text, p.from-1), "?&")
	end := i
	for end < len(p.text) && end-i < p.longest && !chars.IsSpace(p.text[end]) {
		if p.endsBareValue(end, inQuery) {
			return end
		}
		end++
	}
	return i + len(strings.TrimRight(p.text[i:end], ",;\\"))
}

// endsBareValue reports whether a value without quotes ends before the sign at i.
func (p *place) endsBareValue(i int, inQuery bool) bool {
	next := chars.ByteAt(p.text, i+1)
	switch c := p.text[i]; {
	case chars.IsQuote(c):
		return next < '!' || chars.IsOneOf(next, ",;:)}]>\\.?|")
	case inQuery && (c == '&' || c == '#'):
		return true
	case chars.IsOneOf(c, ";,&"):
		return p.beginsPair(i + 1)
	case c == '<':
		return next == '/'
	case c == '\\':
		return chars.IsOneOf(next, "ntr") && p.isInString()
	}
	return false
}

// isInString reports whether the name stands in a string of a program, where \n
// ends a line.
func (p *place) isInString() bool {
	line := p.before(200, "")
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.Count(line, `"`)%2 == 1 || strings.Count(line, `'`)%2 == 1 || strings.Contains(line, `\n`)
}

var pairName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A[ \t]*([\w.-][\w. -]*)[=:]`) })

// beginsPair reports whether another name with a value begins at i: Password=…;Encrypt=yes.
func (p *place) beginsPair(i int) bool {
	m := pairName().FindStringSubmatch(p.text[i:min(len(p.text), i+maxName)])
	if m == nil {
		return false
	}
	name := strings.TrimRight(m[1], " ")
	return len(name) > 2 && !strings.ContainsAny(name, chars.Digits) && looks.IsWordy(strings.ReplaceAll(name, " ", "-"))
}

var elementMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A\s*(?:<[vV]alue>|<!\[CDATA\[)`) })

// valueInElement returns the value in an element of XML that begins at i, which may stand
// in a section, or in an element for the value alone.
func (p *place) valueInElement(i int) (given, bool) {
	mark := elementMark().FindString(p.text[i:min(len(p.text), i+maxName)])
	end := "<"
	if strings.HasSuffix(mark, "[") {
		end = "]]>"
	}
	i += len(mark)
	line, _, _ := strings.Cut(form.LineAt(p.text[:min(len(p.text), i+p.longest)], i), end)
	return given{start: i, end: i + len(line), quote: '<'}, line != "" && !chars.IsOneOf(line[0], ",;:)@")
}

// beneath is what opens a structure with a value: {"sensitive": true, "value": "…"}
var beneath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A(?:\{[\s"'\\]*|\s*\n[ \t]+)` + pairs + labels) })

// item is what stands before an item of a list, on its line or below.
var item = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A(?:["'\x60\\]*[\[,]?\s*` + opening + `|\s*\n[ \t]*- ["']?([^\s"']+)["']?\s*(?:\n|\z))`)
})

const (
	maxListed = 16 // values in a list
	maxCall   = 48 // bytes of a call around a value
)

// findBeneath returns the secrets in the structure that the name is given:
//
//	"db_password": {"sensitive": true, "type": "string", "value": "…"}
//	passwords: ["…", "…"]    passwords:⏎  - …⏎  - …
func (p *place) findBeneath(c looks.Class) (out []form.Span) {
	opens := chars.ByteAt(p.text, p.at)
	if p.by != byColon && p.by != byEquals || !chars.IsOneOf(opens, "{[\r\n") {
		return nil
	}
	if name := p.name(); c == looks.NoSecret {
		c = looks.ClassOf(strings.TrimSuffix(name, "s"))
	}
	if c != looks.PasswordName && c != looks.KeyName {
		return nil
	}
	if n := len(beneath().FindString(p.text[p.at:min(len(p.text), p.at+maxBetween)])); n > 0 {
		return p.acceptValue(c, p.at+n)
	}
	i := p.at
	for range maxListed {
		m := item().FindStringSubmatchIndex(p.text[i:min(len(p.text), i+maxInner)])
		if m == nil {
			break
		}
		at := i + max(m[2], m[4])
		v, ok := p.valueAt(at)
		if i = v.end; i <= at {
			break
		}
		if ok && p.isSecret(c, &v) {
			out = append(out, form.Span{Start: v.start, End: v.end, Kind: c.Kind()})
		}
	}
	return out
}

// valueAt returns the value that begins at i, in a structure.
func (p *place) valueAt(i int) (given, bool) {
	inner := *p
	inner.by, inner.at, inner.longest = byEquals, i, min(p.longest, maxInner)
	v, ok := inner.findValue()
	v.beneath = true
	if v.quote == 0 {
		v.end = v.start + len(strings.TrimRight(p.text[v.start:v.end], "]}),"))
	}
	return v, ok && v.end > v.start
}

// acceptValue returns the value at i in a structure, if it is a secret.
func (p *place) acceptValue(c looks.Class, i int) []form.Span {
	v, ok := p.valueAt(i)
	if !ok || !p.isSecret(c, &v) {
		return nil
	}
	return []form.Span{{Start: v.start, End: v.end, Kind: c.Kind()}}
}
