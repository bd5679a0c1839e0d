// Package prose reads what people and models write: which sentences of a
// prompt its author wrote, what a reply comes to, which words name something.
// It reads words alone and knows neither turns nor memories.
package prose

import (
	_ "embed"
	"strings"
	"unicode"

	"recollect/internal/text/rule"
)

// Bounds of what is looked at in a prompt. What is longer was pasted: its
// author's own words stand at the beginning and at the end.
const (
	maxProse      = 2000 // bytes of a prompt that is read whole
	proseHead     = 600
	proseTail     = 400
	maxStatements = 300 // sentences; more than anybody types at once
	proseWords    = 20  // of a line that is prose, even if it names code: "no std::vector"
	wrapped       = 50  // a line of this length may go on in the next one
)

// Attributed reports whether a sentence says what somebody else says: "Tom writes that we use
// tabs", "the README says: …".
func Attributed(sentence string) bool {
	rules := statementRules()
	return rules.Attributed.MatchString(sentence) && !rules.Own.MatchString(sentence)
}

// OwnSentences returns the sentences that the author of a prompt wrote themselves, as they stand there, the shortest too:
// no code, log, quotation or list of a pasted document. The prompt is one of which WithoutElements left this.
func OwnSentences(own string) []string {
	var all []string
	for _, p := range ownLines(fencesQuoted(own)) {
		for _, s := range Whole(Sentences(p)) {
			all = append(all, splitAt(s)...)
		}
	}
	return all[:min(len(all), maxStatements)]
}

//go:embed rules/said.toml
var statementText string

// statementRules separate a person's own words from what they pasted, quoted or put
// before them.
var statementRules = rule.Read[statementTables](statementText)

type statementTables struct {
	rule.Header
	Careless     *rule.Rule `toml:"careless"`
	Pasted       rule.Set   `toml:"pasted"`
	CodeLike     rule.Set   `toml:"code-like"`
	Announcement rule.Set   `toml:"announcement"`
	Attributed   rule.Set   `toml:"attributed"`
	Own          *rule.Rule `toml:"own"`
	OfText       *rule.Rule `toml:"of-text"`
	Lead         rule.Set   `toml:"lead"`
	Meaningful   rule.Set   `toml:"kept"`
	Quotation    rule.Set   `toml:"quotation"`
	Forwarded    rule.Set   `toml:"forwarded"`
}

// splitAt cuts a sentence where one ends that the next does not begin like one.
func splitAt(sentence string) []string {
	if !strings.Contains(sentence, ". ") {
		return []string{sentence}
	}
	return strings.Split(statementRules().Careless.ReplaceAllString(sentence, "$1\n$2"), "\n")
}

// Whole joins sentences that a colon divided.
func Whole(list []string) []string {
	var out []string
	for _, s := range list {
		if n := len(out); n > 0 && strings.HasSuffix(out[n-1], ":") {
			out[n-1] += " " + s
		} else {
			out = append(out, s)
		}
	}
	return out
}

// OwnLength returns how many bytes of what WithoutElements left of a prompt are its author's: of lines that do not look
// like a paste.
func OwnLength(own string) int {
	n := 0
	for _, paragraph := range Paragraphs(own) {
		for _, line := range paragraph {
			if !isForeign(line) {
				n += len(line) + 1
			}
		}
	}
	return n
}

// ownLines returns the lines of ordinary prose, a wrapped one as one. Those behind a line that
// announces somebody else's words are not its author's, unless a quotation follows it, which
// shows where they end.
func ownLines(prompt string) []string {
	var out []string
	at, begin, announced := 0, true, false
	long := len(prompt) > maxProse
	for _, paragraph := range Paragraphs(prompt) {
		begin = true
		for _, line := range paragraph {
			start := at + max(0, strings.Index(prompt[at:], line))
			at = start + len(line)
			if announced && !strings.HasPrefix(line, ">") {
				return out
			}
			announced = false
			middle := start > proseHead && start < len(prompt)-proseTail
			isOfPaste := middle || IsListed(line) || strings.HasPrefix(line, "#")
			if long && isOfPaste || isForeign(line) {
				begin = true
				continue
			}
			if n := len(out); !begin && len(out[n-1]) >= wrapped && goesOn(out[n-1], line) {
				out[n-1] += " " + line
			} else {
				out = append(out, WithoutMark(line))
			}
			begin, announced = false, announcesPaste(line)
		}
	}
	return out
}

// goesOn reports whether a line goes on in the next one.
func goesOn(line, next string) bool {
	return !strings.ContainsAny(line[len(line)-1:], ".!?:;") && !IsListed(next) && unicode.IsLower([]rune(next)[0])
}

// WithoutMark drops what makes a line an item of a list or bold.
func WithoutMark(line string) string {
	if IsListed(line) {
		_, line, _ = strings.Cut(line, " ")
	}
	return Unmark(line)
}

// mayBeCode reports whether line is a line with one of the marks of code.
func mayBeCode(line string) bool {
	return strings.ContainsAny(line, ";{}=:()") || strings.HasSuffix(line, ",") || strings.Contains(line, " import")
}

// isForeign reports whether a line was pasted: a log, code, a statementRules().Quotation, a table.
func isForeign(line string) bool {
	if statementRules().Pasted.MatchString(line) {
		return true
	}
	if mayBeCode(line) && len(strings.Fields(line)) < proseWords && statementRules().CodeLike.MatchString(line) {
		return true
	}
	letters := 0
	for _, r := range line {
		if unicode.IsLetter(r) || unicode.IsMark(r) || r == ' ' {
			letters++
		}
	}
	return len(line) > 20 && letters*10 < len([]rune(line))*7
}

func announcesPaste(line string) bool {
	mayAnnounce := strings.HasSuffix(line, ":") || strings.Contains(line, "eview for")
	return mayAnnounce && statementRules().Announcement.MatchString(line) || statementRules().OfText.MatchString(line)
}

// WithoutLead drops "ok, so please" and the like from the beginning.
func WithoutLead(text string) string {
	for !statementRules().Meaningful.MatchString(text) {
		rest := text[len(statementRules().Lead.FindString(text)):]
		if rest == text {
			break
		}
		text = strings.TrimSpace(rest)
	}
	return text
}

// WithoutQuotes returns a text with an ellipsis in place of what it quotes.
func WithoutQuotes(text string) string {
	return statementRules().Quotation.ReplaceAllString(text, "…")
}
