package activity

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/prose"
)

// Bounds of a prompt in which activities are looked for. A longer one has pasted text; its
// author's own words stand at the beginning and at the end.
const (
	maxPrompt  = 900 // bytes
	promptHead = 600
	promptTail = 200
	maxAsking  = 240 // bytes of a sentence that asks for something
)

// Asked returns the activities that a prompt asks for: "commit" for "looks good, check it in",
// none for "what does commit 1234 do".
func Asked(prompt string) []string {
	if len(prompt) > maxPrompt {
		prompt = memory.Clip(prompt, promptHead) + "\n" + strings.ToValidUTF8(prompt[len(prompt)-promptTail:], "")
	}
	var out []string
	for _, sentence := range prose.Sentences(prompt) {
		if len(sentence) > maxAsking {
			continue
		}
		sentence = strings.ToLower(strings.Trim(sentence, " .!…"))
		out = join(out, meant(rules().Asked, sentence))
		for _, clause := range strings.Split(rules().Divider.ReplaceAllString(sentence, "\n"), "\n") {
			if clause != sentence {
				out = join(out, meant(rules().Asked, strings.TrimSpace(clause)))
			}
		}
	}
	return out
}
