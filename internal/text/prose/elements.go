package prose

import (
	"strings"

	"recollect/internal/text/rule"
)

// WithoutElements returns a prompt without what somebody else wrote: the blocks that a client or
// the user put into tags or between banners, quotations, messages that were forwarded. What the
// client puts before the words for an image goes, too.
func WithoutElements(prompt string) string {
	return withoutBanners(placed.ReplaceAllString(WithoutTags(prompt), ""))
}

// placed is what a client writes at the beginning of a line for what was pasted there, or that the user attached:
// "#terminalSelection". A button of a client is its words, too: "@agent Try Again".
var placed = rule.Lazy(`(?m)^[ \t]*(?:(?:\[(?:Image|Pasted text|Document|File) #\d+[^\]\n]*\]|#[a-z]+[A-Z]\w*|@agent [A-Z][^\n]*)[ \t]*)+`)

// WithoutTags returns a text without the blocks that stand in tags: a file, a document, a
// selection in the editor, a page. All from the first opening tag of a name to
// the last closing one goes, because what stands in between may close and open
// the tag itself. Words that are only formatted (<b>always</b>) stay.
func WithoutTags(prompt string) string {
	if !strings.ContainsAny(prompt, "<[") {
		return prompt
	}
	last := lastClosing(prompt)
	var b strings.Builder
	for i := 0; i < len(prompt); {
		name, end := openingTag(prompt[i:])
		if name == "" {
			b.WriteByte(prompt[i])
			i++
			continue
		}
		closing, closed := last[prompt[i:i+1]+name]
		inside := prompt[i:max(i+end, closing)]
		isClosed := closed && closing > i
		switch {
		case isClosed && (!formatting[name] || strings.Contains(inside, "\n")):
			i = closing
			b.WriteString("\n\n")
		case !isClosed && isAlone(prompt, i, i+end) && strings.Contains(prompt[i:i+end], "="):
			i = len(prompt) // its end was cut off
		default:
			b.WriteString(prompt[i : i+end])
			i += end
		}
	}
	return b.String()
}

// formatting are the tags that people put around words of their own.
var formatting = map[string]bool{
	"b": true, "i": true, "u": true, "s": true, "em": true, "strong": true, "code": true, "kbd": true, "mark": true, "small": true, "sub": true, "sup": true, "a": true, "span": true,
}

// maxOpening bounds the length of an opening tag, in bytes.
const maxOpening = 600

// openingTag returns the name, in lower case, and the length of the tag that s
// begins with: <name>, <name key="value">, [name], [name key=value].
func openingTag(s string) (name string, length int) {
	end := byte('>')
	switch s[0] {
	case '<':
	case '[':
		end = ']'
	default:
		return "", 0
	}
	n := tagName(s[1:])
	if n == 0 || n+1 >= len(s) {
		return "", 0
	}
	if behind := s[n+1]; behind != end && strings.IndexByte(" \t\r\n", behind) < 0 {
		return "", 0
	}
	quote := byte(0)
	for i := n + 1; i < min(len(s), maxOpening); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == s[0]:
			return "", 0
		case c == end && s[i-1] != '/':
			return strings.ToLower(s[1 : n+1]), i + 1
		case c == end:
			return "", 0 // it has no content
		}
	}
	return "", 0
}

// tagName returns the length of the name that s begins with.
func tagName(s string) int {
	for i := range len(s) {
		c := s[i] | 0x20
		isLetter := c >= 'a' && c <= 'z'
		if !isLetter && (i == 0 || strings.IndexByte("_-:.0123456789", s[i]) < 0) {
			return i
		}
	}
	return len(s)
}

// lastClosing returns where the last closing tag of each name ends, by the
// bracket and the name: "<file".
func lastClosing(s string) map[string]int {
	last := map[string]int{}
	for i := 0; i+2 < len(s); i++ {
		if s[i] != '<' && s[i] != '[' || s[i+1] != '/' {
			continue
		}
		n := tagName(s[i+2:])
		rest := strings.TrimLeft(s[i+2+n:], " \t\r\n")
		if isEnd := strings.HasPrefix(rest, ">") || strings.HasPrefix(rest, "]"); n > 0 && isEnd {
			last[s[i:i+1]+strings.ToLower(s[i+2:i+2+n])] = len(s) - len(rest) + 1
		}
	}
	return last
}

// isAlone reports whether s[from:to] is a line of its own.
func isAlone(s string, from, to int) bool {
	before := s[strings.LastIndexByte(s[:from], '\n')+1 : from]
	after, _, _ := strings.Cut(s[to:], "\n")
	return strings.TrimSpace(before+after) == ""
}

// Banners are lines that say where something pasted begins and ends:
// "----- BEGIN README.md -----".
var (
	beginBanner = rule.Lazy(`(?im)^[ \t]*[-=*#~_+<>]{2,}[ \t]*(?:begin|start)\b[^\n]*$`)
	endBanner   = rule.Lazy(`(?im)^[ \t]*[-=*#~_+<>]{2,}[ \t]*end\b[^\n]*$`)
)

// Mail that is pasted or forwarded begins with a line that says so, or with its header; a chat,
// with a line that has only a name and a time.
var (
	mailMark = rule.Lazy(`(?im)^[ \t>]*(?:-{2,}[^\n]*\b(?:mail|message|nachricht|mensaje)\b[^\n]*-{2,}|begin forwarded message:)[ \t]*$`)
	mailSaid = rule.Lazy(`(?im)^[ \t>]*(?:on|am|le|el)\b[^\n]{6,120} (?:wrote|schrieb[^\n]{0,60}|a écrit|escribió)[ \t]*:[ \t]*$`)
	mailSubj = rule.Lazy(`(?im)^(?:[ \t>]*\p{L}[\p{L} -]{1,20}[ \t]?:[^\n]*\n){1,12}[ \t>]*(?:subject|betreff|objet|asunto)[ \t]?:`)
	chatHead = rule.Lazy(`(?im)^[ \t]*[\p{L}@._-]+(?: [\p{L}._-]+)?[ \t]+\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\]?[ \t]*$`)
	mailHead = rule.Lazy(`(?im)^(?:[ \t>]*(?:subject|betreff|date|to|cc)[ \t]?:[^\n]*\n)*[ \t>]*(?:from|von|de)[ \t]?:[^\n]*\n(?:[ \t>]*[\p{L}-]{2,12}[ \t]?:[^\n]*\n){1,12}[ \t>]*(?:\n|$)`)
)

// Blocks that somebody else wrote: comments, text between lines of three quotes,
// quotations of several lines, and lines that are set in like code.
var (
	comment     = rule.Lazy(`(?s)<!--.*?(?:-->|$)`)
	threeQuotes = rule.Lazy(`(?ms)^[ \t]*(?:"""|''')[ \t]*\w*$.*?(?:^[ \t]*(?:"""|''')[ \t]*$|\z)`)
	quotation   = rule.Lazy(`(?m)^[ \t]*(?:"[^"\n]+\n[^"]*"|“[^”\n]+\n[^”]*”|„[^“”\n]+\n[^“”]*[“”]|«[^»\n]+\n[^»]*»)`)
	setIn       = rule.Lazy(`(?m)^[ \t]*\n(?:(?: {4,}|\t)[^\n]+(?:\n|\z)){2,}`)
)

// withoutMail returns a prompt up to a mail or a chat in it. Of a prompt that begins with a mail
// the last paragraph is its author's, if a divider stands before it.
func withoutMail(prompt string) string {
	for _, begin := range []*rule.Regexp{mailMark, mailSaid, mailSubj, mailHead, chatHead} {
		at := begin.FindStringIndex(prompt)
		switch {
		case at == nil:
		case strings.TrimSpace(prompt[:at[0]]) == "":
			return lastParagraph(prompt[at[0]:])
		default:
			prompt = prompt[:at[0]]
		}
	}
	return prompt
}

// minDivider is the length of a line that divides a mail from what stands below it, in bytes. The
// line above a signature is shorter.
const minDivider = 3

// lastParagraph returns what stands below the last divider of a text, "" if that is more than a
// paragraph.
func lastParagraph(text string) string {
	below, divided := "", false
	for line := range strings.Lines(text) {
		switch mark := strings.TrimSpace(line); {
		case len(mark) >= minDivider && IsDivider(mark):
			below, divided = "", true
		case divided:
			below += line
		}
	}
	if below = strings.TrimSpace(below); strings.Contains(below, "\n\n") {
		return ""
	}
	return below
}

// withoutBanners returns a prompt without what stands between banners, up to
// its end where no last one says so, and without other blocks that somebody
// else wrote.
func withoutBanners(prompt string) string {
	prompt = withoutForwarded(withoutMail(prompt))
	for _, block := range []*rule.Regexp{comment, threeQuotes, quotation, setIn} {
		prompt = block.ReplaceAllString(prompt, "\n\n")
	}
	begin := beginBanner.FindStringIndex(prompt)
	if begin == nil {
		return prompt
	}
	end := len(prompt)
	for from := begin[1]; ; {
		next := endBanner.FindStringIndex(prompt[from:])
		if next == nil {
			break
		}
		from += next[1]
		end = from
	}
	return prompt[:begin[0]] + "\n\n" + prompt[end:]
}
