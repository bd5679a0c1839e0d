package reader

import (
	"fmt"
	"strings"

	"recollect/internal/recall"
	"recollect/internal/text/prose"
)

// task is what the model is asked to do with a prompt.
const task = `A user has sent a prompt to a coding agent. Below it are notes from earlier sessions, by number, the likeliest first;
before it, what the agent said last in this session, if anything.
Choose the notes without which the agent would answer worse: the decision, cause, rule, fix, number, name or state of work
that this prompt is about or builds on.
Leave out what the session has said already, what the agent sees as soon as it opens the files that it works on, what says
the same as a note that you chose, accounts of work that the prompt does not build on, and notes that only share words with it.
Choose as few as do, 4 at most, the best first. Most prompts need none: then answer {"yes": []}.`

// How much the model reads, in bytes.
const (
	maxPrompt = 4 << 10
	maxReply  = 1 << 10
)

// A Question is what a model is asked: a prompt, what Claude had said before it, and what may be injected.
type Question struct {
	Prompt, Reply string
	Offered       []recall.Offer
}

// text returns the question as the model reads it, each statement on a line with its number.
func (q Question) text() string {
	var b strings.Builder
	if q.Reply != "" {
		fmt.Fprintf(&b, "The agent said last:\n%s\n\n", prose.CutMiddle(q.Reply, maxReply))
	}
	fmt.Fprintf(&b, "The prompt:\n%s\n\nThe notes:\n", prose.CutMiddle(q.Prompt, maxPrompt))
	for i, o := range q.Offered {
		fmt.Fprintf(&b, "%d. %s\n", i+1, prose.Fold(o.Entry))
	}
	return b.String()
}
