package terms

import (
	"cmp"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"recollect/internal/config"
	"recollect/internal/index"
)

// A Thesaurus knows the names of concepts by their terms.
type Thesaurus struct {
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

// NewThesaurus makes the thesaurus of the shipped synonyms and a user's own.
func NewThesaurus(s *config.Synonyms) *Thesaurus {
	t := newThesaurus(s.Concepts())
	t.from = s
	return t
}

// IsOf reports whether t was made of s.
func (t *Thesaurus) IsOf(s *config.Synonyms) bool { return t.from == s }

func newThesaurus(concepts []config.Concept) *Thesaurus {
	t := &Thesaurus{concepts: make([]concept, 0, len(concepts)), names: make([]conceptName, 0, 4*len(concepts))}
	known := map[string][]string{} // terms of words, most of which occur again and again
	for _, from := range concepts {
		start := len(t.names)
		for _, n := range from.Names {
			terms := n.Terms
			if terms == "" {
				terms = joinTerms(termsOf(n.Text, known))
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

// namesWith returns the names with these terms, in the order of their concepts.
func (t *Thesaurus) namesWith(terms string) iter.Seq[*conceptName] {
	return func(yield func(*conceptName) bool) {
		for i := t.first[terms]; i > 0; i = t.names[i-1].next {
			if !yield(&t.names[i-1]) {
				return
			}
		}
	}
}

// otherNames returns the other names of the concept that has this one.
func (t *Thesaurus) otherNames(of *conceptName) iter.Seq[*conceptName] {
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
			c.Names[i].Terms = joinTerms(termsOf(n.Text, known))
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
			terms = writtenTerms(index.Analyze(word))
			known[word] = terms
		}
		out = append(out, terms...)
	}
	return out
}

// writtenTerms returns the terms of the words as they are written: of an identifier only the whole,
// but of words that hyphens join each, because others write them apart.
func writtenTerms(tokens []index.Token) []string {
	var out []string
	for i, t := range tokens {
		last := i+1 == len(tokens) || tokens[i+1].Position != t.Position
		hyphens := strings.Contains(t.Text, "-") && !strings.ContainsAny(t.Text, "/.:_")
		written := !partOfName(tokens[i+1:], t.Position)
		if t.Whole {
			written = last && !hyphens
		}
		if written {
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

// A Synonym is another name for what one clause says, or several clauses next to each other.
type Synonym struct {
	terms     string // separated by spaces; a memory must have all
	Text      string
	closeness float64
	own       bool    // the user's file says that both are the same
	idf       float64 // set by weigh
}

// ownSynonymWeight is how much a synonym from the user's file counts compared with the word
// itself: the user says that the two are the same. Neither do all synonyms of a word count more.
const ownSynonymWeight = 0.95

// weigh is how much the synonym counts compared with the words themselves; shipped is that of
// the closest among the shipped ones.
func (s *Synonym) weigh(shipped float64) float64 {
	if s.own {
		return max(shipped, ownSynonymWeight)
	}
	return shipped * s.closeness
}

// maxSynonyms is how many other names a prompt looks up: each costs some microseconds.
const maxSynonyms = 48

// addSynonyms adds synonyms to the clauses: to those of a long prompt only the user's own.
func (q *Query) addSynonyms(t *Thesaurus) {
	at := make(map[string]int, len(q.Clauses))
	for i, c := range q.Clauses {
		if !c.Evidence {
			at[c.Term] = i
		}
	}
	longest := t.longest
	if q.Length > LongPrompt {
		longest = t.own
	}
	for i := range q.written {
		for n := 2; n <= min(longest, len(q.written)-i); n++ {
			phrase := q.written[i : i+n]
			if terms := joinTerms(phrase); t.first[terms] > 0 {
				q.addNamesOf(t, terms, clausesOf(at, phrase))
			}
		}
	}
	for i, c := range q.Clauses {
		if !c.Evidence {
			q.addNamesOf(t, c.Term, []int{i})
		}
	}
	q.limitSynonyms()
}

// joinTerms joins terms in any order: an expired certificate is a certificate that expired.
func joinTerms(terms []string) string {
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

// addNamesOf adds the other names of the concepts that have a name with these terms to clauses, unless
// the prompt has them, too.
func (q *Query) addNamesOf(t *Thesaurus, terms string, clauses []int) {
	for name := range t.namesWith(terms) {
		own := t.concepts[name.concept].own
		if !own && q.Length > LongPrompt {
			continue
		}
		for n := range t.otherNames(name) {
			if !q.mentionsAll(n.terms) {
				closeness := name.closeness * n.closeness
				q.addSynonym(clauses, &Synonym{terms: n.terms, Text: n.text, closeness: closeness, own: own && closeness == 1})
			}
		}
	}
}

// mentionsAll reports whether the prompt has all of these terms itself.
func (q *Query) mentionsAll(terms string) bool {
	for term := range strings.SplitSeq(terms, " ") {
		if !q.mentions[term] {
			return false
		}
	}
	return true
}

// addSynonym adds a synonym to clauses, or raises the one that is there.
func (q *Query) addSynonym(clauses []int, s *Synonym) {
	for _, i := range clauses {
		c := &q.Clauses[i]
		if at := slices.IndexFunc(c.Synonyms, func(known *Synonym) bool { return known.terms == s.terms }); at >= 0 {
			known := c.Synonyms[at]
			known.closeness, known.own = max(known.closeness, s.closeness), known.own || s.own
			return
		}
	}
	for _, i := range clauses {
		q.Clauses[i].Synonyms = append(q.Clauses[i].Synonyms, s)
	}
}

// limitSynonyms leaves the closest maxSynonyms.
func (q *Query) limitSynonyms() {
	all := q.allSynonyms()
	if len(all) <= maxSynonyms {
		return
	}
	slices.SortStableFunc(all, func(a, b *Synonym) int { return cmp.Compare(b.weigh(1), a.weigh(1)) })
	dropped := all[maxSynonyms:]
	for i := range q.Clauses {
		c := &q.Clauses[i]
		c.Synonyms = slices.DeleteFunc(c.Synonyms, func(s *Synonym) bool { return slices.Contains(dropped, s) })
	}
}

// allSynonyms lists the synonyms of all clauses, each once.
func (q *Query) allSynonyms() []*Synonym {
	var out []*Synonym
	for _, c := range q.Clauses {
		for _, s := range c.Synonyms {
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
func (q *Query) synonymTerms(shipped float64) (terms []index.Term, owners []Owner) {
	for _, s := range q.allSynonyms() {
		o := Owner{Value: s.weigh(shipped)}
		weight, worth, most := 0.0, 0.0, ownSynonymWeight
		for i := range q.Clauses {
			c := &q.Clauses[i]
			if !slices.Contains(c.Synonyms, s) {
				continue
			}
			o.Clauses = append(o.Clauses, i)
			weight, worth = weight+c.Weight, worth+c.Worth()
			most = max(most, c.synonymSum(shipped))
		}
		weight = o.Value * min(weight, worth/s.idf) * ownSynonymWeight / most
		terms, owners = append(terms, index.Term{Text: s.terms, Weight: weight}), append(owners, o)
	}
	return terms, owners
}

// synonymSum is the weight of all synonyms of a clause together.
func (c *Clause) synonymSum(shipped float64) float64 {
	sum := 0.0
	for _, s := range c.Synonyms {
		sum += s.weigh(shipped)
	}
	return sum
}

// Translate replaces names in a text by the user's own synonyms of them, if no memory has one of
// the name's terms; known reports whether a memory has a term. Most users have no synonyms.
func (t *Thesaurus) Translate(text string, known func(term string) bool) string {
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
func (t *Thesaurus) ownAt(tokens []index.Token, known func(term string) bool) (n int, own string) {
	var terms []string
	for _, token := range tokens[:min(len(tokens), t.own)] {
		terms = append(terms, token.Text)
	}
	for n := len(terms); n > 0; n-- {
		own := t.ownNames(joinTerms(terms[:n]))
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
func (t *Thesaurus) ownNames(terms string) []string {
	var out []string
	for name := range t.namesWith(terms) {
		for n := range t.otherNames(name) {
			if t.concepts[name.concept].own && n.closeness*name.closeness == 1 {
				out = append(out, n.text)
			}
		}
	}
	return out
}
