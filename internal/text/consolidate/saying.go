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

// A saying is what a decision or a wish says, taken apart to find what a later
// one changes of it.
type saying struct {
	clauses []clause
	asked   []string // the words of the question that it answers
	matter  []string // those of the matter that it names
	about   []string // those of the question, of the matter that it names, and of what its turn said beside it
	options bool     // the question names what one may choose
	said    []string // the words of the clauses
	chosen  []string // those and the numbers
	all     []string // those of its clauses and what it is about
	scope   []string // the words that say where it holds
	changes bool     // announces that something changes
	whole   bool     // a rule given anew as a whole
	stays   bool     // says that something stays as it was
	session announcement
	givenUp []phrase // in whose place it comes
	denied  [][]string
	before  map[string][]string // the words right before each word: what kind of thing it is
}

// A phrase is what a saying names of an earlier one.
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
// answers and the matter that it names, where there is one.
func partsOf(m memory.Memory) (said, question, matter string) {
	text := strings.ToLower(strings.ReplaceAll(unframed(m), "’", "'"))
	if said, question, ok := strings.Cut(text, memory.TitleAsked); ok {
		return said, question, ""
	}
	if said, matter, ok := strings.Cut(text, memory.TitleMatter); ok {
		return said, "", matter
	}
	if question, said, ok := strings.Cut(text, " → "); ok {
		return said, question, ""
	}
	return text, "", ""
}

// alternately stands in a question between what one may choose.
var alternately = [...]string{" or ", " oder ", " ou ", " o "}

// sayingOf takes apart what a memory says.
func sayingOf(m memory.Memory) *saying {
	answer, question, matter := partsOf(m)
	rules := amendmentRules()
	s := &saying{options: prose.ContainsAny(question, alternately[:]), before: kindsIn(answer)}
	told, announced := strings.ToLower(m.Evidence), false
	if !strings.Contains(told, answer) {
		told = answer + "\n" + told
	}
	words := prose.PlainWords(told)
	if hasAny(words, hints.cue) {
		announced = rules.Cue.MatchString(told)
	}
	s.changes = announced && !rules.Beside.MatchString(answer)
	s.announce(told, words)
	s.reject(told, words)
	s.preferred(m.Fields["alternatives"])
	s.asked = plainWords(question)
	if slices.Contains(m.Tags, memory.TagRecap) {
		answer = strings.ReplaceAll(answer, ", ", "; ")
	}
	for _, part := range clausesOf(answer, announced) {
		if c := newClause(part); len(c.content) > 0 {
			if short := first(part); short != part {
				opening := newClause(short)
				c.opening = &opening
			}
			s.clauses = append(s.clauses, c)
			s.said, s.chosen, s.scope = append(s.said, c.words...), append(s.chosen, c.content...), append(s.scope, c.scope...)
		}
	}
	s.said, s.chosen, s.scope = prose.SortedSet(s.said), prose.SortedSet(s.chosen), prose.SortedSet(s.scope)
	s.matter = prose.SortedSet(plainWords(matter))
	s.about = prose.SortedSet(slices.Concat(s.asked, s.matter))
	s.all = prose.SortedSet(slices.Concat(s.said, s.about))
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

// reject notes what a text of these words gives up or denies.
func (s *saying) reject(text string, words []string) {
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
		if words := wordsOf(strings.ReplaceAll(thing, "-", " ")); len(words) > 0 && !deniedIn(text[:begin]) {
			for i, word := range words {
				words[i] = cmp.Or(kindNames[word], word)
			}
			out = append(out, prose.SortedSet(words))
		}
	}
	return out
}

// deniedIn reports whether the clause that a text ends in has a negation, or says what might be.
func deniedIn(text string) bool {
	clause := text[strings.LastIndexAny(text, ",;:.!?\n")+1:]
	return slices.ContainsFunc(prose.PlainWords(clause), func(word string) bool { return denies(word) || unreal[word] })
}

// preferred notes what was rejected when s was said.
func (s *saying) preferred(alternatives string) {
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
				cue := amendmentRules().Cue
				if label, rest, ok := strings.Cut(part, ": "); ok && cue.MatchString(label) && len(wordsOf(cue.ReplaceAllString(label, " "))) < minShared {
					part = rest
				}
				part = cue.ReplaceAllString(part, " ")
			}
			out = append(out, strings.TrimLeft(part, " ,:"))
		}
	}
	return out
}

// dashes join what can stand alone.
var dashes = strings.NewReplacer(" — ", ";", " – ", ";", " - ", ";")

func newClause(text string) clause {
	c := clause{tokens: tokensOf(text), chooses: amendmentRules().Choosing.MatchString(text), negative: slices.ContainsFunc(prose.PlainWords(text), denies)}
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

// denies reports whether a word turns a clause into its opposite.
func denies(word string) bool { return denials[word] || strings.HasSuffix(word, "n't") }

// readings are the clause and, where it has one, its opening.
func (c *clause) readings() []*clause {
	if c.opening == nil {
		return []*clause{c}
	}
	return []*clause{c, c.opening}
}

// first returns the clause up to its first comma or colon.
func first(text string) string {
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
		value, unit := amount(word)
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
		case silent[word] || empty[word] || negations[word] || strings.HasSuffix(word, "n't"):
		default:
			t := token{word: stem(word), number: number}
			if kind := unitKinds[word]; kind != "" && number != "" {
				t.word, t.number = kind, number+" "+stem(word)
			}
			out, number = append(out, t), ""
		}
	}
	flush()
	return out
}

// amount splits a word that begins with digits, or names a number.
func amount(word string) (value, unit string) {
	if n := numerals[word]; n != "" {
		return n, ""
	}
	i := 0
	for i < len(word) && (word[i] >= '0' && word[i] <= '9' || i > 0 && strings.IndexByte(".,:", word[i]) >= 0) {
		i++
	}
	r, _ := utf8.DecodeRuneInString(word[i:])
	if i == 0 || i < len(word) && !unicode.IsLetter(r) && r != '%' {
		return "", ""
	}
	return strings.TrimRight(word[:i], ".,:"), word[i:]
}
