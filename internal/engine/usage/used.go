package usage

import (
	"encoding/json"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// The evidence that a memory was used, in points. One name may be chance, so may
// two pairs of words: together with another they are not.
const (
	enough      = 4
	enoughShort = 2 // of a memory of at most shortMemory words
	shortMemory = 12
	surely      = 100 // the memory's id
)

// usedIn reports which of the memories that were injected Claude made use of in
// a turn: their names, numbers or pairs of words are in what it did or said,
// or it ran a command that they recommend, and it had them neither from the
// prompt nor from a tool. Words that are
// common among all memories prove nothing. usedIn would rather miss a use than
// see one: what is only obeyed, as a rule that something be left undone, does
// not count.
func usedIn(t claudecode.Turn, injected []memory.Memory, common func(word string) bool) []bool {
	n := newSignIndex(injected, common)
	scanTerms(t.Prompt, n.see)
	for _, a := range t.Actions {
		for _, text := range textsGiven(a) {
			scanTerms(text, n.use)
		}
		for _, word := range strings.FieldsFunc(a.Command, prose.NotInName) {
			n.use(term{text: commandMark + strings.ToLower(word)})
		}
		scanTerms(a.Output, n.see)
	}
	for _, reply := range t.Replies {
		scanTerms(reply, n.use)
	}
	out := make([]bool, len(injected))
	for i, m := range injected {
		out[i] = n.points(i) >= pointsNeeded(m) || ranRecommended(t, m)
	}
	return out
}

// pointsNeeded is how many points a memory needs to count as used.
func pointsNeeded(m memory.Memory) int {
	if len(strings.Fields(m.Title+" "+m.Body())) <= shortMemory {
		return enoughShort
	}
	return enough
}

// A signIndex holds the signs by which memories are recognised, each until it is met.
type signIndex struct {
	signs map[string][]sign
	found map[place]int // points
}

// A place is a run of text in a memory. Whatever of it is met counts once.
type place struct{ memory, run int }

// A sign is a term that stands in a memory.
type sign struct {
	place
	points int
}

// Runs that stand in no text.
const (
	runID = -1 - iota
	runCommand
)

func newSignIndex(injected []memory.Memory, common func(word string) bool) *signIndex {
	n := &signIndex{signs: map[string][]sign{}, found: map[place]int{}}
	for i, m := range injected {
		text := m.Title + "\n" + m.Body()
		n.add(m.ID, sign{place{i, runID}, surely})
		scanTerms(text, func(t term) {
			if p := t.points(); p > 0 && !slices.ContainsFunc(t.words(), common) {
				n.add(t.text, sign{place{i, t.run}, p})
			}
		})
		if pointsNeeded(m) == enoughShort {
			for word := range namedTools(text) {
				n.add(commandMark+word, sign{place{i, runCommand}, enoughShort})
			}
		}
	}
	return n
}

// add records a term as a sign of a memory, where it stands first in it.
func (n *signIndex) add(text string, s sign) {
	if !slices.ContainsFunc(n.signs[text], func(other sign) bool { return other.memory == s.memory }) {
		n.signs[text] = append(n.signs[text], s)
	}
}

// see passes a term over for good: Claude had it from elsewhere.
func (n *signIndex) see(t term) {
	delete(n.signs, t.text)
	delete(n.signs, commandMark+t.text)
}

// use counts a term, once.
func (n *signIndex) use(t term) {
	for _, s := range n.signs[t.text] {
		n.found[s.place] = max(n.found[s.place], s.points)
	}
	delete(n.signs, t.text)
}

// points returns what was found of a memory.
func (n *signIndex) points(memory int) int {
	sum := 0
	for p, points := range n.found {
		if p.memory == memory {
			sum += points
		}
	}
	return sum
}

// commandMark stands before words that count in a command alone.
const commandMark = "$ "

// namedTools yields the words of a short memory that name a tool if they are
// met in a command. What stands behind "not" or "instead of" is not wanted.
func namedTools(text string) map[string]bool {
	out := map[string]bool{}
	for _, clause := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(".,;:!?\n", r) }) {
		for _, word := range strings.FieldsFunc(clause, prose.NotInName) {
			if unwanted[word] {
				break
			}
			if len(word) > 2 && !vagueWords[word] && !everydayTools[word] {
				out[word] = true
			}
		}
	}
	return out
}

// textsGiven returns the texts that Claude gave a tool, but for what an edit
// replaces: that was there before.
func textsGiven(a claudecode.Action) []string {
	var input any
	if json.Unmarshal([]byte(a.Input), &input) != nil {
		return []string{a.Command, a.File}
	}
	return texts(nil, input)
}

func texts(out []string, v any) []string {
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v {
			out = texts(out, e)
		}
	case map[string]any:
		for key, e := range v {
			if key != "old_string" {
				out = texts(out, e)
			}
		}
	}
	return out
}
