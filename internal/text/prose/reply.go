package prose

import (
	"slices"
	"strings"
	"unicode"
)

const (
	maxOutcome = 1000
	maxLine    = 300 // of the outcome's lines

)

// A line of a reply and how informative it is: 0 most.
type line struct {
	text    string
	rank    int
	heading bool
}

// Highlights returns the most informative parts of a reply: its first paragraph,
// its lists and what its headings announce, its last paragraph, then the rest, as
// far as there is room; never its code.
func Highlights(reply string) string {
	lines := readLines(reply)
	room := maxOutcome
	keep := make([]bool, len(lines))
	for rank := range 4 {
		for i, l := range lines {
			if l.rank == rank && len(l.text) < room {
				keep[i] = true
				room -= len(l.text) + 1
			}
		}
	}
	var out []string
	below := false // something of this section was kept
	for i := len(lines) - 1; i >= 0; i-- {
		l := lines[i]
		if keep[i] && (below || !l.heading) {
			out = append(out, l.text)
		}
		below = !l.heading && (below || keep[i])
	}
	slices.Reverse(out)
	return strings.Join(out, "\n")
}

// readLines ranks the lines of a reply that are no code.
func readLines(reply string) []line {
	paragraphs := Paragraphs(reply)
	announced := false
	var out []line
	for i, p := range paragraphs {
		for _, text := range p {
			if IsDivider(text) {
				continue
			}
			l := line{text: Clip(Unmark(text), maxLine), rank: 3, heading: strings.HasPrefix(text, "#")}
			switch {
			case i == 0 && !l.heading:
				l.rank = 0
			case announced, l.heading, IsListed(text) && !strings.Contains(text, "](http"): // no list of sources
				l.rank = 1
			case i == len(paragraphs)-1:
				l.rank = 2
			}
			announced = l.heading
			out = append(out, l)
		}
	}
	return out
}

// Paragraphs cuts a reply into paragraphs of lines, code blocks left out.
func Paragraphs(reply string) [][]string {
	var out [][]string
	fence, begin := "", true
	for l := range strings.Lines(reply) {
		text := strings.TrimSpace(l)
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence = text[:3]
		case text == "":
			begin = true
		case begin:
			out, begin = append(out, []string{text}), false
		default:
			out[len(out)-1] = append(out[len(out)-1], text)
		}
	}
	return out
}

// IsListed reports whether text is an item of a list: "- x", "* x", "• x", "3. x", "4) x".
func IsListed(text string) bool {
	if rest := strings.TrimLeft(text, "0123456789"); rest != text {
		return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
	}
	return strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "• ")
}

// IsDivider reports whether a line only divides what stands above from what stands
// below: "---", "====".
func IsDivider(text string) bool { return strings.Trim(text, "-=*_| :") == "" }

// Unmark takes away the marks of headings and bold text.
func Unmark(text string) string {
	if strings.HasPrefix(text, "#") {
		text = strings.TrimSpace(strings.TrimLeft(text, "#"))
	}
	return strings.TrimSpace(strings.ReplaceAll(text, "**", ""))
}

// maxAnnouncing bounds the lines of a title that only announce what comes, in
// bytes: more than any title may have.
const maxAnnouncing = 1000

// Title is what a prompt begins with: its first line, and the ones after it
// while they only announce what comes ("Fix this bug:").
func Title(asked string) string {
	var out []string
	size := 0
	for line := range strings.Lines(asked) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		out = append(out, line)
		if size += len(line); !strings.HasSuffix(line, ":") || size > maxAnnouncing {
			break
		}
	}
	return strings.Join(out, " ")
}

// IsHeading reports whether a line stands above others: "# x", "**x**", "x:".
func IsHeading(text string) bool {
	return strings.HasPrefix(text, "#") || strings.HasPrefix(text, "**") && strings.HasSuffix(strings.TrimRight(text, ": "), "**")
}

// ItemWords is a line of a list without its mark.
func ItemWords(text string) string {
	text = WithoutMark(Unmark(text))
	for _, box := range []string{"[ ]", "[x]", "[X]"} {
		text = strings.TrimSpace(strings.TrimPrefix(text, box))
	}
	return text
}

// LineWords is a line in lower case without what decorates its beginning.
func LineWords(text string) string {
	text = strings.TrimLeftFunc(ItemWords(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.ToLower(text)
}
