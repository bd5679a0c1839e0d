package prose

import (
	_ "embed"
	"slices"
	"strings"

	"recollect/internal/text/rule"
)

// Bounds of what is read and kept of a prompt.
const (
	maxHead   = 20       // lines in which a form has its fields
	maxAsked  = 16 << 10 // bytes of a prompt that are looked at
	shortHead = 40       // bytes of a line that announces what comes and stays before it
	minTopic  = 60       // bytes of a sentence that says enough alone
	maxTitle  = 118      // bytes of a title, of which a memory holds 120 characters
)

//go:embed rules/topics.toml
var topicText string

// topicRules find what a prompt is about.
var topicRules = rule.Read[topicTables](topicText)

type topicTables struct {
	rule.Header
	Field       []*rule.Rule `toml:"field"`
	Named       *rule.Rule   `toml:"named"`
	Polite      rule.Set     `toml:"polite"`
	Pointing    *rule.Rule   `toml:"pointing"`
	Label       *rule.Rule   `toml:"label"`
	HeadingOnly rule.Set     `toml:"heading-only"`
	Exercise    *rule.Rule   `toml:"exercise"`
}

// Topic returns what a prompt is about whose Request these sentences are: the first that ask or say something, of a form
// the field that does; never its greeting, a heading of its template, or what was pasted. "" if it has no words of its
// own.
func Topic(sentences []string) string {
	for i, s := range sentences {
		if !Pronominal(s) && (Informative(s) >= minInformative || len(sentences) == 1) {
			return firstSentences(sentences[i:])
		}
	}
	return firstSentences(sentences)
}

// minInformative is how many words a sentence has that says by itself what a
// prompt is about, if another one may.
const minInformative = 3

// Informative counts the words of s that say what it is about.
func Informative(s string) int {
	n := 0
	for _, word := range strings.FieldsFunc(strings.ToLower(s), NotInName) {
		if !Fillers[word] && !Pronouns[word] && len(word) > 2 {
			n++
		}
	}
	return n
}

// Exercise reports whether a prompt names the tool which Claude is to use: it is
// about that tool.
func Exercise(asked string) bool { return topicRules().Exercise.MatchString(asked) }

// SaysMore reports whether a text has a word that says something and begins
// like none in known, which is in lower case.
func SaysMore(text, known string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(text), NotInName), func(word string) bool {
		isEmpty := Fillers[word] || Pronouns[word] || counting[word]
		return !isEmpty && len(word) >= len("not") && !strings.Contains(known, word[:min(len(word), wordStem)])
	})
}

// wordStem is how many bytes of a word tell it from others, whatever its form.
const wordStem = 4

// counting are words that only count what was named.
var counting = WordSet(`both all every each done for and`)

// Request returns the sentences in which the author of a prompt says what it
// is about, in order, without greetings, code, logs and the parts of a form
// that say nothing.
func Request(asked string) []string {
	text := WithoutElements(CutMiddle(asked, maxAsked))
	var out []string
	lines, form := formText(strings.Split(text, "\n"))
	for _, line := range ownWords(lines, form) {
		for _, sentence := range Sentences(line) {
			for _, part := range splitAt(sentence) {
				if part = withoutPoliteness(part); part != "" && !Trivial(part) && !slices.Contains(out, part) {
					out = append(out, part)
				}
			}
		}
	}
	return out
}

// formText returns the lines of a prompt from where a form says what it is
// about: the prompt itself where it is none.
func formText(lines []string) (text []string, form bool) {
	head := lines[:min(len(lines), maxHead)]
	named := 0
	for _, line := range head {
		if topicRules().Named.MatchString(line) {
			named++
		}
	}
	if named < 2 {
		return lines, false
	}
	for _, field := range topicRules().Field {
		for i, line := range head {
			if m := field.FindStringSubmatch(line); m != nil && isFieldText(m[1]) {
				return append([]string{unquoted(m[1])}, lines[i+1:]...), true
			}
		}
	}
	return lines, false
}

// unquoted returns the value of a form's field without its quotes or the mark
// of a text of several lines.
func unquoted(value string) string {
	value = strings.TrimSpace(strings.TrimLeft(value, "|>"))
	if n := len(value); n > 1 && value[0] == value[n-1] && strings.IndexByte("\"'", value[0]) >= 0 {
		return value[1 : n-1]
	}
	return value
}

// ownWords returns the lines that somebody wrote in prose: no code, logs,
// boxes to tick, or headings but the first. A short line that announces what
// comes stands before it.
func ownWords(lines []string, form bool) []string {
	var out []string
	head, pointing := "", ""
	for _, paragraph := range Paragraphs(strings.Join(lines, "\n")) {
		pasted := false
		for _, line := range paragraph {
			bare, begun := bareLine(line), len(out) > 0
			pasted = pasted || isForeign(withoutLabel(line))
			switch {
			case pasted && !strings.HasSuffix(bare, "?"):
			case bare == "", begun && IsHeading(line):
			case begun && form && isValue(bare):
			case strings.HasSuffix(bare, ":") && len(bare) <= shortHead:
				head = bare + " "
			case strings.HasSuffix(bare, ":") && !begun && topicRules().Pointing.MatchString(bare):
				pointing = strings.TrimRight(bare, ":") + "."
			case strings.HasSuffix(bare, ":"):
				out, head = append(out, strings.TrimRight(bare, ":")+"."), ""
			default:
				out, head = append(out, head+bare), ""
			}
		}
	}
	if len(out) == 0 && pointing != "" {
		return []string{pointing}
	}
	return out
}

// minProse is how many words a line of a form has that is no mere value.
const minProse = 4

// isValue reports whether bare is a line of a form that only fills in a field.
func isValue(bare string) bool {
	return len(strings.Fields(bare)) < minProse || len(bare) <= maxLabel && topicRules().Named.MatchString(bare)
}

// bareLine returns a line without its marks, "" if nobody wrote it in prose.
func bareLine(line string) string {
	words := WithoutMark(Unmark(line))
	bare := withoutSymbols(ItemWords(withoutLabel(line)))
	switch {
	case bare == "", IsDivider(line), words != ItemWords(line), isForeign(bare), topicRules().HeadingOnly.MatchString(bare):
		return ""
	}
	return bare
}

// withoutLabel drops the label that sorts a topic: "[Bug]:".
func withoutLabel(line string) string { return topicRules().Label.ReplaceAllString(line, "") }

// withoutPoliteness drops "hey Bob," and "understood." from the beginning.
func withoutPoliteness(sentence string) string {
	for {
		rest := strings.TrimSpace(sentence[len(topicRules().Polite.FindString(sentence)):])
		if rest == sentence || rest == "" {
			return rest
		}
		sentence = rest
	}
}

// firstSentences returns as many of the first sentences as a title holds, the
// first one shortened if need be; one is enough if it is not short.
func firstSentences(sentences []string) string {
	title := ""
	for _, s := range sentences {
		switch {
		case title == "":
			title = clipTitle(s)
		case len(title) < minTopic && len(title)+1+len(s) <= maxTitle:
			if !strings.ContainsAny(title[len(title)-1:], ".!?:") {
				title += "."
			}
			title += " " + s
		default:
			return title
		}
	}
	return title
}

// clipTitle shortens a sentence to a title, at the end of a clause if that says
// enough.
func clipTitle(s string) string {
	if len(s) <= maxTitle {
		return s
	}
	if _, clause := clauseEnds(s, maxTitle); clause >= minTopic {
		return s[:clause]
	}
	return ClipWords(s, maxTitle)
}

// Question returns the last question of a reply, in at most n bytes, "" if it
// ends with none: its last paragraph has it.
func Question(reply string, n int) string {
	paragraphs := Paragraphs(reply)
	for i := len(paragraphs) - 1; i >= max(0, len(paragraphs)-2); i-- {
		sentences := Sentences(strings.Join(paragraphs[i], "\n"))
		for j := len(sentences) - 1; j >= 0; j-- {
			if strings.HasSuffix(sentences[j], "?") {
				return clipFront(tidyQuestion(sentences[j]), n)
			}
		}
	}
	return ""
}

func tidyQuestion(s string) string { return withoutPoliteness(withoutSymbols(ItemWords(s))) }

// clipFront shortens a question to n bytes by its beginning: what it asks
// stands at its end.
func clipFront(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n+len("…"):]
	if i := strings.IndexByte(s, ' '); i >= 0 {
		s = s[i+1:]
	}
	return "…" + strings.ToValidUTF8(s, "")
}

// isFieldText reports whether a field of a form has words, or is empty, or says that they follow.
func isFieldText(s string) bool {
	switch s {
	case "", "|", ">":
		return true
	}
	return strings.Contains(s, " ")
}
