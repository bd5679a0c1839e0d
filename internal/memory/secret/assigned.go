package secret

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// Bounds of what an assignment reads, in bytes.
const (
	maxName  = 96
	maxSpace = 40 // between a name, a sign and a value, where they are aligned
	maxValue = 4096
	maxInner = 256 // of a value within another
)

// A place is a name that something is assigned to, and where its value begins.
type place struct {
	text     string
	classes  *map[string]looks.Class
	from, to int // the name
	at       int // the value
	by       assignment
	quoted   bool // the name stands in quotes
	longest  int  // value that is read, in bytes
	spaced   bool // a space stands before the value

	far bool // more stands between the name and the value than a sign
}

// assignedValues returns the secrets that are assigned to the name that
// text[start:end] is part of, whatever the language:
//
//	DB_PASSWORD=…    "password": "…"    password: …    <password>…</password>
//	setPassword("…")    - name: DB_PASSWORD⏎  value: …
//	"password": {"sensitive": true, "value": "…"}    passwords: ["…", "…"]
//
// The value may contain any characters. What a program computes, names of
// types, placeholders and the words of a sentence are not secrets.
func (l *search) assignedValues(start, end int) []form.Span {
	text := l.text
	p := place{text: text, classes: &l.classes, longest: maxValue}
	if start < l.read {
		if p.from, _ = nameAround(text, start, end); p.from > 0 && strings.IndexByte(" \t\r\n;,&?|\"'`{([<>$", text[p.from-1]) < 0 {
			return nil // part of a value
		}
		p.longest = maxInner // so that names without end do not take time without end
	}
	p.from, p.to = nameAround(text, start, end)
	if p.from < 0 || p.to-p.from > 12 && !p.isName() {
		return nil
	}
	if !p.separate() {
		return p.saidSecrets()
	}
	c := p.classOfName()
	if c == looks.MaybePassword && p.quoted {
		c = looks.PasswordName
	}
	if all := p.findBeneath(c); len(all) > 0 {
		return all
	}
	if c == looks.NoSecret {
		return p.saidSecrets()
	}
	v, ok := p.findValue()
	v.beneath = p.far
	l.read = max(l.read, v.end)
	if !ok || !p.isSecret(c, &v) {
		return p.saidSecrets()
	}
	found := []form.Span{{Start: v.start, End: v.end, Kind: c.Kind()}}
	if arrow := `" -> "`; v.quote == '"' && strings.HasPrefix(text[v.end:], arrow) { // a change, as a plan of terraform has it
		p.at = v.end + len(arrow) - 1
		if v, ok = p.findValue(); ok && p.isSecret(c, &v) {
			found = append(found, form.Span{Start: v.start, End: v.end, Kind: c.Kind()})
		}
	}
	return found
}

// name returns the name as it is written.
func (p *place) name() string { return p.text[p.from:p.to] }

// saidSecrets returns the secret that a sentence says of the name.
func (p *place) saidSecrets() []form.Span {
	if v, ok := p.saidValue(); ok {
		return []form.Span{v}
	}
	return nil
}

// classOfName returns the class of the name. Few names are in a text, many times each. A key is
// what the word before it says: API key, Wi-Fi key.
func (p *place) classOfName() looks.Class {
	name := p.text[p.from:p.to]
	c, ok := (*p.classes)[name]
	if !ok {
		if *p.classes == nil {
			*p.classes = map[string]looks.Class{}
		}
		c = looks.ClassOf(name)
		(*p.classes)[name] = c
	}
	if c == looks.MaybeKey && len(name) <= len("schlüssel") {
		return ownedKey(ownerBefore(p.text, p.from))
	}
	return c
}

// ownedKey returns the class of a key that has an owner before it.
func ownedKey(owner string) looks.Class {
	owner = strings.TrimRight(strings.ToLower(owner[strings.LastIndexByte(owner, '-')+1:]), chars.Digits)
	switch {
	case slices.Contains(looks.Networks, owner):
		return looks.PasswordName
	case slices.Contains(looks.KeyOwners, owner):
		return looks.KeyName
	case slices.Contains(looks.OpenOwners, owner):
		return looks.NoSecret
	}
	return looks.MaybeKey
}

// ownerBefore returns the word before i that one space parts from what follows, "" if there
// is none, or it is a type of a program: SecretKey key.
func ownerBefore(text string, i int) string {
	if i < 2 || text[i-1] != ' ' {
		return ""
	}
	from := i - 1
	for from > 0 && i-from < maxColumnName && chars.IsInAnyName(text[from-1]) {
		from--
	}
	owner := text[from : i-1]
	if owner == "" || isTypeName(owner) {
		return ""
	}
	return owner
}

// isTypeName reports whether s is written as the types of a program are: SecretKey.
func isTypeName(s string) bool { return !chars.IsOfOneCase(s) && !strings.Contains(s, "-") }

// nameAround returns where the name is that text[start:end] is part of; from
// is −1 if it is too long for one.
func nameAround(text string, start, end int) (from, to int) {
	for from = start; from > 0 && chars.IsInAnyName(text[from-1]); from-- {
		if start-from > maxName {
			return -1, -1
		}
	}
	for to = end; to < len(text) && chars.IsInAnyName(text[to]); to++ {
		if to-end > maxName {
			return -1, -1
		}
	}
	return from, to
}

// isName reports whether the name is one. One with a class was found to be.
func (p *place) isName() bool {
	name := p.text[p.from:p.to]
	_, ok := (*p.classes)[name]
	return ok || isName(name)
}

// isName reports whether s, which has the end of a name, is one, and not a piece of
// something in base64.
func isName(s string) bool {
	return len(strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })) < 3 && !looks.IsDisordered(s)
}

// A given value is what a name is given.
type given struct {
	start, end int
	quote      byte // the quote it stands in, or 0
	wrapped    bool // it is in a call: Buffer.from("…")
	beneath    bool // it is in a structure
}

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
		i = p.throughMarks(p.nextLine(i))
	}
	if n, ok := callLength(p.text[i:]); ok {
		v, ok := p.valueInQuotes(i + n)
		v.wrapped = n > 1
		return v, ok
	}
	if p.closesQuote(i) {
		return given{}, false // the end of what the name begins
	}
	if c := chars.ByteAt(p.text, i); chars.IsQuote(c) || c == '\\' {
		return p.valueInQuotes(i)
	}
	end := p.bareEnd(i)
	return given{start: i, end: end}, end > i
}

// closesQuote reports whether at i the quote closes that opens right before the name.
func (p *place) closesQuote(i int) bool {
	c := chars.ByteAt(p.text, i)
	return chars.IsQuote(c) && !p.quoted && chars.ByteAt(p.text, p.from-1) == c
}

// nextLine returns where a value begins that stands on the next line: behind
// the sign of a block in YAML, or in quotes.
func (p *place) nextLine(i int) int {
	rest := strings.TrimPrefix(p.text[i:min(len(p.text), i+80)], "\\")
	line, below, ok := strings.Cut(rest, "\n")
	if !ok {
		return i
	}
	block := len(strings.TrimSpace(line)) <= 2 && strings.Trim(line, "|>-+ \r") == ""
	trimmed := strings.TrimLeft(below, " \t")
	isIndented := trimmed != "" && len(trimmed) < len(below)
	if !block || !isIndented {
		return i
	}
	if line == "" && !chars.IsQuote(trimmed[0]) {
		return i
	}
	return i + len(p.text[i:min(len(p.text), i+80)]) - len(trimmed)
}

// callLength returns how long the beginning of a call or the prefix of a string
// is that stands before a quote: Buffer.from(", b", @", $'.
func callLength(s string) (int, bool) {
	const longest = 48
	for i := range min(len(s), longest) {
		switch c := s[i]; {
		case chars.IsQuote(c):
			return i, i > 0 && (s[i-1] == '(' || strings.Trim(s[:i], "bBrRfFuULN@$") == "")
		case chars.IsWord(c), chars.IsOneOf(c, "(.[]&@$:"), c == ' ' && strings.HasPrefix(s, "new "):
		default:
			return 0, false
		}
	}
	return 0, false
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
	for i, escaped := start, 0; i < min(len(p.text), start+p.longest); i++ {
		switch c := p.text[i]; {
		case c == '\\':
			escaped++
			continue
		case c == q && (escaped <= depth || escaped%2 == 0):
			if q == '\'' && depth == 0 && isApostrophe(p.text, start, i) {
				break
			}
			return given{start: start, end: i - min(escaped, depth), quote: q}, i > start
		case c == '\n':
			return p.unclosedValue(start)
		}
		escaped = 0
	}
	return p.unclosedValue(start)
}

// isApostrophe reports whether the quote at i, in a value that begins at start, stands within a word.
func isApostrophe(text string, start, i int) bool {
	return i > start && chars.IsLetter(text[i-1]) && chars.IsLetter(chars.ByteAt(text, i+1))
}

func (p *place) unclosedValue(start int) (given, bool) {
	end := p.bareEnd(start)
	return given{start: start, end: end, quote: '"'}, end > start
}

// bareEnd returns where a value without quotes ends that begins at i.
func (p *place) bareEnd(i int) int {
	inQuery := chars.IsOneOf(chars.ByteAt(p.text, p.from-1), "?&")
	end := i
	for ; end < len(p.text) && end-i < p.longest && !chars.IsSpace(p.text[end]); end++ {
		if p.endsBareValue(end, inQuery) {
			return end
		}
	}
	return i + len(strings.TrimRight(p.text[i:end], ",;\\"))
}

// endsBareValue reports whether a value without quotes ends before the sign at i.
func (p *place) endsBareValue(i int, inQuery bool) bool {
	switch c := p.text[i]; {
	case chars.IsQuote(c):
		next := chars.ByteAt(p.text, i+1)
		return next < '!' || chars.IsOneOf(next, ",;:)}]>\\.?|")
	case inQuery && (c == '&' || c == '#'):
		return true
	case chars.IsOneOf(c, ";,&"):
		return p.beginsPair(i + 1)
	case c == '<':
		return endTag(p.text[i:])
	case c == '\\':
		return chars.IsOneOf(chars.ByteAt(p.text, i+1), "ntr") && p.isInString()
	}
	return false
}

// endTag reports whether s begins with the end of an element: </password>
func endTag(s string) bool {
	rest, ok := strings.CutPrefix(s, "</")
	n := strings.IndexByte(rest[:min(len(rest), maxName)], '>')
	if !ok || n <= 0 {
		return false
	}
	return isName(rest[:n]) && looks.IsIdentifier(rest[:n])
}

// isInString reports whether the name stands in a string of a program, where \n
// ends a line.
func (p *place) isInString() bool {
	line := p.text[max(0, p.from-200):p.from]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.Count(line, `"`)%2 == 1 || strings.Count(line, `'`)%2 == 1 || strings.Contains(line, `\n`)
}

// beginsPair reports whether another name with a value begins at i, or nothing
// does: Password=…;Encrypt=yes.
func (p *place) beginsPair(i int) bool {
	i = skipBlank(p.text, i)
	start := i
	for i < len(p.text) && i-start < maxName && isInPairName(p.text[i], i == start) {
		i++
	}
	if i == start || !chars.IsOneOf(chars.ByteAt(p.text, i), "=:") {
		return false
	}
	name := strings.TrimRight(p.text[start:i], " ")
	long := false
	for _, w := range looks.WordsOf(name) {
		long = long || len(w) > 2
	}
	return long && !strings.ContainsAny(name, chars.Digits) && looks.IsWordy(strings.ReplaceAll(name, " ", "-"))
}

// isInPairName reports whether c may be part of the name of a pair, in which spaces are but at its beginning.
func isInPairName(c byte, isFirst bool) bool { return chars.IsInName(c) || c == ' ' && !isFirst }
