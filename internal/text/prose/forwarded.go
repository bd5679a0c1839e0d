package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/text/rule"
)

// withoutForwarded returns a prompt without the messages of somebody else that were forwarded or
// pasted: from the line that says so, or the first of a dialog, up to the end. Where the message
// stands in quotes or as a quotation, that shows where it ends. Below a divider its author may write
// again.
func withoutForwarded(prompt string) string {
	var own strings.Builder
	at, dialog := 0, dialogAt(prompt)
	quoting := false
	for line := range strings.Lines(prompt) {
		text, rest := strings.TrimSpace(line), prompt[at+len(line):]
		switch quote := strings.HasPrefix(text, ">"); {
		case at == dialog, !quote && announcesForwarded(text) && !quotesFurther(text, rest):
			if strings.TrimSpace(own.String()) == "" {
				return lastParagraph(prompt[at:])
			}
			return own.String()
		case !quote && announcesForwarded(text):
			own.WriteString("\n")
			quoting = !inQuotes(text)
		case quoting && (quote || text == ""):
			own.WriteString("\n")
		default:
			own.WriteString(line)
			quoting = false
		}
		at += len(line)
	}
	return own.String()
}

// inQuotes reports whether what stands behind the colon of a line is in quotes that end with it.
func inQuotes(line string) bool {
	_, said, ok := strings.Cut(line, ":")
	said = strings.TrimRight(strings.TrimSpace(said), " .")
	if !ok || said == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(said)
	last, _ := utf8.DecodeLastRuneInString(said)
	return len(said) > 1 && strings.ContainsRune("\"'“„«", first) && strings.ContainsRune("\"'”“»", last)
}

// beginsQuote reports whether a text begins with a quotation.
func beginsQuote(text string) bool { return strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), ">") }

// longestHead bounds the line with which a message begins, in bytes, as far as it is looked at.
const longestHead = 300

// announcesForwarded reports whether somebody else's message begins with a line.
func announcesForwarded(line string) bool {
	line = line[:min(len(line), longestHead)]
	if line == "" || !statementRules().Forwarded.MatchString(line) || statementRules().Own.MatchString(line) {
		return false
	}
	words := strings.TrimLeftFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
	return words == line || !statementRules().Pasted.MatchString(words) // a log has times and names, too
}

// spoken is a line of a dialog: who speaks, and what.
var spoken = rule.Lazy(`^[\s>]*@?(\p{L}[\p{L}\d._-]{1,20}(?: \p{L}[\p{L}._-]{0,20})?): \S`)

// dialogAt returns where a dialog begins: lines of at least two speakers of whom one speaks again.
// Labels of a form stand once each. It is -1 if there is none.
func dialogAt(prompt string) int {
	at, begin, again := 0, -1, false
	speakers := map[string]bool{}
	for line := range strings.Lines(prompt) {
		if found := spoken.FindStringSubmatch(line); found != nil {
			again = again || speakers[found[1]]
			speakers[found[1]] = true
			if begin < 0 {
				begin = at
			}
		}
		at += len(line)
	}
	if len(speakers) < 2 || !again {
		return -1
	}
	return begin
}

// WithoutQuoted returns a prompt without the lines that are quoted as in a mail.
func WithoutQuoted(prompt string) string {
	if !strings.Contains(prompt, ">") {
		return prompt
	}
	var b strings.Builder
	for line := range strings.Lines(prompt) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// quotesFurther reports whether what a line forwards stands in quotes, on it or below it.
func quotesFurther(line, rest string) bool { return inQuotes(line) || beginsQuote(rest) }
