package extract

import (
	"strings"

	"recollect/internal/clean"
	"recollect/internal/prose"
)

const (
	runOfWords   = 4   // words in a row that two texts hardly have in common by chance
	mostRepeated = 0.5 // share of a sentence's runs from which on it repeats a text
)

// repeats reports whether a sentence of Claude's repeats what a tool printed, or what the user
// pasted: then it is a quotation, and no decision of anybody's here.
func (s *Scene) repeats(sentence string) bool {
	runs := runsOf(sentence)
	if len(runs) == 0 {
		return false
	}
	found := map[string]bool{}
	for _, a := range s.Actions {
		meet(found, runs, clean.Text(a.Output))
	}
	meet(found, runs, s.Asked)
	own := map[string]bool{}
	meet(own, runs, strings.Join(prose.OwnSentences(s.Asked), "\n"))
	n := 0
	for run := range found {
		if !own[run] {
			n++
		}
	}
	return float64(n) >= mostRepeated*float64(len(runs))
}

// runsOf returns the runs of words in a text.
func runsOf(text string) map[string]bool {
	runs := map[string]bool{}
	words := prose.PlainWords(strings.ToLower(text))
	for i := 0; i+runOfWords <= len(words); i++ {
		runs[strings.Join(words[i:i+runOfWords], " ")] = true
	}
	return runs
}

// meet adds to found those of runs that a text has.
func meet(found, runs map[string]bool, text string) {
	words := prose.PlainWords(strings.ToLower(text))
	for i := 0; i+runOfWords <= len(words); i++ {
		if run := strings.Join(words[i:i+runOfWords], " "); runs[run] {
			found[run] = true
		}
	}
}
