// Package terms makes a query of a prompt: which terms are looked for, how much each of them weighs,
// and which other names count for it.
//
// A clause is one word of the query. Its synonyms are other names of the same thing, or of one near
// it, that a thesaurus knows. Once it is known how many memories have each term, the query becomes a
// search, in which the rarer terms weigh more.
package terms

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/recall/prompt"
	"recollect/internal/recall/prompt/dates"
)

// MaxAnalysed is how much of a prompt is read for terms, in bytes, of its beginning and its end.
const MaxAnalysed = 16 << 10

// Factors of a term's weight besides its rarity. The first line of a long prompt mostly says what
// is wanted and the rest is evidence; the parts of an identifier together count about as much as
// the identifier itself.
const (
	firstLineWeight = 2.0
	partWeight      = 0.5
	commonWeight    = 0.5
)

// k3 limits the weight of a word that the prompt repeats, as in BM25 for long queries (Robertson
// and others, Okapi at TREC-3, 1994): (k3+1)·n/(k3+n) for n times, so three times count about twice.
const k3 = 4.0

// LongPrompt is the number of different terms beyond which a prompt's first
// line is weighted up.
const LongPrompt = 16

// Of a very long prompt this many different terms are looked up.
const (
	firstClauses = 120
	lastClauses  = 80
)

// A Clause is one word of the query.
type Clause struct {
	Term     string
	Whole    bool // a whole identifier, an acronym, or something with a number
	Common   bool // a word that any prompt may have
	Weight   float64
	usual    float64    // share of developers' texts that have the word
	Surface  string     // as it stands in the prompt
	IDF      float64    // rarity
	Found    int        // memories that have the term itself
	Synonyms []*Synonym // other names that may stand for it, or for it and the clauses beside it
	order    int        // position in the prompt
	times    int        // how often it stands there
	Evidence bool       // from a paste: what meets it counts, what does not is not missed
}

// Worth is what a clause contributes to relevance when it is met.
func (c *Clause) Worth() float64 { return c.Weight * c.IDF }

// A Query is what a prompt asks for.
type Query struct {
	Prompt   string
	Clauses  []Clause
	pairs    []index.Pair
	written  []string        // terms of the prompt in its order, one for each written word
	mentions map[string]bool // terms of the prompt, before trim
	Length   int             // how many those are
	Times    []dates.Window  // that the prompt names
	Latest   bool            // the prompt asks for what happened last
	Goals    bool            // the prompt speaks of goals or plans
	Everyday float64         // see featEveryday

	named map[string]bool // who was asked for by names, and the answer
}

// IsSignificant reports whether the query has a term that says what the prompt
// is about.
func (q *Query) IsSignificant() bool {
	return slices.ContainsFunc(q.Clauses, func(c Clause) bool { return !c.Common })
}

// KnownTerms lists the terms that say what the prompt is about and that occur in some memory.
func (q *Query) KnownTerms() []string {
	var out []string
	for _, c := range q.Clauses {
		if !c.Common && c.Found > 0 && !c.Evidence {
			out = append(out, c.Term)
		}
	}
	return out
}

// ReadWhole reads a prompt that was typed at now as a whole, if no more is pasted into it than into a
// bug report. The rarity of its terms is not known yet; see weigh.
func ReadWhole(text string, now time.Time) Query {
	longest := slices.MaxFunc(prompt.Readings(text), func(a, b prompt.Reading) int { return cmp.Compare(len(a.Question), len(b.Question)) })
	return Read(longest, now)
}

// Read makes the query for one reading of a prompt.
func Read(r prompt.Reading, now time.Time) Query {
	q := readQuery(r.Question, now)
	if r.Evidence != "" && !q.asksBeyondPaste() { // such as "fix this error": it is about the paste
		q = readQuery(r.Question+"\n"+r.Evidence, now)
		q.Everyday = prompt.UnknownEveryday
		return q
	}
	q.addEvidence(r.Evidence)
	q.Everyday = prompt.EverydayProbability(r.Question)
	return q
}

// SaysMore reports whether a reading's question says more than that something pasted is wrong.
func SaysMore(r prompt.Reading, now time.Time) bool {
	q := readQuery(r.Question, now)
	return q.asksBeyondPaste()
}

// asksBeyondPaste reports whether the query of a question says more than that something pasted
// is wrong.
func (q *Query) asksBeyondPaste() bool {
	return slices.ContainsFunc(q.Clauses, func(c Clause) bool { return !c.Common && !pasteStems[c.Term] })
}

func readQuery(prompt string, now time.Time) Query {
	prompt = memory.ClipMiddle(prompt, MaxAnalysed)
	tokens := index.Analyze(prompt)
	q := Query{Prompt: prompt, Times: dates.In(prompt, now), Latest: dates.AsksForLatest(prompt), pairs: index.Pairs(tokens)}
	language := index.LanguageOf(prompt)
	q.addClauses(slices.DeleteFunc(tokens, language.Stops), len(slices.DeleteFunc(index.Analyze(FirstLine(prompt)), language.Stops)))
	return q
}

// evidenceWeight is the weight of a term that only a paste has. maxEvidence is how many of
// them are looked up.
const (
	evidenceWeight = 0.25
	maxEvidence    = 24
)

// addEvidence adds the terms that only the telling lines of a paste have.
func (q *Query) addEvidence(text string) {
	n := 0
	for _, t := range index.Analyze(text) {
		if n == maxEvidence {
			return
		}
		if q.mentions[t.Text] || IsCommon(t.Text) || slices.ContainsFunc(q.Clauses, func(c Clause) bool { return c.Term == t.Text }) {
			continue
		}
		q.Clauses = append(q.Clauses, Clause{Term: t.Text, Weight: evidenceWeight, usual: usualShare(t.Surface), order: len(q.Clauses), times: 1, Evidence: true})
		n++
	}
}

// addClauses makes a clause of every different token. As many of them as leading says
// stand in the first line.
func (q *Query) addClauses(tokens []index.Token, leading int) {
	parts := partsOf(tokens)
	seen := map[string]int{}
	q.Clauses = make([]Clause, 0, len(tokens))
	for i, t := range tokens {
		q.Goals = q.Goals || goalTerms[t.Text]
		weight := 1.0
		switch {
		case IsCommon(t.Text):
			weight = commonWeight
		case parts[i]:
			weight = partWeight
		}
		if at, ok := seen[t.Text]; ok {
			q.Clauses[at].Weight = max(q.Clauses[at].Weight, weight)
			q.Clauses[at].times++
			continue
		}
		seen[t.Text] = len(q.Clauses)
		q.Clauses = append(q.Clauses, Clause{
			Term: t.Text, Whole: t.Whole || isAcronym(t.Surface) || strings.ContainsAny(t.Text, "0123456789"), Common: IsCommon(t.Text),
			Weight: weight, usual: usualShare(t.Surface), Surface: t.Surface, order: i, times: 1,
		})
	}
	q.Length = len(q.Clauses)
	q.written = writtenTerms(tokens)
	q.mentions = make(map[string]bool, len(seen))
	for term := range seen {
		q.mentions[term] = true
	}
	for i := range q.Clauses {
		c := &q.Clauses[i]
		c.Weight *= (k3 + 1) * float64(c.times) / (k3 + float64(c.times))
		if q.Length > LongPrompt && c.order < leading {
			c.Weight *= firstLineWeight
		}
	}
}

// Names reports whether the prompt names somebody. The candidates are of a few projects and
// agents, so each is analysed once.
func (q *Query) Names(who string) bool {
	named, known := q.named[who]
	if !known {
		terms := index.Analyze(who)
		named = len(terms) > 0 && !slices.ContainsFunc(terms, func(t index.Token) bool { return !q.mentions[t.Text] })
		if q.named == nil {
			q.named = map[string]bool{}
		}
		q.named[who] = named
	}
	return named
}

// isAcronym reports whether a word was typed in capitals throughout, which makes it a name.
func isAcronym(word string) bool {
	return len(word) > 2 && word == strings.ToUpper(word) && word != strings.ToLower(word)
}

// FirstLine returns the first line of a prompt that has text.
func FirstLine(prompt string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	return line
}

// partsOf marks the tokens that are parts of an identifier whose whole is
// there too.
func partsOf(tokens []index.Token) []bool {
	wholes := map[int]bool{}
	for _, t := range tokens {
		if t.Whole {
			wholes[t.Position] = true
		}
	}
	parts := make([]bool, len(tokens))
	for i, t := range tokens {
		parts[i] = wholes[t.Position] && !t.Whole
	}
	return parts
}

// shorten leaves out the middle of a very long prompt: each term costs a
// look-up. A pasted trace says at its end what went wrong.
func (q *Query) shorten() {
	if len(q.Clauses) > firstClauses+lastClauses {
		q.Clauses = slices.Delete(q.Clauses, firstClauses, len(q.Clauses)-lastClauses)
	}
}

// lookedUp lists everything whose frequency is needed: each clause's term, then the synonyms.
func (q *Query) lookedUp() []string {
	var out []string
	for _, c := range q.Clauses {
		out = append(out, c.Term)
	}
	for _, s := range q.allSynonyms() {
		out = append(out, s.terms)
	}
	return out
}

// setRarities sets each clause's rarity from the frequencies of terms(), in their
// order, among docs memories, and leaves out synonyms that no memory has. A word
// is as rare as it and the user's own synonyms are together.
func (q *Query) setRarities(frequencies []int, docs int) {
	found := map[*Synonym]int{}
	for i, s := range q.allSynonyms() {
		found[s] = frequencies[len(q.Clauses)+i]
		s.idf = index.IDF(min(found[s], docs), docs)
	}
	for i := range q.Clauses {
		c := &q.Clauses[i]
		c.Found = frequencies[i]
		c.Synonyms = slices.DeleteFunc(c.Synonyms, func(s *Synonym) bool { return found[s] == 0 })
		together := c.Found
		for _, s := range c.Synonyms {
			if s.own {
				together += found[s]
			}
		}
		c.IDF = index.IDF(min(together, docs), docs)
		c.Weight *= rarityOf(together, docs, c.usual) / c.IDF
	}
	q.Clauses = slices.DeleteFunc(q.Clauses, func(c Clause) bool { return c.Evidence && c.Found == 0 })
}

// maxUnknown is how many of the words that occur in no memory remain in the query: a pasted log is
// full of them.
const maxUnknown = 4

// trimTo cuts the query to the n clauses that are worth most. Unknown words, which occur in no memory,
// remain in half their share, since they show that the prompt may be about something new, but at
// most maxUnknown of them, so that they do not crowd out the rest.
func (q *Query) trimTo(n int) {
	if len(q.Clauses) <= n {
		return
	}
	var known, unknown []Clause
	for _, c := range q.Clauses {
		if c.Found > 0 || len(c.Synonyms) > 0 {
			known = append(known, c)
		} else {
			unknown = append(unknown, c)
		}
	}
	places := min(maxUnknown, n*len(unknown)/(2*len(q.Clauses)))
	q.Clauses = append(worthMost(known, n-places), worthMost(unknown, places)...)
}

// searchPairs returns the pairs whose terms are both looked for. A pair weighs
// what the lighter of its terms does.
func (q *Query) searchPairs() []index.Pair {
	weight := make(map[string]float64, len(q.Clauses))
	for _, c := range q.Clauses {
		weight[c.Term] = c.Weight
	}
	var pairs []index.Pair
	for _, p := range q.pairs {
		if p.Weight = min(weight[p.First], weight[p.Second]); p.Weight > 0 {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// worthMost returns the n clauses that are worth most, in that order.
func worthMost(clauses []Clause, n int) []Clause {
	slices.SortStableFunc(clauses, func(a, b Clause) int { return cmp.Compare(b.Worth(), a.Worth()) })
	return clauses[:min(n, len(clauses))]
}
