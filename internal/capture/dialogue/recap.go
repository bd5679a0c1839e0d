package dialogue

import (
	"strings"

	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
	"recollect/internal/text/sentence"
)

// A Recap is what a reply says was settled so far.
type Recap struct {
	About    string // what it is about, "" if it does not say
	Clauses  []string
	Evidence string // the sentence that it begins with
}

// maxRecap bounds the clauses of a recap, in bytes.
const maxRecap = 1400

// ReadRecap returns the last recap in the replies of a turn. A summary is none: most tell what Claude did.
func ReadRecap(replies []*sentence.Text) (Recap, bool) {
	for i := len(replies) - 1; i >= 0; i-- {
		if r, ok := recapIn(replies[i].Said()); ok {
			return r, true
		}
	}
	return Recap{}, false
}

// recapIn returns the last recap in a reply.
func recapIn(reply string) (Recap, bool) {
	paragraphs := prose.Paragraphs(reply)
	for i := len(paragraphs) - 1; i >= 0; i-- {
		for j, line := range paragraphs[i] {
			sentences := prose.Whole(prose.Sentences(prose.WithoutMark(line)))
			for k, sentence := range sentences {
				head := recapHead(sentence)
				if head == "" {
					continue
				}
				r := Recap{About: aboutOf(head), Evidence: sentence}
				rest := append([]string{strings.TrimSpace(sentence[len(head):])}, sentences[k+1:]...)
				if !strings.HasSuffix(head, ":") && !strings.HasSuffix(head, ".") {
					rest[0], r.About = sentence, ""
				}
				r.addSentences(rest)
				r.addLines(paragraphs[i][j+1:], paragraphs[i+1:])
				return r, len(r.Clauses) > 0
			}
		}
	}
	return Recap{}, false
}

// recapHead returns the words that a recap begins with, "" if a sentence
// begins none.
func recapHead(sentence string) string {
	rules := agreementRules()
	plain := sentence[len(rules.Acknowledged.FindString(sentence)):]
	for _, text := range []string{sentence, plain} {
		if head := rules.Recap.FindString(text); head != "" {
			return sentence[:len(sentence)-len(text)+len(head)]
		}
	}
	return ""
}

// aboutOf returns what a recap is about, given the words that it begins with.
func aboutOf(head string) string {
	for _, word := range []string{" of ", " for ", " on ", " about "} {
		if before, about, ok := strings.Cut(head, word); ok && !strings.HasSuffix(before, " place") {
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(about, ": "), " then"))
		}
	}
	return ""
}

// addLines adds what follows in the lines of the same paragraph, and the list
// in the one after it.
func (r *Recap) addLines(lines []string, after [][]string) {
	if len(after) > 0 && len(after[0]) > 0 && prose.IsListed(after[0][0]) {
		lines = append(lines[:len(lines):len(lines)], after[0]...)
	}
	theirs := "" // the line that says who says what follows
	for _, line := range lines {
		text := prose.WithoutMark(line)
		switch {
		case prose.Attributed(text):
			theirs = ""
			if strings.HasSuffix(text, ":") {
				theirs = line
			}
		case theirs == "" || sameList(line, theirs):
			theirs = ""
			r.addSentences(prose.Whole(prose.Sentences(text)))
		}
	}
}

// sameList reports whether a line is an item of the list that another one belongs to.
func sameList(line, other string) bool {
	digit := func(s string) bool { return strings.ContainsAny(s[:1], "0123456789") }
	return prose.IsListed(line) && prose.IsListed(other) && digit(line) == digit(other)
}

// addSentences adds sentences, without what is only asked, is still to do or is what somebody else says.
func (r *Recap) addSentences(sentences []string) {
	size := 0
	for _, c := range r.Clauses {
		size += len(c)
	}
	for _, s := range sentences {
		s = strings.Trim(s, " .;")
		if s == "" || size+len(s) > maxRecap || !isSettled(s) {
			continue
		}
		r.Clauses = append(r.Clauses, s)
		size += len(s)
	}
}

// isSettled reports whether a sentence neither asks, nor says what is still to do or what somebody else says.
func isSettled(s string) bool {
	return !strings.HasSuffix(s, "?") && !prose.Attributed(s) && !agreementRules().Outlook.MatchString(s)
}

// Restated returns the sentences at the beginning of a reply that repeat, after
// a word that acknowledges it, what the user settled, "" if there are none.
func Restated(reply string) string {
	rules := agreementRules()
	paragraphs := prose.Paragraphs(reply)
	if len(paragraphs) == 0 || len(paragraphs[0]) == 0 {
		return ""
	}
	sentences := prose.Whole(prose.Sentences(prose.Fold(strings.Join(paragraphs[0], " "))))
	lead := rules.Acknowledged.FindString(sentences[0])
	if lead == "" {
		return ""
	}
	sentences[0] = strings.TrimSpace(sentences[0][len(lead):])
	var out []string
	for _, s := range sentences[:min(len(sentences), 3)] {
		if strings.HasSuffix(s, "?") || isAboutWork(s) {
			break
		}
		if s != "" {
			out = append(out, s)
		}
	}
	return prose.Clip(strings.TrimRight(strings.Join(out, " "), " ."), maxSentence)
}

// isAboutWork reports whether s is a sentence of Claude's about how things are, or about what it
// does next.
func isAboutWork(s string) bool {
	rules := agreementRules()
	if rules.Proposal.MatchString(s) || rules.Report.MatchString(s) {
		return true
	}
	return rules.Order.MatchString(s) && !rules.Firm.MatchString(s)
}

// RecapRule returns the rule that takes a sentence for the beginning of a recap.
func RecapRule(sentence string) *rule.Rule {
	rules := agreementRules()
	plain := sentence[len(rules.Acknowledged.FindString(sentence)):]
	for _, text := range []string{sentence, plain} {
		if by := rules.Recap.First(text); by != nil {
			return by
		}
	}
	return &rule.Rule{}
}
