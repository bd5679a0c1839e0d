package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Flatten returns a reply in which each item of a list is one line: what is
// listed or said below an item follows it there, and short code follows the
// line that announces it, between backticks. Longer code stays in its fence. A
// heading with a number is an item, unless it names the kind of a section.
func Flatten(reply string) string {
	f := flattener{item: -1, coded: -1}
	fence := ""
	var code []string
	for line := range strings.Lines(reply) {
		line = strings.TrimRight(line, " \t\r\n")
		text := strings.TrimSpace(line)
		switch {
		case fence != "" && strings.HasPrefix(text, fence[:3]):
			f.addCode(fence, code)
			fence, code = "", nil
		case fence != "":
			code = append(code, line)
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence = text
		case text == "":
			f.out = append(f.out, "")
		default:
			f.text(text, len(line)-len(strings.TrimLeft(line, " \t")))
		}
	}
	if fence != "" {
		f.out = append(append(f.out, fence), code...)
	}
	return strings.Join(f.out, "\n")
}

// A flattener writes the lines of a reply anew.
type flattener struct {
	out    []string
	item   int  // line of the item that was read last, -1 outside of lists
	indent int  // of that item
	below  bool // something was listed below it
	headed bool // it was a heading
	coded  int  // line that ends in code which stood below it
}

// text adds a line that is no code.
func (f *flattener) text(text string, indent int) {
	number := numberedHeading(text)
	listed := number != "" || IsListed(text)
	first, _ := utf8.DecodeRuneInString(text)
	switch last := f.lastLine(); {
	case number != "":
		f.begin(number, 0, true)
	case listed && f.isInside(text, indent):
		f.listBelow(WithoutMark(text))
	case listed:
		f.begin(text, indent, false)
	case strings.HasPrefix(text, "#"):
		f.item = -1
		f.out = append(f.out, text)
	case f.isInside(text, indent):
		f.appendTo(f.item, text)
	case last >= 0 && f.coded == last && unicode.IsLower(first):
		f.appendTo(last, text)
	default:
		f.item = -1
		f.out = append(f.out, text)
	}
}

// isInside reports whether a line belongs to the item above it.
func (f *flattener) isInside(text string, indent int) bool {
	if f.item < 0 {
		return false
	}
	if indent > f.indent+1 || f.announcesList(text) {
		return true
	}
	return f.headed && !IsDivider(text) && !isNumbered(text)
}

// announcesList reports whether the numbered item before announces a list, of which text is the first item.
func (f *flattener) announcesList(text string) bool {
	if !isNumbered(f.out[f.item]) || isNumbered(text) || !IsListed(text) {
		return false
	}
	return f.below || strings.HasSuffix(Unmark(f.out[f.item]), ":")
}

// begin begins an item. Whatever empty lines divide it from the one before,
// they are of one list.
func (f *flattener) begin(text string, indent int, headed bool) {
	if last := f.lastLine(); f.item >= 0 && last == f.item {
		f.out = f.out[:last+1]
	}
	f.item, f.indent, f.below, f.headed = len(f.out), indent, false, headed
	f.out = append(f.out, text)
}

// numberedHeading returns a heading that has a number as the item of a list
// that it is: "1. …" of "### 1. …" and "**1. …**". "" for any other line.
func numberedHeading(text string) string {
	bare := Unmark(text)
	isNumberedItem := isNumbered(bare) && IsListed(bare)
	if !IsHeading(text) || !isNumberedItem || sectionKind(WithoutMark(bare)) != nil {
		return ""
	}
	return bare
}

// lastLine returns the last line that is not empty, -1 for none.
func (f *flattener) lastLine() int {
	for i, line := range slices.Backward(f.out) {
		if line != "" {
			return i
		}
	}
	return -1
}

// listBelow appends to an item what is listed below it.
func (f *flattener) listBelow(text string) {
	above := strings.TrimRight(Unmark(f.out[f.item]), ".;,")
	switch {
	case strings.HasSuffix(above, ":"):
		above += " "
	case f.below:
		above += ", "
	default:
		above += ": "
	}
	f.out[f.item], f.below = above+strings.TrimRight(text, ".;,"), true
}

// appendTo appends to a line what is said below it.
func (f *flattener) appendTo(at int, text string) {
	above := Unmark(f.out[at])
	last, _ := utf8.DecodeLastRuneInString(above)
	mayEnd := unicode.IsLetter(last) || last == ')' || last == '`'
	if first, _ := utf8.DecodeRuneInString(text); mayEnd && unicode.IsUpper(first) {
		above += "."
	}
	f.out[at] = above + " " + text
}

// addCode adds a block of code, to the line that announces it if it is short.
func (f *flattener) addCode(fence string, lines []string) {
	last, short := f.lastLine(), shortCode(lines)
	if short == "" || last < 0 || !f.announcesCode(last) {
		f.out = append(append(append(f.out, fence), lines...), fence[:3])
		return
	}
	above := Unmark(f.out[last])
	f.out = f.out[:last]
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSuffix(above, ":")), " ")
	if before := f.lastLine(); before >= 0 && f.continues(word, before) {
		above = Unmark(f.out[before])
		if later[word] {
			above += " →"
		}
		last, f.out = before, f.out[:before]
	}
	f.out, f.coded = append(f.out, above+" "+short), last
}

// isNumbered reports whether text is an item with a number.
func isNumbered(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }

// Bounds of code that stands in a sentence.
const (
	maxCode      = 110 // bytes
	maxCodeLines = 3
)

// shortCode returns a block of code in one line between backticks, what was
// and what is now as two; "" for what is too long, a table or a drawing.
func shortCode(lines []string) string {
	was, is, diff := isChanged(lines)
	if !diff {
		return joinCode(lines)
	}
	if before, after := joinCode(was), joinCode(is); before != "" && after != "" {
		return before + " → " + after
	}
	return ""
}

// joinCode returns lines of code in one, "" for too much of it.
func joinCode(lines []string) string {
	text := Fold(strings.Join(lines, " "))
	if n := len(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.TrimSpace(l) == "" })); n > maxCodeLines {
		return ""
	}
	if text == "" || len(text) > maxCode || text[0] == '|' {
		return ""
	}
	if strings.ContainsAny(text, "`│├└┌─") {
		return ""
	}
	return "`" + text + "`"
}

// earlier and later are what comments call the code before and after a change.
var (
	earlier = WordSet("before old was original previously vorher avant antes")
	later   = WordSet("after new now fixed becomes nachher après después")
)

// isChanged divides code into what was and what is now: the removed and added
// lines of a diff, or what stands below comments that say "before" and "after".
func isChanged(lines []string) (was, is []string, ok bool) {
	side := &was
	marked := 0
	for _, line := range lines {
		text := strings.TrimSpace(line)
		word, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(text, "#/-* ")), " ")
		word = strings.Trim(word, ":()")
		comment := strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//")
		switch {
		case comment && earlier[word]:
			side, marked = &was, marked+1
		case comment && later[word]:
			side, marked = &is, marked+1
		case strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "--"):
			was, marked = append(was, line[1:]), marked+1
		case strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "++"):
			is, marked = append(is, line[1:]), marked+1
		case text != "":
			*side = append(*side, line)
		}
	}
	return was, is, marked > 1 && len(was) > 0 && len(is) > 0
}

// announcesCode reports whether a line, which is no heading, ends as one does that code follows.
func (f *flattener) announcesCode(line int) bool {
	return strings.HasSuffix(Unmark(f.out[line]), ":") && !strings.HasPrefix(f.out[line], "#")
}

// continues reports whether a word between two pieces of code, as "after" is, joins the second to the line before.
func (f *flattener) continues(word string, before int) bool {
	if later[word] && f.coded == before {
		return true
	}
	return earlier[word] && strings.HasSuffix(Unmark(f.out[before]), ":")
}
