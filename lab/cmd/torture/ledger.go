//go:build linux

package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory"
)

// A ledger records what must be stored and what must not. It does not record requests that were not
// acknowledged.
type ledger struct {
	mu     sync.Mutex
	stored map[string]string // a word that only this memory has, by id
	gone   map[string]string
	ids    []string // keys of stored, in any order
	turns  []string // a word and the kind of each turn in a transcript
	back   []string // words of prompts that were taken back

	remembered, forgotten int
}

func newLedger() *ledger {
	return &ledger{stored: map[string]string{}, gone: map[string]string{}}
}

// remember records that storing a memory was acknowledged.
func (l *ledger) remember(id, word string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stored[id] = word
	l.ids = append(l.ids, id)
	l.remembered++
}

// turn records that a turn of some kind is in a transcript.
func (l *ledger) turn(word, kind string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turns = append(l.turns, word+" of "+kind)
}

// takeBack records that a prompt in a transcript was taken back.
func (l *ledger) takeBack(word string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.back = append(l.back, word)
}

// take returns a memory to forget, or "". Until forgetting it is acknowledged, it may be stored or not.
func (l *ledger) take(random *rand.Rand) (id, word string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ids) == 0 {
		return "", ""
	}
	i, last := random.IntN(len(l.ids)), len(l.ids)-1
	id = l.ids[i]
	l.ids[i] = l.ids[last]
	l.ids = l.ids[:last]
	word = l.stored[id]
	delete(l.stored, id)
	return id, word
}

// forget records that deleting a memory was acknowledged.
func (l *ledger) forget(id, word string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone[id] = word
	l.forgotten++
}

// some returns up to n memories that must be stored.
func (l *ledger) some(n int) map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[string]string{}
	for id, word := range l.stored {
		if len(out) == n {
			break
		}
		out[id] = word
	}
	return out
}

// compare returns the memories that are lost, stored twice, or back after they were forgotten.
func (l *ledger) compare(all []memory.Memory) (lost, twice, back []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	byID, seen := map[string]string{}, map[string]bool{}
	for _, m := range all {
		key := string(m.Source) + "\x00" + m.Project + "\x00" + m.Title + "\x00" + m.Text
		if _, ok := byID[m.ID]; ok || seen[key] && strings.Contains(m.Text, unique) {
			twice = append(twice, m.ID)
		}
		byID[m.ID], seen[key] = m.Text, true
	}
	for id, word := range l.stored {
		if !strings.Contains(byID[id], word) {
			lost = append(lost, id)
		}
	}
	for id, word := range l.gone {
		if strings.Contains(byID[id], word) {
			back = append(back, id)
		}
	}
	return lost, twice, back
}

// missing returns the turns whose words are in no memory.
func (l *ledger) missing(all []memory.Memory) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var text strings.Builder
	for _, m := range all {
		text.WriteString(m.Title + "\n" + m.Text + "\n")
	}
	has := text.String()
	return slices.DeleteFunc(slices.Clone(l.turns), func(turn string) bool {
		word, _, _ := strings.Cut(turn, " ")
		return strings.Contains(has, word)
	})
}

// learnedAgain returns the words of prompts that were taken back but are in a memory.
func (l *ledger) learnedAgain(all []memory.Memory) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(l.back), func(word string) bool {
		return !slices.ContainsFunc(all, func(m memory.Memory) bool { return strings.Contains(m.Title+"\n"+m.Text, word) })
	})
}
