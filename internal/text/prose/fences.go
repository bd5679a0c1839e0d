package prose

import "strings"

// fencesQuoted returns a prompt with the mark of a quotation in place of each block of code. A
// block in which another one begins goes on to the last fence: what was pasted has blocks of its
// own.
func fencesQuoted(prompt string) string {
	var b strings.Builder
	fence, above := "", ""
	for line := range strings.Lines(prompt) {
		mark, language := fenceOf(line)
		switch {
		case mark == "" && fence == "":
			b.WriteString(line)
		case mark == "":
		case fence == "":
			b.WriteString(">\n")
			if fence = mark; above == "" {
				above = b.String()
			}
		case strings.HasPrefix(mark, fence) && language:
			return above + prompt[lastFence(prompt):]
		case strings.HasPrefix(mark, fence):
			fence = ""
		}
	}
	return b.String()
}

// fenceOf returns the mark with which a line begins or ends a block of code, "" if it does not,
// and whether a language follows it, as where one begins.
func fenceOf(line string) (mark string, language bool) {
	text := strings.TrimSpace(line)
	if !strings.HasPrefix(text, "```") && !strings.HasPrefix(text, "~~~") {
		return "", false
	}
	rest := strings.TrimLeft(text, text[:1])
	return text[:len(text)-len(rest)], rest != "" && !strings.Contains(rest, " ")
}

// lastFence returns where the last line ends that begins or ends a block of code.
func lastFence(prompt string) int {
	end, at := 0, 0
	for line := range strings.Lines(prompt) {
		at += len(line)
		if mark, _ := fenceOf(line); mark != "" {
			end = at
		}
	}
	return end
}
