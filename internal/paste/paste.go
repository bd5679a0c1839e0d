// Package paste separates what somebody typed in a prompt from what they pasted
// into it.
package paste

import (
	"slices"
	"strings"
	"unicode"

	"recollect/internal/memory"
)

// A prompt may have a log, a trace, data or code pasted into it, which has far more words
// than what is asked. Then the lines around it are the question, and of the paste only the
// lines that tell what went wrong matter, as evidence. A bug report with an example in it is
// read as a whole: the names in its code say what it is about.

const (
	mostTyped     = 80  // pasted lines with which a prompt is still read as a whole, like a bug report with its example
	pasteLines    = 8   // so many lines of a machine's text are a paste
	pasteGap      = 3   // lines in a row that do not look like a machine's, within a paste
	mostEvidence  = 6   // lines
	evidenceBytes = 200 // of a line
)

// MaxBytes is how much of a prompt is read.
const MaxBytes = 64 << 10

// Split returns what a prompt asks, and the telling lines of what is pasted into it. A prompt
// with nothing else than a paste asks about its telling lines.
func Split(prompt string) (question, evidence string) {
	prompt = memory.Clip(prompt, MaxBytes)
	if strings.Count(prompt, "\n") < mostTyped {
		return prompt, ""
	}
	lines := strings.Split(prompt, "\n")
	pasted := pastedLines(lines)
	var asked, paste []string
	for i, line := range lines {
		if pasted[i] {
			paste = append(paste, line)
		} else {
			asked = append(asked, line)
		}
	}
	if len(paste) <= mostTyped {
		return prompt, ""
	}
	question = strings.TrimSpace(strings.Join(asked, "\n"))
	evidence = strings.Join(telling(paste), "\n")
	if question == "" {
		return evidence, ""
	}
	return question, evidence
}

// pastedLines marks the lines that belong to a paste.
func pastedLines(lines []string) []bool {
	pasted := make([]bool, len(lines))
	first, last, size, gap := -1, -1, 0, 0 // lines of a machine, those with text from the first to here, those since the last
	end := func() {
		if size-gap >= pasteLines {
			mark(lines, pasted, first, last)
		}
		first, size, gap = -1, 0, 0
	}
	for i, line := range lines {
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case machine(line):
			if first < 0 {
				first = i
			}
			last, gap = i, 0
		case first < 0:
			continue
		case gap == pasteGap:
			end()
			continue
		default:
			gap++
		}
		size++
	}
	end()
	return pasted
}

// mark marks a paste, and the rest of the paragraphs that it begins and ends in. What is
// asked in one of its lines, and the prompt's own first and last line, are no part of it.
func mark(lines []string, pasted []bool, first, last int) {
	inside := func(i int) bool { return i > 0 && i < len(lines)-1 && strings.TrimSpace(lines[i]) != "" }
	for inside(first - 1) {
		first--
	}
	for inside(last + 1) {
		last++
	}
	for i := first; i <= last; i++ {
		pasted[i] = machine(lines[i]) || !strings.HasSuffix(strings.TrimSpace(lines[i]), "?")
	}
}

// machineShare is the share of digits and marks in a line from which on no person wrote it.
const machineShare = 0.15

// machine reports whether a line looks like a program's output, data or code: it begins like
// one, is set far in, or has many digits and marks.
func machine(line string) bool {
	text := strings.TrimSpace(line)
	if text == "" {
		return false
	}
	if strings.ContainsRune("{}[]<>|+@$", rune(text[0])) || startsPaste(text) || columns(text) || clock(text) {
		return true
	}
	if listed(text) {
		return marksShare(text) >= 2*machineShare
	}
	return strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ") || marksShare(text) >= machineShare
}

// listed reports whether a line is an item of a list, as people write requirements.
func listed(text string) bool {
	mark, _, _ := strings.Cut(text, " ")
	return mark == "-" || mark == "*" || len(mark) <= 3 && unicode.IsDigit(rune(mark[0])) && strings.ContainsAny(mark[len(mark)-1:], ".)")
}

// startsPaste reports whether a line begins like one of a log, a trace or a diff.
func startsPaste(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return slices.ContainsFunc(pasteStarts, func(start string) bool { return strings.HasPrefix(text, start) }) ||
		strings.HasSuffix(word, ":") && tells(text)
}

// columns reports whether a line has parts that stand far from each other.
func columns(text string) bool { return strings.Contains(text, "   ") || strings.Contains(text, "\t") }

// clock reports whether a line has a time of day to the second.
func clock(text string) bool {
	digits := "0123456789"
	for i := 2; i+3 < len(text); i++ {
		if text[i] == ':' && text[i+3] == ':' && strings.IndexByte(digits, text[i-1]) >= 0 && strings.IndexByte(digits, text[i+1]) >= 0 {
			return true
		}
	}
	return false
}

// marksShare returns the share of digits and marks in a text without its spaces. What ends
// or divides a sentence is none.
func marksShare(text string) float64 {
	var letters, marks int
	for i, r := range text {
		switch {
		case unicode.IsLetter(r):
			letters++
		case r == ' ', strings.ContainsRune(",?!'’-", r):
		case r == '.' && (i+1 == len(text) || text[i+1] == ' '):
		default:
			marks++
		}
	}
	if marks == 0 {
		return 0
	}
	return float64(marks) / float64(letters+marks)
}

// telling returns those lines of a paste that say what went wrong, the first and the last
// ones, each once whatever its numbers are. Where nothing did, its first lines tell what it
// is.
func telling(lines []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, line := range lines {
		key := strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, line)
		if seen[key] || !tells(line) {
			continue
		}
		seen[key] = true
		out = append(out, memory.Clip(strings.TrimSpace(line), evidenceBytes))
	}
	if len(out) == 0 {
		return lines[:min(mostEvidence, len(lines))]
	}
	if len(out) > mostEvidence {
		out = slices.Delete(out, mostEvidence/2, len(out)-mostEvidence/2)
	}
	return out
}

// tells reports whether a line of a paste says that something went wrong.
func tells(line string) bool {
	small := strings.ToLower(line)
	says := func(word string) bool { return strings.Contains(small, word) }
	return slices.ContainsFunc(troubles, says) && !slices.ContainsFunc(noTroubles, says)
}
