package capture

import (
	"slices"
	"strings"
)

const (
	maxOutcome = 1000
	maxLine    = 300 // of the outcome's lines
	shortReply = 60  // below it, a reply is likely to be only a last word
)

// final returns the reply that tells how a turn came out: the last one, or the
// one before where the last is only a word or two.
func final(replies []string) string {
	var last string
	for i := len(replies) - 1; i >= max(0, len(replies)-2); i-- {
		reply := squeeze(Clean(replies[i]))
		if len(reply) >= shortReply {
			return reply
		}
		if last == "" {
			last = reply
		}
	}
	return last
}

// A line of a reply and how much it tells: 0 most.
type line struct {
	text    string
	rank    int
	heading bool
}

// gist returns what tells most in a reply: its first paragraph, its lists and
// what its headings announce, its last paragraph, then the rest, as far as
// there is room; never its code.
func gist(reply string) string {
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
	paragraphs := prose(reply)
	announced := false
	var out []line
	for i, p := range paragraphs {
		for _, text := range p {
			if isRule(text) {
				continue
			}
			l := line{text: clip(unmark(text), maxLine), rank: 3, heading: strings.HasPrefix(text, "#")}
			switch {
			case i == 0 && !l.heading:
				l.rank = 0
			case announced, l.heading, isListed(text) && !strings.Contains(text, "](http"): // no list of sources
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

// prose cuts a reply into paragraphs of lines, code blocks left out.
func prose(reply string) [][]string {
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

// isListed reports an item of a list: "- x", "* x", "• x", "3. x", "4) x".
func isListed(text string) bool {
	if rest := strings.TrimLeft(text, "0123456789"); rest != text {
		return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
	}
	return strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "• ")
}

func isRule(text string) bool { return strings.Trim(text, "-=*_| :") == "" }

// unmark takes away the marks of headings and bold text.
func unmark(text string) string {
	if strings.HasPrefix(text, "#") {
		text = strings.TrimSpace(strings.TrimLeft(text, "#"))
	}
	return strings.TrimSpace(strings.ReplaceAll(text, "**", ""))
}
