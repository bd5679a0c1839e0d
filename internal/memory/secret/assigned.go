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
	if p.isOption() {
		if found := p.argument(); len(found) > 0 {
			return found
		}
	}
	if p.separate() {
		found, end := p.assignedSecrets()
		l.read = max(l.read, end)
		if len(found) > 0 {
			return found
		}
	}
	return p.saidSecrets()
}

// assignedSecrets returns the secrets that the name is given behind its separator, and where its value ends.
func (p *place) assignedSecrets() (found []form.Span, end int) {
	c := p.classOfName()
	if c == looks.MaybePassword && p.quoted {
		c = looks.PasswordName
	}
	if found = p.findBeneath(c); len(found) > 0 || c == looks.NoSecret {
		return found, 0
	}
	v, ok := p.findValue()
	v.beneath = p.far
	if !ok || !p.isSecret(c, &v) {
		return nil, v.end
	}
	found, end = append(found, form.Span{Start: v.start, End: v.end, Kind: c.Kind()}), v.end
	if arrow := `" -> "`; v.quote == '"' && strings.HasPrefix(p.text[v.end:], arrow) { // a change, as a plan of terraform has it
		p.at = v.end + len(arrow) - 1
		if v, ok = p.findValue(); ok && p.isSecret(c, &v) {
			found = append(found, form.Span{Start: v.start, End: v.end, Kind: c.Kind()})
		}
	}
	return found, end
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

// ownerBefore returns the word before i that one space parts from what follows, "" if there is none.
func ownerBefore(text string, i int) string {
	before, ok := strings.CutSuffix(text[max(0, i-maxColumnName):i], " ")
	if !ok {
		return ""
	}
	return before[strings.LastIndexFunc(before, func(r rune) bool { return r < 0x80 && !chars.IsInName(byte(r)) })+1:]
}

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

// isName reports whether the name is one, and not a piece of something in base64. One with a class was found to be.
func (p *place) isName() bool {
	name := p.name()
	if _, ok := (*p.classes)[name]; ok {
		return true
	}
	return len(strings.FieldsFunc(name, func(r rune) bool { return r < '0' || r > '9' })) < 3 && !looks.IsDisordered(name)
}
