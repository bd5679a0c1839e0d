package consolidate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// A statement is what a decision or a wish says, divided into parts to find what a later
// one changes of it.
type statement struct {
	clauses      []clause
	asked        []string // the words of the question that it answers
	topic        []string // the words of the topic that it names
	about        []string // those of the question, of the topic that it names, and of what its turn said beside it
	options      bool     // the question names what one may choose
	words        []string // the words of the clauses
	chosen       []string // those and the numbers
	all          []string // those of its clauses and what it is about
	scope        []string // the words that say where it holds
	changes      bool     // announces that something changes
	whole        bool     // a rule given anew as a whole
	stays        bool     // says that something stays as it was
	aboutSession announcement
	givenUp      []phrase // in whose place it comes
	denied       [][]string
	precedents   map[string][]string // the words right before each word: what kind of thing it is
}

// A phrase is what a statement names of an earlier one.
type phrase struct {
	words []string
	label bool // the name of the whole rule, which it need not spell
}

// A clause is a sentence, or a part of one that can stand alone.
type clause struct {
	tokens   []token
	words    []string // those of the tokens
	content  []string // those and the numbers
	scope    []string // those that say where it holds
	negative bool
	opening  *clause // up to its first comma or colon, nil if it has none
	chooses  bool    // begins like a choice of one of several
}

// A token is a word that says something, with the number before it, or one
// that joins others.
type token struct {
	word   string // its stem; empty for a number alone
	number string
	joins  bool
}

// partsOf returns what a memory says, in lower case, the question that it
// answers and the topic that it names, where there is one.
func partsOf(m memory.Memory) (said, question, topic string) {
	text := strings.ToLower(strings.ReplaceAll(withoutFrame(m), "’", "'"))
	if said, question, ok := strings.Cut(text, memory.TitleAsked); ok {
		return said, question, ""
	}
	if said, topic, ok := strings.Cut(text, memory.TitleTopic); ok {
		return said, "", topic
	}
	if question, said, ok := strings.Cut(text, " → "); ok {
		return said, question, ""
	}
	return text, "", ""
}

// alternately stands in a question between the things that one may choose.
var alternately = [...]string{" or ", " oder ", " ou ", " o "}

// statementOf parses what a memory says.
func statementOf(m memory.Memory) *statement {
	answer, question, topic := partsOf(m)
	rules := amendmentRules()
	s := &statement{options: prose.ContainsAny(question, alternately[:]), precedents: kindsIn(answer)}
	evidence, announced := strings.ToLower(m.Evidence), false
	if !strings.Contains(evidence, answer) {
		evidence = answer + "\n" + evidence
	}
	words := prose.PlainWords(evidence)
	if hasAny(words, hints.changing) {
		announced = rules.Changing.MatchString(evidence)
	}
	s.changes = announced && !rules.Beside.MatchString(answer)
	s.readAnnouncement(evidence, words)
	s.readRejections(evidence, words)
	s.readAlternatives(m.Fields["alternatives"])
	s.asked = plainWords(question)
	if slices.Contains(m.Tags, memory.TagRecap) {
		answer = strings.ReplaceAll(answer, ", ", "; ")
	}
	for _, part := range clausesOf(answer, announced) {
		if c := newClause(part); len(c.content) > 0 {
			if short := openingOf(part); short != part {
				opening := newClause(short)
				c.opening = &opening
			}
			s.clauses = append(s.clauses, c)
			s.words, s.chosen, s.scope = append(s.words, c.words...), append(s.chosen, c.content...), append(s.scope, c.scope...)
		}
	}
	s.words, s.chosen, s.scope = prose.SortedSet(s.words), prose.SortedSet(s.chosen), prose.SortedSet(s.scope)
	s.topic = prose.SortedSet(plainWords(topic))
	s.about = prose.SortedSet(slices.Concat(s.asked, s.topic))
	s.all = prose.SortedSet(slices.Concat(s.words, s.about))
	return s
}

// kindsIn lists the words that stand right before each word of a text.
func kindsIn(text string) map[string][]string {
	out := map[string][]string{}
	last := ""
	for _, t := range tokensOf(text) {
		if last != "" && !t.joins && t.word != "" {
			out[t.word] = append(out[t.word], last)
		}
		last = t.word
		if t.joins || t.number != "" {
			last = ""
		}
	}
	return out
}

// plainWords lists the words of a text without its numbers.
func plainWords(text string) []string {
	var out []string
	for _, t := range tokensOf(text) {
		out = appendWord(out, t)
	}
	return prose.SortedSet(out)
}

func hasAny(words []string, set map[string]bool) bool {
	return slices.ContainsFunc(words, func(word string) bool { return set[word] })
}

// readRejections notes what a text of these words gives up or denies.
func (s *statement) readRejections(text string, words []string) {
	rules := amendmentRules()
	if hasAny(words, hints.givenUp) {
		for _, r := range rules.GivenUp {
			for _, named := range namedBy(r, text) {
				s.givenUp = append(s.givenUp, phrase{words: named})
			}
		}
	}
	if hasAny(words, hints.rule) {
		s.whole = rules.WholeRule.MatchString(text)
		for _, named := range namedBy(rules.Superseded, text) {
			s.givenUp = append(s.givenUp, phrase{words: named, label: true})
		}
	}
	if hasAny(words, hints.denied) {
		s.denied = namedBy(rules.Denied, text)
	}
}

// namedBy lists the words of each thing that a rule finds in a text, but for those that it finds
// behind a negation in the same clause: "we decided not to move off MySQL".
func namedBy(r *rule.Rule, text string) [][]string {
	var out [][]string
	for from := 0; from < len(text); {
		at := r.FindStringSubmatchIndex(text[from:])
		if at == nil {
			break
		}
		begin, thing := from+at[0], text[from+at[len(at)-2]:from+at[len(at)-1]]
		from += max(at[1], 1)
		if words := wordsOf(strings.ReplaceAll(thing, "-", " ")); len(words) > 0 && !endsInNegation(text[:begin]) {
			for i, word := range words {
				words[i] = cmp.Or(kindNames[word], word)
			}
			out = append(out, prose.SortedSet(words))
		}
	}
	return out
}

// endsInNegation reports whether the clause that a text ends in has a negation, or says what might be.
func endsInNegation(text string) bool {
	clause := text[strings.LastIndexAny(text, ",;:.!?\n")+1:]
	return slices.ContainsFunc(prose.PlainWords(clause), func(word string) bool { return isNegation(word) || unreal[word] })
}

// readAlternatives notes what was rejected when s was said.
func (s *statement) readAlternatives(alternatives string) {
	for _, part := range strings.FieldsFunc(strings.ToLower(alternatives), func(r rune) bool { return strings.ContainsRune(";\n", r) }) {
		if words := wordsOf(part); len(words) > 0 {
			s.givenUp = append(s.givenUp, phrase{words: words})
		}
	}
}

// clausesOf cuts a text into what can stand alone. Where a change is announced,
// the words that do so, and a short label that has them, are left out.
func clausesOf(text string, announced bool) []string {
	var out []string
	for _, sentence := range prose.Sentences(text) {
		for part := range strings.SplitSeq(dashes.Replace(sentence), ";") {
			if announced {
				sign := amendmentRules().Changing
				if label, rest, ok := strings.Cut(part, ": "); ok && sign.MatchString(label) && len(wordsOf(sign.ReplaceAllString(label, " "))) < minShared {
					part = rest
				}
				part = sign.ReplaceAllString(part, " ")
			}
			out = append(out, strings.TrimLeft(part, " ,:"))
		}
	}
	return out
}

// dashes join what can stand alone.
var dashes = strings.NewReplacer(" — ", ";", " – ", ";", " - ", ";")

func newClause(text string) clause {
	c := clause{tokens: tokensOf(text), chooses: amendmentRules().Choosing.MatchString(text), negative: slices.ContainsFunc(prose.PlainWords(text), isNegation)}
	scoped := false
	for _, t := range c.tokens {
		if t.joins {
			scoped = places[t.word] || scoped && !manners[t.word]
			continue
		}
		c.words = appendWord(c.words, t)
		if scoped {
			c.scope = appendWord(c.scope, t)
		}
	}
	c.words, c.scope = prose.SortedSet(c.words), prose.SortedSet(c.scope)
	c.content = slices.Clone(c.words)
	for _, t := range c.tokens {
		c.content = appendNumber(c.content, t)
	}
	c.content = prose.SortedSet(c.content)
	return c
}

// isNegation reports whether a word turns a clause into its opposite.
func isNegation(word string) bool { return denials[word] || strings.HasSuffix(word, "n't") }

// readings are the clause and, where it has one, its opening.
func (c *clause) readings() []*clause {
	if c.opening == nil {
		return []*clause{c}
	}
	return []*clause{c, c.opening}
}

// openingOf returns the clause up to its first comma or colon.
func openingOf(text string) string {
	if i := strings.IndexAny(text, ",:"); i > 0 && i+1 < len(text) && text[i+1] == ' ' {
		return text[:i]
	}
	return text
}

// wordsOf lists the words and numbers of a phrase.
func wordsOf(text string) []string {
	var out []string
	for _, t := range tokensOf(text) {
		out = appendNumber(appendWord(out, t), t)
	}
	return prose.SortedSet(out)
}

func appendWord(list []string, t token) []string {
	if t.joins || t.word == "" {
		return list
	}
	return append(list, t.word)
}

// appendNumber appends the number of a token, with its unit and without.
func appendNumber(list []string, t token) []string {
	if t.number == "" {
		return list
	}
	bare, _, _ := strings.Cut(t.number, " ")
	return append(list, "#"+bare, "#"+t.number)
}

// tokensOf reads the words of a text that say something or join others. A
// number belongs to the word that follows, else to the one before it.
func tokensOf(text string) []token {
	var out []token
	number := ""
	flush := func() {
		if number == "" {
			return
		}
		if n := len(out); n > 0 && !out[n-1].joins && out[n-1].number == "" {
			out[n-1].number = number
		} else {
			out = append(out, token{number: number})
		}
		number = ""
	}
	for _, word := range prose.PlainWords(text) {
		value, unit := splitAmount(word)
		if value != "" {
			flush()
			if number = value; unit == "" {
				continue
			}
			word = unit
		}
		switch {
		case joining[word]:
			flush()
			out = append(out, token{word: word, joins: true})
		case silent[word], empty[word], negations[word], strings.HasSuffix(word, "n't"):
		default:
			t := token{word: stemOf(word), number: number}
			if kind := unitKinds[word]; kind != "" && number != "" {
				t.word, t.number = kind, number+" "+stemOf(word)
			}
			out, number = append(out, t), ""
		}
	}
	flush()
	return out
}

// splitAmount splits a word that begins with digits, or names a number.
func splitAmount(word string) (value, unit string) {
	if n := numerals[word]; n != "" {
		return n, ""
	}
	i := 0
	for i < len(word) && isInNumber(word[i], i == 0) {
		i++
	}
	if i == 0 || !isUnit(word[i:]) {
		return "", ""
	}
	return strings.TrimRight(word[:i], ".,:"), word[i:]
}

// isInNumber reports whether c may be part of a number: a digit, or a sign within.
func isInNumber(c byte, isFirst bool) bool {
	if c >= '0' && c <= '9' {
		return true
	}
	return !isFirst && strings.IndexByte(".,:", c) >= 0
}

// isUnit reports whether s, behind a number, is nothing or may be its unit.
func isUnit(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || unicode.IsLetter(r) || r == '%'
}
