package recall

import (
	"cmp"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"recollect/internal/config"
	"recollect/internal/index"
)

// A thesaurus knows the names of concepts by their terms.
type thesaurus struct {
	from     *config.Synonyms
	concepts []concept
	names    []conceptName    // of all concepts, those of each together
	first    map[string]int32 // the number, from 1, of the first name with these terms, separated by spaces
	longest  int              // terms of the longest name
	own      int              // terms of the longest name of the user's own, 0 if there is none
}

type concept struct {
	start, end int32 // of its names
	own        bool
}

type conceptName struct {
	terms, text string
	closeness   float64
	concept     int32
	next        int32 // the number, from 1, of the next name with these terms, 0 if there is none
}

func newThesaurus(concepts []config.Concept) *thesaurus {
	t := &thesaurus{concepts: make([]concept, 0, len(concepts)), names: make([]conceptName, 0, 4*len(concepts))}
	known := map[string][]string{} // terms of words, most of which occur again and again
	for _, from := range concepts {
		start := len(t.names)
		for _, n := range from.Names {
			terms := n.Terms
			if terms == "" {
				terms = together(termsOf(n.Text, known))
			}
			if terms != "" && !slices.ContainsFunc(t.names[start:], func(other conceptName) bool { return other.terms == terms }) {
				t.names = append(t.names, conceptName{terms: terms, text: n.Text, closeness: n.Closeness, concept: int32(len(t.concepts))})
			}
		}
		if len(t.names)-start < 2 {
			t.names = t.names[:start]
			continue
		}
		t.concepts = append(t.concepts, concept{int32(start), int32(len(t.names)), from.Own})
		for _, n := range t.names[start:] {
			length := strings.Count(n.terms, " ") + 1
			t.longest = max(t.longest, length)
			if from.Own {
				t.own = max(t.own, length)
			}
		}
	}
	t.first = make(map[string]int32, len(t.names))
	for i := len(t.names) - 1; i >= 0; i-- {
		n := &t.names[i]
		n.next = t.first[n.terms]
		t.first[n.terms] = int32(i + 1)
	}
	return t
}

// named returns the names with these terms, in the order of their concepts.
func (t *thesaurus) named(terms string) iter.Seq[*conceptName] {
	return func(yield func(*conceptName) bool) {
		for i := t.first[terms]; i > 0; i = t.names[i-1].next {
			if !yield(&t.names[i-1]) {
				return
			}
		}
	}
}

// others returns the other names of the concept that has this one.
func (t *thesaurus) others(of *conceptName) iter.Seq[*conceptName] {
	return func(yield func(*conceptName) bool) {
		c := t.concepts[of.concept]
		for i := c.start; i < c.end; i++ {
			if n := &t.names[i]; n != of && !yield(n) {
				return
			}
		}
	}
}

// SynonymTable returns the table of the shipped synonyms that package config has, with their terms,
// made of a folder of TOML files.
func SynonymTable(folder fs.FS) (string, error) {
	concepts, err := config.ReadConcepts(folder)
	if err != nil {
		return "", err
	}
	known := map[string][]string{}
	for _, c := range concepts {
		for i, n := range c.Names {
			c.Names[i].Terms = together(termsOf(n.Text, known))
		}
	}
	return config.FormatConcepts(concepts), nil
}

// termsOf returns the terms of a name, in its order. It remembers those of each word in known.
func termsOf(name string, known map[string][]string) []string {
	var out []string
	for word := range strings.FieldsSeq(name) {
		terms, ok := known[word]
		if !ok {
			terms = written(index.Analyze(word))
			known[word] = terms
		}
		out = append(out, terms...)
	}
	return out
}

// written returns the terms of the words as they are written: of an identifier only the whole,
// but of words that hyphens join each, because others write them apart.
func written(tokens []index.Token) []string {
	var out []string
	for i, t := range tokens {
		last := i+1 == len(tokens) || tokens[i+1].Position != t.Position
		hyphens := strings.Contains(t.Text, "-") && !strings.ContainsAny(t.Text, "/.:_")
		if !t.Whole && !partOfName(tokens[i+1:], t.Position) || t.Whole && last && !hyphens {
			out = append(out, t.Text)
		}
	}
	return out
}

// partOfName reports whether a written word has a whole among these tokens that is more than
// words joined by hyphens.
func partOfName(tokens []index.Token, position int) bool {
	for _, t := range tokens {
		if t.Position != position {
			return false
		}
		if t.Whole && (strings.ContainsAny(t.Text, "/.:_") || !strings.Contains(t.Text, "-")) {
			return true
		}
	}
	return false
}

// A synonym is another name for what one clause says, or several clauses next to each other.
type synonym struct {
	terms     string // separated by spaces; a memory must have all
	text      string
	closeness float64
	own       bool    // the user's file says that both are the same
	idf       float64 // set by weigh
}

// ownSynonymWeight is how much a synonym from the user's file counts compared with the word
// itself: the user says that the two are the same. Neither do all synonyms of a word count more.
const ownSynonymWeight = 0.95

// weight is how much the synonym counts compared with the words themselves; shipped is that of
// the closest among the shipped ones.
func (s *synonym) weight(shipped float64) float64 {
	if s.own {
		return max(shipped, ownSynonymWeight)
	}
	return shipped * s.closeness
}

// maxSynonyms is how many other names a prompt looks up: each costs some microseconds.
const maxSynonyms = 48

// widen adds synonyms to the clauses: to those of a long prompt only the user's own.
func (q *query) widen(t *thesaurus) {
	at := make(map[string]int, len(q.clauses))
	for i, c := range q.clauses {
		if !c.evidence {
			at[c.term] = i
		}
	}
	longest := t.longest
	if q.length > longPrompt {
		longest = t.own
	}
	for i := range q.written {
		for n := 2; n <= min(longest, len(q.written)-i); n++ {
			phrase := q.written[i : i+n]
			if terms := together(phrase); t.first[terms] > 0 {
				q.accept(t, terms, clausesOf(at, phrase))
			}
		}
	}
	for i, c := range q.clauses {
		if !c.evidence {
			q.accept(t, c.term, []int{i})
		}
	}
	q.limitSynonyms()
}

// together joins terms in any order: an expired certificate is a certificate that expired.
func together(terms []string) string {
	return strings.Join(slices.Sorted(slices.Values(terms)), " ")
}

// clausesOf returns the numbers of the clauses for terms, or nil if one was left out.
func clausesOf(at map[string]int, terms []string) []int {
	var out []int
	for _, term := range terms {
		i, ok := at[term]
		if !ok {
			return nil
		}
		if !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// accept adds the other names of the concepts that have a name with these terms to clauses, unless
// the prompt has them, too.
func (q *query) accept(t *thesaurus, terms string, clauses []int) {
	for name := range t.named(terms) {
		own := t.concepts[name.concept].own
		if !own && q.length > longPrompt {
			continue
		}
		for n := range t.others(name) {
			if !q.says(n.terms) {
				closeness := name.closeness * n.closeness
				q.addSynonym(clauses, &synonym{terms: n.terms, text: n.text, closeness: closeness, own: own && closeness == 1})
			}
		}
	}
}

// says reports whether the prompt has all of these terms itself.
func (q *query) says(terms string) bool {
	for term := range strings.SplitSeq(terms, " ") {
		if !q.mentions[term] {
			return false
		}
	}
	return true
}

// addSynonym adds a synonym to clauses, or raises the one that is there.
func (q *query) addSynonym(clauses []int, s *synonym) {
	for _, i := range clauses {
		c := &q.clauses[i]
		if at := slices.IndexFunc(c.synonyms, func(known *synonym) bool { return known.terms == s.terms }); at >= 0 {
			known := c.synonyms[at]
			known.closeness, known.own = max(known.closeness, s.closeness), known.own || s.own
			return
		}
	}
	for _, i := range clauses {
		q.clauses[i].synonyms = append(q.clauses[i].synonyms, s)
	}
}

// limitSynonyms leaves the closest maxSynonyms.
func (q *query) limitSynonyms() {
	all := q.synonyms()
	if len(all) <= maxSynonyms {
		return
	}
	slices.SortStableFunc(all, func(a, b *synonym) int { return cmp.Compare(b.weight(1), a.weight(1)) })
	dropped := all[maxSynonyms:]
	for i := range q.clauses {
		c := &q.clauses[i]
		c.synonyms = slices.DeleteFunc(c.synonyms, func(s *synonym) bool { return slices.Contains(dropped, s) })
	}
}

// synonyms lists the synonyms of all clauses, each once.
func (q *query) synonyms() []*synonym {
	var out []*synonym
	for _, c := range q.clauses {
		for _, s := range c.synonyms {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// synonymTerms lists the terms of the search for the synonyms, and whom each stands for, those
// first that can add most. A synonym never adds more than the words that it stands for, nor do all
// of a word's together: a rare one counts no more than they do, and of many each counts less.
func (q *query) synonymTerms(shipped float64) (terms []index.Term, owners []owner) {
	for _, s := range q.synonyms() {
		o := owner{value: s.weight(shipped)}
		weight, worth, most := 0.0, 0.0, ownSynonymWeight
		for i := range q.clauses {
			c := &q.clauses[i]
			if !slices.Contains(c.synonyms, s) {
				continue
			}
			o.clauses = append(o.clauses, i)
			weight, worth = weight+c.weight, worth+c.worth()
			most = max(most, c.synonymSum(shipped))
		}
		weight = o.value * min(weight, worth/s.idf) * ownSynonymWeight / most
		terms, owners = append(terms, index.Term{Text: s.terms, Weight: weight}), append(owners, o)
	}
	return terms, owners
}

// synonymSum is the weight of all synonyms of a clause together.
func (c *clause) synonymSum(shipped float64) float64 {
	sum := 0.0
	for _, s := range c.synonyms {
		sum += s.weight(shipped)
	}
	return sum
}

// translate replaces names in a text by the user's own synonyms of them, if no memory has one of
// the name's terms; known reports whether a memory has a term. Most users have no synonyms.
func (t *thesaurus) translate(text string, known func(term string) bool) string {
	if t.own == 0 {
		return text
	}
	var plain []index.Token
	for _, token := range index.Analyze(text) {
		if !token.Whole { // its parts are there, too
			plain = append(plain, token)
		}
	}
	var out strings.Builder
	for i := 0; i < len(plain); {
		n, own := t.ownAt(plain[i:], known)
		start, end := surfaceOf(text, plain[i:i+n])
		if end < 0 {
			i++
			continue
		}
		if own != "" {
			out.WriteString(text[:start] + own)
		} else {
			out.WriteString(text[:end])
		}
		text = text[end:]
		i += n
	}
	return out.String() + text
}

// ownAt returns the user's own synonyms of the longest name that tokens begin with, and how many
// tokens that is; "" and 1 if there is none, or memories have its terms.
func (t *thesaurus) ownAt(tokens []index.Token, known func(term string) bool) (n int, own string) {
	var terms []string
	for _, token := range tokens[:min(len(tokens), t.own)] {
		terms = append(terms, token.Text)
	}
	for n := len(terms); n > 0; n-- {
		own := t.ownNames(together(terms[:n]))
		if len(own) > 0 && slices.ContainsFunc(terms[:n], func(term string) bool { return !known(term) }) {
			return n, strings.Join(own, " ")
		}
	}
	return 1, ""
}

// surfaceOf returns where tokens that follow each other stand in a text; end is -1 if they do not.
func surfaceOf(text string, tokens []index.Token) (start, end int) {
	for i, token := range tokens {
		at := strings.Index(text[end:], token.Surface)
		if at < 0 {
			return 0, -1
		}
		if i == 0 {
			start = at
		}
		end += at + len(token.Surface)
	}
	return start, end
}

// ownNames lists the user's own synonyms of a name.
func (t *thesaurus) ownNames(terms string) []string {
	var out []string
	for name := range t.named(terms) {
		for n := range t.others(name) {
			if t.concepts[name.concept].own && n.closeness*name.closeness == 1 {
				out = append(out, n.text)
			}
		}
	}
	return out
}
