// Package prose reads what people and models write: which sentences of a
// prompt its author wrote, what a reply comes to, which words name something.
// It looks at words alone and knows neither turns nor memories.
//
// A remark is a sentence that somebody wrote themselves.
package prose

import (
	"strings"
	"unicode"

	"recollect/internal/rule"
)

// Bounds of what is looked at in a prompt. What is longer was pasted: its
// author's own words stand at the beginning and at the end.
const (
	maxProse    = 2000 // bytes of a prompt that is read whole
	proseHead   = 600
	proseTail   = 400
	maxSentence = 240
	maxRemarks  = 300 // sentences; more than anybody types at once
	minSentence = 8
	wrapped     = 50 // a line of this length may go on in the next one
)

// A Remark is one sentence that somebody wrote themselves.
type Remark struct {
	Text string // as it was written
	Bare string // lower case, without what only leads in to it and what it quotes
	Lead string // what leads in to it: "ok, agreed:", in lower case
	Next string // the sentence after it
}

// Said returns the sentences that the author of a prompt wrote themselves: no
// code, log, quotation or list of a pasted document, nor what a tag encloses.
func Said(prompt string) []Remark {
	var all []string
	for _, p := range ownLines(WithoutElements(prompt)) {
		for _, s := range Whole(Sentences(p)) {
			all = append(all, divided(s)...)
		}
	}
	var out []Remark
	for i, text := range all[:min(len(all), maxRemarks)] {
		if len(text) < minSentence || len(text) > maxSentence || strings.ContainsAny(text[:1], "\"'“„«") {
			continue
		}
		say := Remark{Text: withoutLead(text)}
		say.Bare = strings.ToLower(withoutQuotes(say.Text))
		say.Lead = strings.ToLower(strings.TrimSpace(text[:len(text)-len(say.Text)]))
		if i+1 < len(all) {
			say.Next = all[i+1]
		}
		if say.Text != "" {
			out = append(out, say)
		}
	}
	return out
}

// careless is where a sentence ends and the next one begins without a capital.
var careless = rule.Lazy(`((?:[\p{L}\d]{3}|\p{L}\d|\b(?i:ci|db|do|go|in|is|it|me|ok|on|so|to|up|us|ui))[.])\s+(\p{Ll}{2})`)

// divided cuts a sentence where one ends that the next does not begin like one.
func divided(sentence string) []string {
	if !strings.Contains(sentence, ". ") {
		return []string{sentence}
	}
	return strings.Split(careless.ReplaceAllString(sentence, "$1\n$2"), "\n")
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

// ownLines returns the lines of ordinary prose, a wrapped one as one.
func ownLines(prompt string) []string {
	var out []string
	at, begin := 0, true
	long := len(prompt) > maxProse
	for _, paragraph := range Paragraphs(prompt) {
		begin = true
		for _, line := range paragraph {
			start := at + max(0, strings.Index(prompt[at:], line))
			at = start + len(line)
			middle := start > proseHead && start < len(prompt)-proseTail
			if long && (middle || IsListed(line) || strings.HasPrefix(line, "#")) || foreign(line) {
				begin = true
				continue
			}
			if n := len(out); !begin && len(out[n-1]) >= wrapped && goesOn(out[n-1], line) {
				out[n-1] += " " + line
			} else {
				out = append(out, WithoutMark(line))
			}
			begin = false
			if announcesPaste(line) {
				return out
			}
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

// pasted are the beginnings of lines that nobody writes by hand.
var pasted = rule.Lazy(`^(?i)(>|\||\$ |❯|[+]|@@|diff --|at \S+ ?\(|file "|traceback|<|//|/\*|[{}\[\]]|[┃│┌└├╭╰✓✔✗×]|` +
	`(user|agent|assistant|human|claude|system|reviewer):|\d{4}-\d\d-\d\d|\d\d:\d\d|\[?(info|warn|warning|error|debug|fatal|npm err)\b ?[\]!:])`)

// codeLike stands in code, hardly in prose.
var codeLike = rule.Lazy(`[;{},]$|=>|::|\(\)[;.]| [!=]==? |^\w+ = |^(import|from|const|let|var|def|func|class|return|export|public|private) [\w{*]+( =|\(| from| import|;|:$)`)

// mayBeCode reports a line with one of the marks that codeLike looks for.
func mayBeCode(line string) bool {
	return strings.ContainsAny(line, ";{}=:()") || strings.HasSuffix(line, ",") || strings.Contains(line, " import")
}

// foreign reports a line that was pasted: a log, code, a quotation, a table.
func foreign(line string) bool {
	if pasted.MatchString(line) || mayBeCode(line) && codeLike.MatchString(line) {
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

// announcement ends a line after which somebody else's words follow.
var announcement = rule.Lazy(`(?i)\b(feedback|reviews?|reviewer|comments?|says?|said|wrote|writes|errors?|output|logs?|message|issue|ticket|e-?mail|spec|docs|documentation|readme|article|description|text|prompt|conversation|transcript|summary|rückmeldung|fehler|meldung|erreur|mensaje)\b[^:]{0,20}:$|\bcode review for\b`)

func announcesPaste(line string) bool {
	return (strings.HasSuffix(line, ":") || strings.Contains(line, "eview for")) && announcement.MatchString(line)
}

// lead is what only leads in to a sentence.
var lead = rule.Lazy(`^(?i)(?:(?:ok(?:ay)?|alright|right|yes|yeah|yep|yup|sure|great|good|cool|nice|perfect|fine|thanks|thank you|thx|well|so|oh|ah+|hm+|uh|um|hey|hi|hello|sorry|actually|also|and|but|then|now|again|look|listen|btw|by the way|fyi|dude|bro|nah|please|pls|plz|pl[ea]{2}se|kindly|just|claude|important|note|remember|reminder|` +
	`bitte|also|ja|gut|aber|und|s'il te pla[iî]t|s'il vous pla[iî]t|stp|oui|por favor|s[ií]|pero)(?:[\s,.!:;—–-]+|$)|(?:no(?: no)*|nope|nein|non|wait|stop|don't|agreed|deal|fair enough|good (?:point|call|idea)|makes sense|on second thoughts?|scratch that|forget that|in that case|to be clear|einverstanden|abgemacht|d'accord|de acuerdo|vale)\s*[,.!:;—–-]+\s*)`)

// kept are leads that say something where no punctuation follows.
var kept = rule.Lazy(`^(?i)(remember (that|to|we|i|you|never|always)\b|also sprach|good [a-z]+ing|so that\b|just because\b|right[- ]|now that\b|well[- ]|stop [a-z]+ing\b|don't [a-z])`)

// withoutLead drops "ok, so please" and the like from the beginning.
func withoutLead(text string) string {
	for !kept.MatchString(text) {
		rest := text[len(lead.FindString(text)):]
		if rest == text {
			break
		}
		text = strings.TrimSpace(rest)
	}
	return text
}

// quotation is what stands in quotes and is more than a name.
var quotation = rule.Lazy(`"[^"]*\s[^"]*"|“[^”]*\s[^”]*”|«[^»]*\s[^»]*»|„[^“”]*\s[^“”]*[“”]`)

func withoutQuotes(text string) string { return quotation.ReplaceAllString(text, "…") }

// hedges make of a decision or a wish a thought.
var hedges = []string{"maybe", "perhaps", "might ", "i guess", "not sure", "wonder", "what if", "could we", "should we", "should i", "vielleicht", "peut-être", "quizás", "tal vez"}

// Hedged reports whether a sentence, in lower case, is only a thought.
func Hedged(bare string) bool { return ContainsAny(bare, hedges) }
