package consolidate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"recollect/internal/prose"
)

// keys find what a memory may have to be compared with: those that share one
// of the exact keys and, for one that changes something, all that share a pair
// of words with it.
type keys struct {
	exact   []string
	words   []string // sorted
	changes bool
}

// keysOf are the keys of a decision or a wish: what is chosen and what is not,
// what it is one of, what it answers, how its clauses begin, and the title.
func keysOf(s *statement) keys {
	switch {
	case s.subject == nil:
		return keys{}
	case s.saying == nil:
		return keys{exact: s.subject.keys()}
	}
	k := keys{exact: append(s.subject.keys(), s.saying.keys()...)}
	k.words = s.saying.all[:min(len(s.saying.all), maxKeyWords)]
	k.changes = s.saying.whole || s.saying.changes || s.saying.options || len(s.saying.givenUp)+len(s.saying.denied) > 0
	return k
}

// maxKeyWords bounds the words whose pairs are looked up.
const maxKeyWords = 40

// keys are those for same.
func (s *subject) keys() []string {
	c := s.claim
	key := func(kind string, words []string) string {
		return kind + strings.Join(c.scope, " ") + "|" + strings.Join(words, " ")
	}
	keys := []string{"title " + strings.ToLower(s.Title)}
	if matter := cmp.Or(s.question, s.topic); matter != "" {
		keys = append(keys, "matter "+matter)
	}
	for _, thing := range [][]string{c.chosen, c.rejected} {
		if len(thing) > 0 {
			keys = append(keys, key("thing ", thing))
		}
	}
	if word, rest := pick(c.chosen); word != "" {
		keys = append(keys, key(fmt.Sprint("one of ", prose.FamilyOf(word), " "), rest))
	}
	return keys
}

// keys are those for amends, where nothing announces a change: how the clauses
// begin, the question, and a short answer or what a later saying calls it.
func (s *saying) keys() []string {
	var keys []string
	for i := range s.clauses {
		var begin []string
		for _, t := range s.clauses[i].tokens {
			if !t.joins && t.word != "" && len(begin) < 2 {
				begin = append(begin, t.word)
			}
		}
		keys = append(keys, "begin "+strings.Join(prose.SortedSet(begin), " "))
	}
	if len(s.asked) > 1 {
		keys = append(keys, "asked "+strings.Join(s.asked, " "))
	}
	if said := s.content(); len(said) < 3 {
		keys = append(keys, "answer "+strings.Join(said, " "))
	}
	for _, p := range s.givenUp {
		if len(p.words) < 3 {
			keys = append(keys, "answer "+strings.Join(p.words, " "))
		}
	}
	return keys
}

// pairsOf returns the pairs i < j of all that share a key, in order.
func pairsOf(all []*statement, keysOf func(*statement) keys) [][2]int {
	pairs := map[[2]int]bool{}
	having, changing := map[string][]int{}, map[[2]string][]int{}
	every := make([]keys, len(all))
	for i, s := range all {
		every[i] = keysOf(s)
		for _, key := range prose.SortedSet(every[i].exact) {
			having[key] = append(having[key], i)
		}
		if every[i].changes {
			for pair := range wordPairs(every[i].words) {
				changing[pair] = append(changing[pair], i)
			}
		}
	}
	for _, list := range having {
		for n, i := range list {
			for _, j := range list[n+1:] {
				pairs[[2]int{i, j}] = true
			}
		}
	}
	for i := range all {
		for pair := range wordPairs(every[i].words) {
			for _, j := range changing[pair] {
				if i != j {
					pairs[[2]int{min(i, j), max(i, j)}] = true
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(pairs), func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
}

// wordPairs yields each two of the words.
func wordPairs(words []string) func(func([2]string) bool) {
	return func(yield func([2]string) bool) {
		for i, a := range words {
			for _, b := range words[i+1:] {
				if !yield([2]string{a, b}) {
					return
				}
			}
		}
	}
}
