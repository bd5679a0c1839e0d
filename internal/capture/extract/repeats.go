package extract

import (
	"strings"

	"recollect/internal/capture/extract/statements"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

const (
	runOfWords   = 4   // words in a row that two texts hardly have in common by chance
	mostRepeated = 0.5 // share of a sentence's runs from which on it repeats a text
)

// repeatsSource reports whether a sentence of Claude's repeats what a tool printed, or what the user
// pasted: then it is a quotation, and no decision of anybody's here.
func (s *Turn) repeatsSource(sentence string) bool {
	runs := runsOf(sentence)
	if len(runs) == 0 {
		return false
	}
	found := map[string]bool{}
	for _, a := range s.Actions {
		if !ofList(a.Tool) {
			removeFound(found, runs, clean.Text(a.Output))
		}
	}
	removeFound(found, runs, s.Asked)
	own := map[string]bool{}
	removeFound(own, runs, strings.Join(s.asked.Sentences(), "\n"))
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

// Elsewhere reports whether what is to be done, in these words, comes from what a tool printed in
// the turn, or from what the user forwarded or pasted: then it is data, and nobody's plan here.
func (s *Turn) Elsewhere(task string) bool { return s.repeatsSource(task) || s.ListedElsewhere(task) }

// ListedElsewhere is Elsewhere for an item of Claude's own list, which may well say what the user
// pasted to have it done: only a line that says of itself that it is to be done counts.
func (s *Turn) ListedElsewhere(task string) bool {
	for _, a := range s.Actions {
		if !ofList(a.Tool) && hasTodo(a.Output, task) {
			return true
		}
	}
	return hasTodo(s.Asked, task) && !hasTodo(s.asked.Typed(), task)
}

// ofList reports whether a tool keeps Claude's own list, whose output repeats it.
func ofList(tool string) bool { return tool == "TodoWrite" || strings.HasPrefix(tool, "Task") }

// hasTodo reports whether a text has a line by which a task is to be done.
func hasTodo(text, task string) bool {
	words := strings.Join(prose.PlainWords(strings.ToLower(task)), " ")
	if words == "" {
		return false
	}
	for _, found := range statements.GoalRules().Todo.FindAllStringSubmatch(text, -1) {
		line := strings.Join(prose.PlainWords(strings.ToLower(found[1])), " ")
		if strings.Contains(line, words) || line != "" && strings.Contains(words, line) {
			return true
		}
	}
	return false
}

// removeFound adds to found those of runs that a text has.
func removeFound(found, runs map[string]bool, text string) {
	words := prose.PlainWords(strings.ToLower(text))
	for i := 0; i+runOfWords <= len(words); i++ {
		if run := strings.Join(words[i:i+runOfWords], " "); runs[run] {
			found[run] = true
		}
	}
}
