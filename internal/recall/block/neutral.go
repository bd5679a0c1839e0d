package block

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain returns text without the characters that steer a terminal or hide text. That is
// enough for people, who do not take a tag for an instruction.
func Plain(text string) string { return strings.Map(visible, text) }

// Shown reports whether Plain leaves a character as it is.
func Shown(r rune) bool { return visible(r) == r }

// brackets are the characters that a reader may take for the "<" of a tag.
const brackets = "<＜﹤‹〈〈⟨❮❬❰⧼《≮˂ᐸᚲ𝈶"

// closers are those that a reader may take for its ">".
const closers = ">＞﹥›〉〉⟩❯❭❱⧽》≯˃ᐳ"

// slashes are those that may stand before the name of a closing tag.
const slashes = `/\⁄∕／`

// neutral returns text that is data wherever it stands: whatever looks like a tag is opened up,
// since any name may mean something to Claude or to Claude Code, and characters that steer a
// terminal or hide text are gone.
func neutral(text string) string {
	text = Plain(text)
	if !strings.ContainsAny(text, brackets) {
		return text
	}
	var b strings.Builder
	doubled := false // the character before was a bracket too
	open := false    // a tag was opened up, and its end not yet found
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		bracket := strings.ContainsRune(brackets, r)
		switch {
		case bracket && beginsTag(r, text[n:], doubled):
			b.WriteString("&lt;")
			open = true
		case open && r != '>' && strings.ContainsRune(closers, r):
			b.WriteByte('>')
			open = false
		default:
			b.WriteString(text[:n])
		}
		text, doubled = text[n:], bracket
	}
	return b.String()
}

// maxTag is how far from its bracket the end of a tag is looked for, in bytes.
const maxTag = 300

// beginsTag reports whether a bracket that rest follows looks like the beginning of a tag: a name
// follows it, or a slash and a name. Behind a space, or in "<<EOF", that is a tag only if it ends
// like one. Of another script's brackets, which quote titles, the name is one in letters that can
// look like ours.
func beginsTag(bracket rune, rest string, doubled bool) bool {
	name := strings.TrimLeftFunc(rest, func(r rune) bool { return strings.ContainsRune(slashes, r) || unicode.IsSpace(r) || unseen(r) })
	skipped := rest[:len(rest)-len(name)]
	r, _ := utf8.DecodeRuneInString(name)
	switch {
	case bracket == '<' && strings.ContainsRune("!?|", r) && skipped == "":
		return true
	case !unicode.IsLetter(r) && r != '_', bracket != '<' && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic):
		return false
	case strings.ContainsAny(skipped, slashes):
		return true
	case doubled || strings.ContainsFunc(skipped, unicode.IsSpace):
		return strings.ContainsAny(name[:min(len(name), maxTag)], closers)
	}
	return true
}

// unseen reports whether r marks what stands beside it and has no place of
// its own: joiners, variation selectors, accents.
func unseen(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Mn) }

// keptControls are line breaks and tabs, and the joiners that scripts and emoji need.
var keptControls = []rune{'\n', '\t', 0x200C, 0x200D}

// visible drops control characters but line breaks and tabs, direction marks
// and overrides, zero-width characters and the invisible tag characters.
// Joiners stay, because scripts and emoji need them. Unicode's own line
// breaks become plain ones, which are indented.
func visible(r rune) rune {
	switch {
	case slices.Contains(keptControls, r):
		return r
	case r == 0x2028 || r == 0x2029:
		return '\n'
	case unicode.In(r, unicode.Cc, unicode.Cf), r >= 0xE0000 && r <= 0xE0FFF:
		return -1
	}
	return r
}
