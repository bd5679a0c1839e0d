package consolidate

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// amends reports whether what s says, if it is newer, takes the place of older:
// it gives up what older chose, answers its question otherwise, gives another
// number or value on the same subject, or says the opposite. Of what says
// several things half must have changed, of a recap more. In doubt it does not.
// What was said in one turn stands together, and a recap sums up its session.
func (s *statement) amends(older *statement) bool {
	if s.saying == nil || older.saying == nil || s.Turn != "" && s.Turn == older.Turn || s.isRecap() && !s.elsewhere(older) {
		return false
	}
	if s.restates(older) || s.saying.answersAnew(older.saying) || s.anotherNumber(older) {
		return true
	}
	if len(s.saying.said) > maxSaid && !s.isRecap() {
		return false
	}
	changed, of := 2*s.contradicted(older), len(older.saying.clauses)
	return changed > of || changed == of && of > 0 && !older.isRecap()
}

// maxSaid is how many different words a decision or a wish has at most: what has more is a text, of which
// some words contradict anything.
const maxSaid = 25

// restates reports whether s is a rule given anew as a whole, of which older,
// of another session, is a part or a former state.
func (s *statement) restates(older *statement) bool {
	if s.saying == nil || older.saying == nil || !s.saying.whole || !s.elsewhere(older) {
		return false
	}
	n := len(shared(s.saying.all, older.saying.said))
	return n >= minShared && 2*n >= len(older.saying.said)
}

// minShared is how many words a rule that is given anew shares at least with
// one that it replaces; they must be half of that one's words.
const minShared = 3

// elsewhere reports whether the two are of different sessions.
func (s *statement) elsewhere(o *statement) bool { return s.Session == "" || s.Session != o.Session }

func (s *statement) isRecap() bool { return slices.Contains(s.Tags, memory.TagRecap) }

// contradicted counts the clauses of older that s changes.
func (s *statement) contradicted(older *statement) int {
	n := 0
	for i := range older.saying.clauses {
		c := &older.saying.clauses[i]
		if s.saying.rejects(older.saying, c, s.elsewhere(older)) || s.saying.changesClause(c, s.saying.otherQuestion(older.saying)) {
			n++
		}
	}
	return n
}

// answersAnew reports whether s gives another answer to the question of older,
// or chooses something else that the question named.
func (s *saying) answersAnew(older *saying) bool {
	if len(older.asked) < 2 {
		return false
	}
	if len(s.asked) > 0 {
		return slices.Equal(s.asked, older.asked) && len(s.clauses) > 0
	}
	if !older.options {
		return false
	}
	for i := range s.clauses {
		for _, c := range s.clauses[i].readings() {
			if len(c.words) >= minShared && !c.negative && len(shared(c.words, older.asked)) > 1 && len(without(c.words, older.all)) == 0 &&
				len(without(c.words, older.said)) > 0 && (len(without(older.said, c.words)) > 0 || s.changes && older.onlyNumber() && c.numbered()) {
				return true
			}
		}
	}
	return false
}

// anotherNumber reports whether s is only another number for what older says.
func (s *statement) anotherNumber(older *statement) bool {
	return s.saying.revises(older.saying) || !s.elsewhere(older) && s.saying.recounts(older.saying)
}

// revises reports whether s only gives another number to what it names as its
// matter, and that is older.
func (s *saying) revises(older *saying) bool {
	return s.revision() && len(older.said) > 1 && 2*len(older.said) >= len(s.matter) && len(without(older.said, s.matter)) == 0 &&
		slices.ContainsFunc(older.clauses, func(o clause) bool { return o.numbered() })
}

// revision reports whether s is another number for the matter that it names.
func (s *saying) revision() bool {
	return len(s.matter) > 0 && len(s.clauses) == 1 && s.clauses[0].numbered() && len(without(s.said, s.matter)) == 0
}

// onlyNumber reports whether s says a number and nothing else.
func (s *saying) onlyNumber() bool {
	return len(s.said) == 0 && len(s.clauses) == 1 && s.clauses[0].numbered()
}

// recounts reports whether s announces a change and gives nothing but another
// number of what older has a number of: "actually 3 boats".
func (s *saying) recounts(older *saying) bool {
	if !s.changes || len(s.clauses) != 1 || len(s.said) == 0 || len(without(s.said, older.said)) > 0 {
		return false
	}
	return slices.ContainsFunc(older.clauses, func(o clause) bool {
		_, other := numbers(s.clauses[0].tokens, o.tokens)
		return named(other) > 0
	})
}

// otherQuestion reports whether the two answer questions that have little to do
// with each other.
func (s *saying) otherQuestion(older *saying) bool {
	if len(s.asked) == 0 || len(older.asked) == 0 {
		return false
	}
	return 2*len(shared(s.asked, older.asked)) < min(len(s.asked), len(older.asked))
}

// rejects reports whether s gives up what a clause of older says. The name of a
// rule need not be spelled in one of another session.
func (s *saying) rejects(older *saying, c *clause, elsewhere bool) bool {
	if len(s.givenUp)+len(s.denied) == 0 || s.apart(older) {
		return false
	}
	chosen := c.content
	for _, words := range older.denied {
		chosen = without(chosen, words)
	}
	if slices.ContainsFunc(s.givenUp, func(p phrase) bool {
		hit := shared(p.words, chosen)
		return len(hit) > 0 && (s.means(p, older, hit, elsewhere) || s.onlyGivesUp(p) && slices.Equal(p.words, without(c.content, c.scope)))
	}) {
		return true
	}
	enough := 2
	if s.changes {
		enough = 1
	}
	return slices.ContainsFunc(s.denied, func(words []string) bool {
		return len(shared(words, chosen)) > 0 && older.missing(words) == 0 && (s.beside(older, words) >= enough || len(words) > 1 && slices.Equal(words, older.chosen))
	})
}

// means reports whether a phrase of which a clause of older has the words hit
// speaks of that clause: nearly all of its words are said there, and either
// something else is too, or it names more than a word, or it is all that one of
// the two says.
func (s *saying) means(p phrase, older *saying, hit []string, elsewhere bool) bool {
	beside := s.beside(older, p.words)
	if elsewhere && p.label && 2*len(hit) >= len(p.words) && beside > 0 {
		return true
	}
	missing := older.missing(p.words)
	if 3*missing > len(p.words) || missing > 0 && len(hit) < 2 {
		return false
	}
	return beside > 0 || len(hit) > 1 && named(p.words) > missing || slices.Equal(p.words, older.chosen) || slices.Equal(p.words, s.chosen)
}

// onlyGivesUp reports whether s says nothing but that something comes in the place of what a phrase
// names, wherever that was chosen: "we switched from Redis to NATS".
func (s *saying) onlyGivesUp(p phrase) bool {
	return len(s.scope) == 0 && named(without(without(s.chosen, p.words), changing)) <= 1
}

// missing counts the words that s neither says nor is about.
func (s *saying) missing(words []string) int {
	return len(without(without(words, s.chosen), s.about))
}

// beside counts the words, besides some, that s and older share.
func (s *saying) beside(older *saying, some []string) int {
	return named(s.sharedKinds(older, without(s.all, some), older.all))
}

// sharedKinds lists the words of a, of s, that are in b, of older, too, but for those of which the
// two name different kinds: the orders database and the sessions database.
func (s *saying) sharedKinds(older *saying, a, b []string) []string {
	return slices.DeleteFunc(shared(a, b), func(word string) bool {
		mine, theirs := s.before[word], older.before[word]
		return len(mine) > 0 && len(theirs) > 0 && !slices.ContainsFunc(mine, func(w string) bool { return slices.Contains(theirs, w) })
	})
}

// apart reports whether s and older each say where they hold, and neither speaks of where the
// other does.
func (s *saying) apart(older *saying) bool {
	return len(s.scope) > 0 && len(older.scope) > 0 &&
		len(s.sharedKinds(older, s.all, older.scope)) == 0 && len(s.sharedKinds(older, s.scope, older.all)) == 0
}

// named counts the words that are neither numbers nor kinds of units.
func named(words []string) int {
	n := 0
	for _, w := range words {
		if !strings.HasPrefix(w, "#") && !strings.HasPrefix(w, "(") {
			n++
		}
	}
	return n
}

// shared and without list the words of a that are, or are not, in b; both are
// sorted.
func shared(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(w string) bool { _, ok := slices.BinarySearch(b, w); return !ok })
}

func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(w string) bool { _, ok := slices.BinarySearch(b, w); return ok })
}

// changesClause reports whether a clause of s changes the clause old. What
// answers another question has to have two numbers of the same kinds.
func (s *saying) changesClause(old *clause, otherQuestion bool) bool {
	for i := range s.clauses {
		for _, n := range s.clauses[i].readings() {
			for _, o := range old.readings() {
				if otherQuestion && n.renumbers(o) || !otherQuestion && n.changes(o, s.changes) {
					return true
				}
			}
		}
	}
	return false
}

// changes reports whether n says something else of what o is about. announced
// tells that something is said to change.
func (n *clause) changes(o *clause, announced bool) bool {
	common := shared(n.words, o.words)
	if len(common) == 0 {
		return false
	}
	if n.negative != o.negative {
		return named(common) >= minShared && len(common) == len(n.words)
	}
	if announced && n.choosesAnew(o) {
		return true
	}
	left, right := n.divide(common), o.divide(common)
	equal, other := numbers(n.tokens[:left.at], o.tokens[:right.at])
	subject := named(without(left.head, other))
	switch {
	case left.place || right.place:
		return false
	case len(other) > 0 && slices.Equal(left.head, right.head):
		return subject > 1 || subject == 1 && announced || named(other) > 1
	case announced && left.first == right.first && named(common) > 1 && otherNumbers(n, o):
		return true
	case len(equal) > 0 || left.tail == 0 || right.tail == 0 || !slices.Equal(left.head, right.head):
		return false
	case announced:
		return max(left.runs, right.runs) > 1
	}
	return left.slot == right.slot && len(left.head) > 1 && (amendmentRules().Slot.MatchString(left.slot) || len(left.head) > 2 && copula(left.slot))
}

// choosesAnew reports whether n names something else for what o chose something for.
func (n *clause) choosesAnew(o *clause) bool {
	if !o.chooses || len(n.scope) == 0 || !slices.Equal(n.scope, o.scope) {
		return false
	}
	mine, theirs := without(n.content, n.scope), without(o.content, o.scope)
	short := len(mine) <= maxChoice && len(theirs) <= maxChoice
	return short && len(mine) > 0 && len(shared(mine, theirs)) == 0
}

// maxChoice is how many words name what is chosen.
const maxChoice = 2

// renumbers reports whether n has other numbers than o for two words or more.
func (n *clause) renumbers(o *clause) bool {
	_, other := numbers(n.tokens, o.tokens)
	return named(other) > 1
}

// numbered reports whether a clause has a number.
func (c *clause) numbered() bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool { return t.number != "" })
}

// copula reports whether what follows says what the subject is.
func copula(slot string) bool {
	return strings.HasSuffix(slot, " is") || strings.HasSuffix(slot, " are")
}

// A division of a clause is what it has in common with another, up to where it
// has words of its own.
type division struct {
	head  []string // the words in common, before the first of its own
	first string   // the first word of the clause
	slot  string   // the last one in common, and what joins it to the tail
	runs  int      // how many runs of words the head has
	at    int      // where the first of its own is, among the tokens
	tail  int      // how many words there are from the first of its own on
	place bool     // that begins to say where it holds
}

func (c *clause) divide(common []string) division {
	d := division{at: len(c.tokens)}
	var last, joins string
	inRun := false
	for i, t := range c.tokens {
		switch {
		case t.joins:
			joins, last, inRun = joins+" "+t.word, t.word, false
			continue
		case t.word == "":
			continue
		case d.tail > 0:
			d.tail++
			continue
		}
		if d.first == "" {
			d.first = t.word
		}
		if _, ok := slices.BinarySearch(common, t.word); !ok {
			d.at, d.tail, d.place, d.slot = i, 1, places[last], d.slot+joins
			continue
		}
		if !inRun {
			d.runs++
		}
		d.head, d.slot, joins, last, inRun = append(d.head, t.word), t.word, "", "", true
	}
	d.head = prose.SortedSet(d.head)
	return d
}

// otherNumbers reports whether two clauses have a word in common, but another
// number to it.
func otherNumbers(n, o *clause) bool {
	_, other := numbers(n.tokens, o.tokens)
	return len(other) > 0
}

// numbers lists the words in common that have the same number in both, and
// those that have another; a number without a word is one of the word "".
func numbers(n, o []token) (equal, other []string) {
	for _, t := range n {
		for _, u := range o {
			switch {
			case t.number == "" || u.number == "" || u.word != t.word:
			case u.number == t.number:
				equal = append(equal, t.word)
			default:
				other = append(other, t.word)
			}
		}
	}
	return equal, prose.SortedSet(other)
}
