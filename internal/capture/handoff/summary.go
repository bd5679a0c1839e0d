package handoff

import (
	"strings"

	"recollect/internal/text/prose"
)

// summaryParts are the headings of Claude Code's summary of a compacted
// conversation, in lower case, and the name that they have here. What has no
// name is passed over: the turns themselves say it better.
var summaryParts = map[string]string{
	"primary request and intent":  "wanted",
	"primary request":             "wanted",
	"task overview":               "wanted",
	"key technical concepts":      "-",
	"files and code sections":     "-",
	"errors and fixes":            "-",
	"problem solving":             "-",
	"all user messages":           "-",
	"current state":               "work",
	"important discoveries":       "-",
	"context to preserve":         "-",
	"pending tasks":               "pending",
	"current work":                "work",
	"optional next step":          "next",
	"next step":                   "next",
	"next steps":                  "next",
	"task evolution":              "-",
	"security-relevant exchanges": "-",
}

// summaryTails are what the client writes behind a summary.
var summaryTails = [...]string{
	"\nIf you need specific details from before compaction",
	"\nPlease continue the conversation from where",
	"\nContinue the conversation from where",
	"</summary>",
}

// readSummary returns the parts of a summary by name: "wanted", "work",
// "pending", "next", and "" for one without headings.
func readSummary(text string) map[string]string {
	for _, head := range []string{"<summary>", "Summary:\n"} {
		if _, after, ok := strings.Cut(text, head); ok {
			text = after
		}
	}
	for _, tail := range summaryTails {
		text, _, _ = strings.Cut(text, tail)
	}
	parts := map[string][]string{}
	name := ""
	for _, paragraph := range prose.Paragraphs(text) {
		for _, line := range paragraph {
			heading, _, _ := strings.Cut(prose.LineWords(line), ":")
			if part, ok := summaryParts[strings.TrimRight(heading, " *")]; ok {
				name = part
				_, line, _ = strings.Cut(line, ":")
			}
			parts[name] = append(parts[name], prose.ItemWords(line))
		}
	}
	out := map[string]string{}
	for name, lines := range parts {
		if words := listedItems(lines); words != "" && name != "-" {
			out[name] = words
		}
	}
	if len(parts) > 1 {
		delete(out, "") // only what stands before the first heading
	}
	return out
}
