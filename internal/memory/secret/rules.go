package secret

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/classifier"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/keywords"
	"recollect/internal/memory/secret/looks"
)

// A rule describes one kind of secret.
type rule struct {
	Kind     string   `json:"kind"`
	Where    string   `json:"where"`
	Keywords []string `json:"keywords"`          // one of them is near each match, in any case of letters
	Regexp   string   `json:"regexp"`            // its first group that matched is the secret, else all is
	Group    int      `json:"group,omitempty"`   // of Regexp that is the secret, where it is not the first
	Entropy  float64  `json:"entropy,omitempty"` // bits a character that a secret must exceed
	Not      []string `json:"not,omitempty"`     // regular expressions of what is not a secret
	Options  []string `json:"-"`                 // of a command
	Unless   string   `json:"-"`                 // the name in exceptions of what is no secret after all
	Takes    string   `json:"-"`                 // an example with a secret
	Refuses  string   `json:"-"`                 // an example without one

	compiled func() patterns
	isNone   func(secret string) bool // reports what is no secret after all; nil if there is no more to say
}

// patterns are the regular expressions of a rule.
type patterns struct {
	is  *regexp.Regexp
	not []*regexp.Regexp
}

//go:embed gitleaks.json
var gitleaksJSON []byte

// rules are all rules and what finds them in a text.
type rules struct {
	list  []rule
	words *keywords.Finder
	of    [][]uint16 // by word: its rules
}

func newRules() *rules {
	var theirs []rule
	if err := json.Unmarshal(gitleaksJSON, &theirs); err != nil {
		panic(err) // a test reads it
	}
	before, after := ownRules()
	return prepareRules(slices.Concat(before, theirs, after))
}

func prepareRules(list []rule) *rules {
	r := &rules{list: list}
	for i := range r.list {
		rule := &r.list[i]
		rule.compiled = sync.OnceValue(rule.compile)
	}
	var words []string
	words, r.of = uniqueWords(r.list)
	r.words = keywords.New(words)
	return r
}

// uniqueWords lists the keywords of rules, each once, and which rules each
// belongs to.
func uniqueWords(rules []rule) (words []string, of [][]uint16) {
	number := map[string]int{}
	for i := range rules {
		for _, w := range rules[i].Keywords {
			w = strings.ToLower(w)
			n, ok := number[w]
			if !ok {
				n = len(words)
				number[w] = n
				words, of = append(words, w), append(of, nil)
			}
			of[n] = append(of[n], uint16(i))
		}
	}
	return words, of
}

// compile compiles the regular expressions of a rule. It is called when the rule's keyword
// occurs for the first time, because all rules together take 10 ms.
func (r *rule) compile() patterns {
	p := patterns{is: regexp.MustCompile(r.Regexp)}
	for _, not := range r.Not {
		p.not = append(p.not, regexp.MustCompile(not))
	}
	return p
}

// find returns the secrets in s, in no order. None is within a marker.
func (r *rules) find(s string) []form.Span {
	found := r.findByRules(s)
	found = append(found, r.findLikely(s, found)...)
	return append(found, findAlike(s, found)...)
}

// findByRules returns what the rules find, as find does.
func (r *rules) findByRules(s string) []form.Span {
	in := search{text: s}
	r.words.Scan(s, func(word uint16, start, end int) {
		for _, n := range r.of[word] {
			in.searchAt(keyword{rule: &r.list[n], rank: int(n), start: start, end: end})
		}
	})
	found := slices.Concat(in.found, form.FindKeyBlocks(s), form.FindCards(s), form.FindIBANs(s), form.FindWrappedTokens(s),
		findAnswers(s), form.FindSeedPhrases(s), form.FindKeyRuns(s), form.FindByteLists(s), findCorrections(s))
	if len(found) == 0 {
		return nil
	}
	return outsideMarks(found, findMarkers(s))
}

// findLikely returns what is a secret by the words around it, beside what the rules found.
func (r *rules) findLikely(s string, found []form.Span) []form.Span {
	var out []form.Span
	for _, j := range classifier.Find(s) {
		value := s[j.Start:j.End]
		known := slices.ContainsFunc(found, func(f form.Span) bool { return f.Start < j.End && j.Start < f.End })
		if !known && !looks.IsNoValue(value) && !isMistaken(s, j.Start, j.End) {
			out = append(out, form.Span{Start: j.Start, End: j.End, Kind: "likely", Rank: len(r.list)})
		}
	}
	return out
}

// outsideMarks returns the spans that none of the marks touches, which are in order.
func outsideMarks(found, marked []form.Span) []form.Span {
	return slices.DeleteFunc(found, func(f form.Span) bool {
		i, _ := slices.BinarySearchFunc(marked, f.Start, func(m form.Span, start int) int { return m.End - start - 1 })
		return i < len(marked) && marked[i].Start < f.End
	})
}

// findMatches returns the secrets of a rule in s.
func (r *rule) findMatches(s string) []form.Span {
	p := r.compiled()
	var out []form.Span
	for _, m := range p.is.FindAllStringSubmatchIndex(s, -1) {
		start, end := m[0], m[1]
		for g := 2 * max(1, r.Group); g < len(m); g += 2 {
			if m[g] >= 0 && m[g] < m[g+1] {
				start, end = m[g], m[g+1]
				break
			}
		}
		if r.isSecret(s[start:end], p.not) {
			out = append(out, form.Span{Start: start, End: end, Kind: r.Kind})
		}
	}
	return out
}

// isSecret reports whether what looks like a secret is none that stands for one.
func (r *rule) isSecret(s string, not []*regexp.Regexp) bool {
	switch {
	case looks.IsPlaceholder(s), r.Entropy > 0 && looks.EntropyOf(s) <= r.Entropy, r.isNone != nil && r.isNone(s):
		return false
	}
	for _, n := range not {
		if n.MatchString(s) {
			return false
		}
	}
	return true
}
