package reader

import (
	"fmt"
	"strings"

	"recollect/internal/recall"
	"recollect/internal/text/prose"
)

// task is what the model is asked to do with a prompt.
const task = `A user has sent a prompt to a coding agent. Below it are notes from earlier sessions, by number, the likeliest first.
Choose the notes that the agent needs to answer this prompt well and cannot know otherwise: the decision, cause, rule, fix,
number or state of work that the prompt is about. Choose 5 at most, the best first.

Notes that only share words with the prompt, say what it says itself, or what anybody knows, are no answer. Most prompts need none: then answer {"yes": []}.`

// maxPrompt is how much of a prompt the model reads, in bytes.
const maxPrompt = 4 << 10

// questionOf returns the question for a prompt: the prompt, and each statement on a line with its number.
func questionOf(prompt string, offered []recall.Offer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The prompt:\n%s\n\nThe notes:\n", prose.CutMiddle(prompt, maxPrompt))
	for i, o := range offered {
		fmt.Fprintf(&b, "%d. %s\n", i+1, prose.Fold(o.Entry))
	}
	return b.String()
}
