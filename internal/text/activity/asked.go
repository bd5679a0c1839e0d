package activity

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// Bounds of a prompt in which activities are looked for. A longer one has pasted text; its
// author's own words stand at the beginning and at the end.
const (
	maxPrompt  = 900 // bytes
	promptHead = 600
	promptTail = 200
	maxAsking  = 240 // bytes of a sentence that asks for something
	maxOrders  = 24  // sentences and clauses
)

// Asked returns the activities that a prompt asks for: "commit" for "looks good, check it in",
// none for "what does commit 1234 do".
func Asked(prompt string) []string {
	if len(prompt) > maxPrompt {
		prompt = memory.Clip(prompt, promptHead) + "\n" + strings.ToValidUTF8(prompt[len(prompt)-promptTail:], "")
	}
	var out []string
	for _, order := range ordersIn(prompt) {
		out = join(out, askedSigns().meaningOf(order))
		if rules().Typed.MatchString(order) {
			out = join(out, OfCommand(order))
		}
	}
	return out
}

// ordersIn returns what may be an order in a prompt, in lower case and without what leads in
// to it: its sentences, and their clauses.
func ordersIn(prompt string) []string {
	var out []string
	for _, sentence := range prose.Sentences(prompt) {
		if len(sentence) > maxAsking {
			continue
		}
		sentence = strings.ToLower(strings.Trim(sentence, " .!?…"))
		clauses := []string{sentence}
		if !rules().Question.MatchString(withoutLead(sentence)) {
			clauses = append(clauses, strings.Split(rules().Divider.ReplaceAllString(sentence, "\n"), "\n")...)
		}
		for _, c := range clauses {
			c = withoutLead(strings.TrimSpace(c))
			if len(out) == maxOrders {
				return out
			}
			if c != "" && !slices.Contains(out, c) && !rules().Mention.MatchString(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

func withoutLead(order string) string { return order[len(rules().Lead.FindString(order)):] }
