package recall

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

// maxAnalysed is how much of a prompt is read for terms, in bytes, of its beginning and its end.
const maxAnalysed = 16 << 10

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

// longPrompt is the number of different terms beyond which a prompt's first
// line is weighted up.
const longPrompt = 16

// Of a very long prompt this many different terms are looked up.
const (
	firstClauses = 120
	lastClauses  = 80
)

// A clause is one word of the query.
type clause struct {
	term     string
	whole    bool // a whole identifier, an acronym, or something with a number
	common   bool // a word that any prompt may have
	weight   float64
	usual    float64    // share of developers' texts that have the word
	surface  string     // as it stands in the prompt
	idf      float64    // rarity
	found    int        // memories that have the term itself
	synonyms []*synonym // other names that may stand for it, or for it and the clauses beside it
	order    int        // position in the prompt
	times    int        // how often it stands there
	evidence bool       // from a paste: what meets it counts, what does not is not missed
}

// worth is what a clause contributes to relevance when it is met.
func (c *clause) worth() float64 { return c.weight * c.idf }

// A query is what a prompt asks for.
type query struct {
	prompt   string
	clauses  []clause
	pairs    []index.Pair
	written  []string        // terms of the prompt in its order, one for each written word
	mentions map[string]bool // terms of the prompt, before trim
	length   int             // how many those are
	times    []dates.Window  // that the prompt names
	latest   bool            // the prompt asks for what happened last
	goals    bool            // the prompt speaks of goals or plans
	everyday float64         // see featEveryday

	named map[string]bool // who was asked for by names, and the answer
}

// significant reports whether the query has a term that says what the prompt
// is about.
func (q *query) significant() bool {
	return slices.ContainsFunc(q.clauses, func(c clause) bool { return !c.common })
}

// words lists the terms that say what the prompt is about and that occur in some memory.
func (q *query) words() []string {
	var out []string
	for _, c := range q.clauses {
		if !c.common && c.found > 0 && !c.evidence {
			out = append(out, c.term)
		}
	}
	return out
}

// newQuery reads a prompt that was typed at now as a whole, if no more is pasted into it than into a
// bug report. The rarity of its terms is not known yet; see weigh.
func newQuery(text string, now time.Time) query {
	longest := slices.MaxFunc(prompt.Readings(text), func(a, b prompt.Reading) int { return cmp.Compare(len(a.Question), len(b.Question)) })
	return queryOf(longest, now)
}

// queryOf makes the query for one reading of a prompt.
func queryOf(r prompt.Reading, now time.Time) query {
	q := readQuery(r.Question, now)
	if r.Evidence != "" && !q.beyondPaste() { // such as "fix this error": it is about the paste
		q = readQuery(r.Question+"\n"+r.Evidence, now)
		q.everyday = prompt.UnknownEveryday
		return q
	}
	q.addEvidence(r.Evidence)
	q.everyday = prompt.EverydayProbability(r.Question)
	return q
}

// saysMore reports whether a reading's question says more than that something pasted is wrong.
func saysMore(r prompt.Reading, now time.Time) bool {
	q := readQuery(r.Question, now)
	return q.beyondPaste()
}

// beyondPaste reports whether the query of a question says more than that something pasted
// is wrong.
func (q *query) beyondPaste() bool {
	return slices.ContainsFunc(q.clauses, func(c clause) bool { return !c.common && !pasteStems[c.term] })
}

func readQuery(prompt string, now time.Time) query {
	prompt = memory.ClipMiddle(prompt, maxAnalysed)
	tokens := index.Analyze(prompt)
	q := query{prompt: prompt, times: dates.In(prompt, now), latest: dates.AsksForLatest(prompt), pairs: index.Pairs(tokens)}
	language := index.LanguageOf(prompt)
	q.read(slices.DeleteFunc(tokens, language.Stops), len(slices.DeleteFunc(index.Analyze(firstLine(prompt)), language.Stops)))
	return q
}

// evidenceWeight is the weight of a term that only a paste has. maxEvidence is how many of
// them are looked up.
const (
	evidenceWeight = 0.25
	maxEvidence    = 24
)

// addEvidence adds the terms that only the telling lines of a paste have.
func (q *query) addEvidence(text string) {
	n := 0
	for _, t := range index.Analyze(text) {
		if n == maxEvidence {
			return
		}
		if q.mentions[t.Text] || common(t.Text) || slices.ContainsFunc(q.clauses, func(c clause) bool { return c.term == t.Text }) {
			continue
		}
		q.clauses = append(q.clauses, clause{term: t.Text, weight: evidenceWeight, usual: usualShare(t.Surface), order: len(q.clauses), times: 1, evidence: true})
		n++
	}
}

// read makes a clause of every different token. As many of them as leading says
// stand in the first line.
func (q *query) read(tokens []index.Token, leading int) {
	parts := partsOf(tokens)
	seen := map[string]int{}
	for i, t := range tokens {
		q.goals = q.goals || goalTerms[t.Text]
		weight := 1.0
		switch {
		case common(t.Text):
			weight = commonWeight
		case parts[i]:
			weight = partWeight
		}
		if at, ok := seen[t.Text]; ok {
			q.clauses[at].weight = max(q.clauses[at].weight, weight)
			q.clauses[at].times++
			continue
		}
		seen[t.Text] = len(q.clauses)
		q.clauses = append(q.clauses, clause{
			term: t.Text, whole: t.Whole || acronym(t.Surface) || strings.ContainsAny(t.Text, "0123456789"), common: common(t.Text),
			weight: weight, usual: usualShare(t.Surface), surface: t.Surface, order: i, times: 1,
		})
	}
	q.length = len(q.clauses)
	q.written = written(tokens)
	q.mentions = make(map[string]bool, len(seen))
	for term := range seen {
		q.mentions[term] = true
	}
	for i := range q.clauses {
		c := &q.clauses[i]
		c.weight *= (k3 + 1) * float64(c.times) / (k3 + float64(c.times))
		if q.length > longPrompt && c.order < leading {
			c.weight *= firstLineWeight
		}
	}
}

// names reports whether the prompt names somebody. The candidates are of a few projects and
// agents, so each is analysed once.
func (q *query) names(who string) bool {
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

// acronym reports whether a word was typed in capitals throughout, which makes it a name.
func acronym(word string) bool {
	return len(word) > 2 && word == strings.ToUpper(word) && word != strings.ToLower(word)
}

// firstLine returns the first line of a prompt that has text.
func firstLine(prompt string) string {
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
func (q *query) shorten() {
	if len(q.clauses) > firstClauses+lastClauses {
		q.clauses = slices.Delete(q.clauses, firstClauses, len(q.clauses)-lastClauses)
	}
}

// terms lists everything whose frequency is needed: each clause's term, then the synonyms.
func (q *query) terms() []string {
	var out []string
	for _, c := range q.clauses {
		out = append(out, c.term)
	}
	for _, s := range q.synonyms() {
		out = append(out, s.terms)
	}
	return out
}

// weigh sets each clause's rarity from the frequencies of terms(), in their
// order, among docs memories, and leaves out synonyms that no memory has. A word
// is as rare as it and the user's own synonyms are together.
func (q *query) weigh(frequencies []int, docs int) {
	found := map[*synonym]int{}
	for i, s := range q.synonyms() {
		found[s] = frequencies[len(q.clauses)+i]
		s.idf = index.IDF(min(found[s], docs), docs)
	}
	for i := range q.clauses {
		c := &q.clauses[i]
		c.found = frequencies[i]
		c.synonyms = slices.DeleteFunc(c.synonyms, func(s *synonym) bool { return found[s] == 0 })
		together := c.found
		for _, s := range c.synonyms {
			if s.own {
				together += found[s]
			}
		}
		c.idf = index.IDF(min(together, docs), docs)
		c.weight *= rarity(together, docs, c.usual) / c.idf
	}
	q.clauses = slices.DeleteFunc(q.clauses, func(c clause) bool { return c.evidence && c.found == 0 })
}

// maxUnknown is how many of the words that occur in no memory remain in the query: a pasted log is
// full of them.
const maxUnknown = 4

// trim cuts the query to the n clauses that are worth most. Unknown words, which occur in no memory,
// remain in half their share, since they show that the prompt may be about something new, but at
// most maxUnknown of them, so that they do not crowd out the rest.
func (q *query) trim(n int) {
	if len(q.clauses) <= n {
		return
	}
	var known, unknown []clause
	for _, c := range q.clauses {
		if c.found > 0 || len(c.synonyms) > 0 {
			known = append(known, c)
		} else {
			unknown = append(unknown, c)
		}
	}
	places := min(maxUnknown, n*len(unknown)/(2*len(q.clauses)))
	q.clauses = append(worthMost(known, n-places), worthMost(unknown, places)...)
}

// searchPairs returns the pairs whose terms are both looked for. A pair weighs
// what the lighter of its terms does.
func (q *query) searchPairs() []index.Pair {
	weight := make(map[string]float64, len(q.clauses))
	for _, c := range q.clauses {
		weight[c.term] = c.weight
	}
	var pairs []index.Pair
	for _, p := range q.pairs {
		if p.Weight = min(weight[p.First], weight[p.Second]); p.Weight > 0 {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// rarestOf returns the numbers of the clauses that are worth most.
func rarestOf(clauses []clause) []int {
	at := make([]int, len(clauses))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(clauses[b].worth(), clauses[a].worth()) })
	return at[:min(rarestClauses, len(at))]
}

// worthMost returns the n clauses that are worth most, in that order.
func worthMost(clauses []clause, n int) []clause {
	slices.SortStableFunc(clauses, func(a, b clause) int { return cmp.Compare(b.worth(), a.worth()) })
	return clauses[:min(n, len(clauses))]
}

// rarestClauses is how many of the rarest words count on their own.
const rarestClauses = 3

// maxTerms is how many terms a search can tell apart: bits of index.Hit.
const maxTerms = 64

// An owner is the clauses that a term of the search stands for, and how far the term meets them.
type owner struct {
	clauses []int
	value   float64
}

// searchTerms lists the terms of the search in the index, and for each its clauses. The
// clauses' own terms come first, so that synonyms cannot displace them.
func searchTerms(q *query, synonymWeight float64) (terms []index.Term, owners []owner) {
	for i, c := range q.clauses {
		terms = append(terms, index.Term{Text: c.term, Weight: c.weight})
		owners = append(owners, owner{[]int{i}, 1})
	}
	others, theirs := q.synonymTerms(synonymWeight)
	room := min(len(others), max(0, maxTerms-len(terms)))
	return append(terms, others[:room]...), append(owners, theirs[:room]...)
}
