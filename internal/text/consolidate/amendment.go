package consolidate

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// amendsNode reports whether what s says, if it is newer, takes the place of older:
// it gives up what older chose, answers its question otherwise, gives another
// number or value on the same subject, or says the opposite. Of what says
// several things half must have changed, of a recap more. In doubt it does not.
// What was said in one turn stands together, and a recap sums up its session.
func (s *node) amendsNode(older *node) bool {
	switch {
	case s.says == nil, older.says == nil, s.isOfTurn(older), s.isRecap() && !s.isOfOtherSession(older):
		return false
	}
	if s.restatesRule(older) || s.says.answersAnew(older.says) || s.givesOtherNumber(older) {
		return true
	}
	if len(s.says.words) > maxSaid && !s.isRecap() {
		return false
	}
	changed, of := 2*s.countContradicted(older), len(older.says.clauses)
	if changed == of {
		return of > 0 && !older.isRecap()
	}
	return changed > of
}

// isOfTurn reports whether the two were said in one turn.
func (s *node) isOfTurn(o *node) bool { return s.Turn != "" && s.Turn == o.Turn }

// maxSaid is how many different words a decision or a wish has at most: what has more is a text, of which
// some words contradict anything.
const maxSaid = 25

// restatesRule reports whether s is a rule given anew as a whole, of which older,
// of another session, is a part or a former state.
func (s *node) restatesRule(older *node) bool {
	if s.says == nil || older.says == nil {
		return false
	}
	if !s.says.whole || !s.isOfOtherSession(older) {
		return false
	}
	n := len(intersect(s.says.all, older.says.words))
	return n >= minShared && 2*n >= len(older.says.words)
}

// minShared is how many words a rule that is given anew shares at least with
// one that it replaces; they must be half of that one's words.
const minShared = 3

// isOfOtherSession reports whether the two are of different sessions.
func (s *node) isOfOtherSession(o *node) bool { return s.Session == "" || s.Session != o.Session }

func (s *node) isRecap() bool { return slices.Contains(s.Tags, memory.TagRecap) }

// countContradicted counts the clauses of older that s changes.
func (s *node) countContradicted(older *node) int {
	n := 0
	for i := range older.says.clauses {
		c := &older.says.clauses[i]
		if s.says.rejectsClause(older.says, c, s.isOfOtherSession(older)) || s.says.changesClause(c, s.says.answersOtherQuestion(older.says)) {
			n++
		}
	}
	return n
}

// answersAnew reports whether s gives another answer to the question of older,
// or chooses something else that the question named.
func (s *statement) answersAnew(older *statement) bool {
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
			if s.choosesOther(c, older) {
				return true
			}
		}
	}
	return false
}

// choosesOther reports whether a clause of s names something of the question of older that older
// did not choose.
func (s *statement) choosesOther(c *clause, older *statement) bool {
	if c.negative || len(c.words) < minShared || len(intersect(c.words, older.asked)) < 2 {
		return false
	}
	if len(subtract(c.words, older.all)) > 0 || len(subtract(c.words, older.words)) == 0 {
		return false
	}
	if len(subtract(older.words, c.words)) > 0 {
		return true
	}
	return s.changes && older.isOnlyNumber() && c.hasNumber()
}

// givesOtherNumber reports whether s is only another number for what older says.
func (s *node) givesOtherNumber(older *node) bool {
	return s.says.revisesNumber(older.says) || !s.isOfOtherSession(older) && s.says.recountsNumber(older.says)
}

// revisesNumber reports whether s only gives another number to what it names as its
// topic, and that is older.
func (s *statement) revisesNumber(older *statement) bool {
	switch {
	case !s.isRevision(), len(older.words) < 2, 2*len(older.words) < len(s.topic), len(subtract(older.words, s.topic)) > 0:
		return false
	}
	return slices.ContainsFunc(older.clauses, func(o clause) bool { return o.hasNumber() })
}

// isRevision reports whether s is another number for the topic that it names.
func (s *statement) isRevision() bool {
	return len(s.topic) > 0 && s.isOneNumber() && len(subtract(s.words, s.topic)) == 0
}

// isOnlyNumber reports whether s says a number and nothing else.
func (s *statement) isOnlyNumber() bool {
	return len(s.words) == 0 && s.isOneNumber()
}

// isOneNumber reports whether s has one clause, with a number.
func (s *statement) isOneNumber() bool { return len(s.clauses) == 1 && s.clauses[0].hasNumber() }

// recountsNumber reports whether s announces a change and gives nothing but another
// number of what older has a number of: "actually 3 boats".
func (s *statement) recountsNumber(older *statement) bool {
	if !s.changes || len(s.clauses) != 1 {
		return false
	}
	if len(s.words) == 0 || len(subtract(s.words, older.words)) > 0 {
		return false
	}
	return slices.ContainsFunc(older.clauses, func(o clause) bool {
		_, other := compareNumbers(s.clauses[0].tokens, o.tokens)
		return countNames(other) > 0
	})
}

// answersOtherQuestion reports whether the two answer questions that have little to do
// with each other.
func (s *statement) answersOtherQuestion(older *statement) bool {
	if len(s.asked) == 0 || len(older.asked) == 0 {
		return false
	}
	return 2*len(intersect(s.asked, older.asked)) < min(len(s.asked), len(older.asked))
}

// rejectsClause reports whether s gives up what a clause of older says. The name of a
// rule need not be spelled in one of another session.
func (s *statement) rejectsClause(older *statement, c *clause, elsewhere bool) bool {
	if len(s.givenUp)+len(s.denied) == 0 || s.holdsElsewhere(older) {
		return false
	}
	chosen := c.content
	for _, words := range older.denied {
		chosen = subtract(chosen, words)
	}
	if slices.ContainsFunc(s.givenUp, func(p phrase) bool {
		hit := intersect(p.words, chosen)
		if len(hit) == 0 {
			return false
		}
		return s.refersTo(p, older, hit, elsewhere) || s.onlyGivesUp(p) && slices.Equal(p.words, subtract(c.content, c.scope))
	}) {
		return true
	}
	enough := 2
	if s.changes {
		enough = 1
	}
	return slices.ContainsFunc(s.denied, func(words []string) bool {
		if len(intersect(words, chosen)) == 0 || older.countMissing(words) > 0 {
			return false
		}
		return s.countOtherShared(older, words) >= enough || len(words) > 1 && slices.Equal(words, older.chosen)
	})
}

// refersTo reports whether a phrase of which a clause of older has the words hit
// speaks of that clause: nearly all of its words are said there, and either
// something else is too, or it names more than a word, or it is all that one of
// the two says.
func (s *statement) refersTo(p phrase, older *statement, hit []string, elsewhere bool) bool {
	beside := s.countOtherShared(older, p.words)
	if elsewhere && p.label && beside > 0 {
		if 2*len(hit) >= len(p.words) {
			return true
		}
	}
	missing := older.countMissing(p.words)
	if 3*missing > len(p.words) || missing > 0 && len(hit) < 2 {
		return false
	}
	if beside > 0 || len(hit) > 1 && countNames(p.words) > missing {
		return true
	}
	return slices.Equal(p.words, older.chosen) || slices.Equal(p.words, s.chosen)
}

// onlyGivesUp reports whether s says nothing but that something comes in the place of what a phrase
// names, wherever that was chosen: "we switched from Redis to NATS".
func (s *statement) onlyGivesUp(p phrase) bool {
	return len(s.scope) == 0 && countNames(subtract(subtract(s.chosen, p.words), changing)) <= 1
}

// countMissing counts the words that s neither says nor is about.
func (s *statement) countMissing(words []string) int {
	return len(subtract(subtract(words, s.chosen), s.about))
}

// countOtherShared counts the words, besides some, that s and older share.
func (s *statement) countOtherShared(older *statement, some []string) int {
	return countNames(s.intersectKinds(older, subtract(s.all, some), older.all))
}

// intersectKinds lists the words of a, of s, that are in b, of older, too, but for those of which the
// two name different kinds: the orders database and the sessions database.
func (s *statement) intersectKinds(older *statement, a, b []string) []string {
	return slices.DeleteFunc(intersect(a, b), func(word string) bool {
		mine, theirs := s.precedents[word], older.precedents[word]
		return len(mine) > 0 && len(theirs) > 0 && !slices.ContainsFunc(mine, func(w string) bool { return slices.Contains(theirs, w) })
	})
}

// holdsElsewhere reports whether s and older each say where they hold, and neither speaks of where the
// other does.
func (s *statement) holdsElsewhere(older *statement) bool {
	if len(s.scope) == 0 || len(older.scope) == 0 {
		return false
	}
	return len(s.intersectKinds(older, s.all, older.scope)) == 0 && len(s.intersectKinds(older, s.scope, older.all)) == 0
}

// countNames counts the words that are neither numbers nor kinds of units.
func countNames(words []string) int {
	n := 0
	for _, w := range words {
		if !strings.HasPrefix(w, "#") && !strings.HasPrefix(w, "(") {
			n++
		}
	}
	return n
}

// intersect and without list the words of a that are, or are not, in b; both are
// sorted.
func intersect(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(w string) bool { _, ok := slices.BinarySearch(b, w); return !ok })
}

func subtract(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(w string) bool { _, ok := slices.BinarySearch(b, w); return ok })
}

// changesClause reports whether a clause of s changes the clause old. What
// answers another question has to have two numbers of the same kinds.
func (s *statement) changesClause(old *clause, otherQuestion bool) bool {
	for i := range s.clauses {
		for _, n := range s.clauses[i].readings() {
			for _, o := range old.readings() {
				if otherQuestion {
					if n.changesNumbers(o) {
						return true
					}
				} else if n.changesValue(o, s.changes) {
					return true
				}
			}
		}
	}
	return false
}

// changesValue reports whether n says something else of what o is about. announced
// tells that something is said to change.
func (n *clause) changesValue(o *clause, announced bool) bool {
	common := intersect(n.words, o.words)
	if len(common) == 0 {
		return false
	}
	if n.negative != o.negative {
		return countNames(common) >= minShared && len(common) == len(n.words)
	}
	if announced && n.choosesAnew(o) {
		return true
	}
	left, right := n.divideBy(common), o.divideBy(common)
	equal, other := compareNumbers(n.tokens[:left.at], o.tokens[:right.at])
	subject := countNames(subtract(left.head, other))
	switch {
	case left.place || right.place:
		return false
	case len(other) > 0 && slices.Equal(left.head, right.head):
		isNamed := subject > 1 || announced && subject == 1
		return isNamed || countNames(other) > 1
	case announced && left.first == right.first && countNames(common) > 1:
		if haveOtherNumbers(n, o) {
			return true
		}
	}
	switch {
	case len(equal) > 0, left.tail == 0, right.tail == 0, !slices.Equal(left.head, right.head):
		return false
	case announced:
		return max(left.runs, right.runs) > 1
	}
	return left.slot == right.slot && left.statesValue()
}

// choosesAnew reports whether n names something else for what o chose something for.
func (n *clause) choosesAnew(o *clause) bool {
	if !o.chooses || len(n.scope) == 0 || !slices.Equal(n.scope, o.scope) {
		return false
	}
	mine, theirs := subtract(n.content, n.scope), subtract(o.content, o.scope)
	short := len(mine) <= maxChoice && len(theirs) <= maxChoice
	return short && len(mine) > 0 && len(intersect(mine, theirs)) == 0
}

// maxChoice is how many words name what is chosen.
const maxChoice = 2

// changesNumbers reports whether n has other numbers than o for two words or more.
func (n *clause) changesNumbers(o *clause) bool {
	_, other := compareNumbers(n.tokens, o.tokens)
	return countNames(other) > 1
}

// hasNumber reports whether a clause has a number.
func (c *clause) hasNumber() bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool { return t.number != "" })
}

// endsInCopula reports whether what follows says what the subject is.
func endsInCopula(slot string) bool {
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

// statesValue reports whether the words in common lead to a value: its name, or its name and what it is.
func (d division) statesValue() bool {
	if len(d.head) < 2 {
		return false
	}
	return amendmentRules().Slot.MatchString(d.slot) || len(d.head) > 2 && endsInCopula(d.slot)
}

func (c *clause) divideBy(common []string) division {
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

// haveOtherNumbers reports whether two clauses have a word in common, but another
// number to it.
func haveOtherNumbers(n, o *clause) bool {
	_, other := compareNumbers(n.tokens, o.tokens)
	return len(other) > 0
}

// compareNumbers lists the words in common that have the same number in both, and
// those that have another; a number without a word is one of the word "".
func compareNumbers(n, o []token) (equal, other []string) {
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
