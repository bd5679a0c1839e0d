package prompt

import (
	"slices"
	"strings"
	"unicode"

	"recollect/internal/memory"
)

// A prompt may have a log, a trace, data, code or a mail pasted into it, which has far more words
// than what is asked. Then the lines around it are the question, and of the paste only the
// lines that tell what went wrong matter, as evidence. A bug report with an example in it is
// read as a whole, too: the names in its code say what it is about.

const (
	mostWhole     = 80      // pasted lines with which a prompt is also read as a whole, like a bug report with its example
	wholeBytes    = 8 << 10 // of such lines
	questionWords = 60      // that are typed beside a paste; who writes more reports a bug with an example
	longRun       = 8       // so many lines of a machine's text are a paste with all that stands between them
	pasteGap      = 3       // lines in a row that do not look like a machine's, within a paste
	mostEvidence  = 6       // lines
	evidenceBytes = 200     // of a line
)

// MaxBytes is how much of a prompt is read: of a longer one its beginning and its end.
const MaxBytes = 64 << 10

// A Reading is one way to read a prompt.
type Reading struct {
	Question string // what is asked
	Evidence string // the telling lines of what is pasted beside it, "" where those are part of the question
}

// Readings returns the ways to read a prompt, the one to try first in front. A prompt with a paste
// is what stands around it, and with a short one also the whole: that comes first in a bug report,
// and is all of one that has more words of its own than of the paste. A long prompt without a paste
// is the whole; if it begins or ends with a paragraph that asks something, it may be that alone.
func Readings(prompt string) []Reading {
	prompt = memory.ClipMiddle(prompt, MaxBytes)
	typed, paste := dividePaste(strings.Split(prompt, "\n"))
	whole := Reading{Question: prompt}
	switch {
	case len(paste) == 0:
		if edge := findQuestion(prompt); edge != "" {
			return []Reading{whole, {Question: edge}}
		}
		return []Reading{whole}
	case typed == "" && isShort(paste):
		return []Reading{whole}
	case typed == "":
		return []Reading{{Question: tellingLines(paste)}}
	}
	question := Reading{typed, tellingLines(paste)}
	switch {
	case !isShort(paste):
		return []Reading{question}
	case countWords(typed) <= questionWords:
		return []Reading{question, whole}
	case countWords(typed) < countWords(paste...):
		return []Reading{whole, question}
	}
	return []Reading{whole}
}

// countWords returns how many words some lines have.
func countWords(lines ...string) int {
	n := 0
	for _, line := range lines {
		n += len(strings.Fields(line))
	}
	return n
}

// isShort reports whether a prompt with this paste is also read as a whole.
func isShort(paste []string) bool {
	size := 0
	for _, line := range paste {
		size += len(line)
	}
	return len(paste) <= mostWhole && size <= wholeBytes
}

// dividePaste returns the typed lines of a prompt, and those of what is pasted into it.
func dividePaste(lines []string) (typed string, paste []string) {
	pasted := pastedLines(lines)
	var asked []string
	for i, line := range lines {
		if pasted[i] {
			paste = append(paste, line)
		} else {
			asked = append(asked, line)
		}
	}
	return strings.TrimSpace(strings.Join(asked, "\n")), paste
}

// pastedLines marks the lines that belong to a paste.
func pastedLines(lines []string) []bool {
	pasted := make([]bool, len(lines))
	markFenced(lines, pasted)
	markMail(lines, pasted)
	markRuns(lines, pasted)
	return pasted
}

// markFenced marks the blocks of code that end, with their fences.
func markFenced(lines []string, pasted []bool) {
	for i := 0; i < len(lines); i++ {
		fence := fenceOf(lines[i])
		if fence == "" {
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimSpace(lines[end]) != fence {
			end++
		}
		if end == len(lines) {
			return
		}
		for ; i < end; i++ {
			pasted[i] = true
		}
		pasted[end] = true
	}
}

// fenceOf returns the fence that a line begins a block of code with, "" if it does not.
func fenceOf(line string) string {
	text := strings.TrimSpace(line)
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(text, mark) {
			return text[:len(text)-len(strings.TrimLeft(text, mark[:1]))]
		}
	}
	return ""
}

// markRuns marks what looks like a machine's text.
func markRuns(lines []string, pasted []bool) {
	first, last, size, gap := -1, -1, 0, 0 // lines of a machine, those with text from the first to here, those since the last
	end := func() {
		if first >= 0 {
			markBetween(lines, pasted, first, last, size-gap >= longRun)
		}
		first, size, gap = -1, 0, 0
	}
	for i, line := range lines {
		switch {
		case pasted[i]:
			end()
			continue
		case strings.TrimSpace(line) == "":
			continue
		case isMachineText(line):
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
}

// markBetween marks the lines of a machine from first to last. Of a long paste, it also marks those
// between them that ask nothing, and of any the fragments beside it, such as "package main". The
// prompt's own first line is no fragment, nor is its last one if nothing else was typed.
func markBetween(lines []string, pasted []bool, first, last int, long bool) {
	for i := first; i <= last; i++ {
		if long {
			pasted[i] = pasted[i] || isMachineText(lines[i]) || !asksSomething(lines[i])
		} else {
			pasted[i] = pasted[i] || isMachineText(lines[i]) && !isListItem(strings.TrimSpace(lines[i]))
		}
	}
	for i := first - 1; i > 0 && !pasted[i] && isFragment(lines[i]); i-- {
		pasted[i] = true
	}
	for i := last + 1; i < len(lines)-1 && !pasted[i] && isFragment(lines[i]); i++ {
		pasted[i] = true
	}
}

// fragmentWords is how many words a line has that is no sentence.
const fragmentWords = 3

// isFragment reports whether a line beside a paste is part of it, because it says too little to be a
// sentence.
func isFragment(line string) bool {
	return len(strings.Fields(line)) <= fragmentWords && !asksSomething(line)
}

// asksSomething reports whether a line ends with a question mark.
func asksSomething(line string) bool { return strings.HasSuffix(strings.TrimSpace(line), "?") }

// markMail marks a mail with its head. Without anything above it, its last paragraph was typed.
func markMail(lines []string, pasted []bool) {
	from := slices.IndexFunc(lines, mailHead)
	if from < 0 || from+1 >= len(lines) || pasted[from] {
		return
	}
	if !mailHead(lines[from+1]) && !saysForwarded(lines[from]) {
		return
	}
	end := len(lines)
	if strings.TrimSpace(strings.Join(lines[:from], "")) == "" {
		end = lastParagraph(lines)
	}
	for i := from; i < end; i++ {
		pasted[i] = true
	}
}

// lastParagraph returns where the last paragraph begins.
func lastParagraph(lines []string) int {
	end := len(lines)
	for end > 0 && strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	for end > 0 && strings.TrimSpace(lines[end-1]) != "" {
		end--
	}
	return end
}

// mailHead reports whether a line is one of the head of a mail.
func mailHead(line string) bool {
	name, _, ok := strings.Cut(strings.Trim(strings.TrimSpace(line), "*>"), ":")
	return ok && slices.Contains(mailHeads, strings.ToLower(strings.Trim(name, "* "))) || saysForwarded(line)
}

// saysForwarded reports whether a line says that a mail follows.
func saysForwarded(line string) bool {
	text := strings.ToLower(strings.Trim(strings.TrimSpace(line), "-_ "))
	return slices.Contains(mailLines, strings.TrimSuffix(text, ":"))
}

// longProse is the size of a prompt, in bytes, of which a paragraph may be all that is asked.
const longProse = 600

// findQuestion returns the paragraph or line with which a long prompt begins or ends, if it asks something,
// "" if it does not.
func findQuestion(prompt string) string {
	if len(prompt) < longProse {
		return ""
	}
	prompt = strings.TrimSpace(strings.ReplaceAll(prompt, "\r\n", "\n"))
	for _, by := range []string{"\n\n", "\n"} {
		parts := strings.Split(prompt, by)
		for _, p := range []string{parts[0], parts[len(parts)-1]} {
			if len(p) < len(prompt)/2 && (asksSomething(p) || introducesPaste(p)) {
				return strings.TrimSpace(p)
			}
		}
	}
	return ""
}

// introducesPaste reports whether a text asks something and then announces what follows.
func introducesPaste(text string) bool {
	return strings.HasSuffix(strings.TrimSpace(text), ":") && strings.Contains(text, "? ")
}

// machineShare is the share of digits and marks in a line from which on no person wrote it.
const machineShare = 0.15

// isMachineText reports whether a line looks like a program's output, data or code: it begins like
// one, is set far in, or has many digits and marks.
func isMachineText(line string) bool {
	text := strings.TrimSpace(line)
	if text == "" {
		return false
	}
	switch {
	case isFramed(text), startsPaste(text), hasColumns(text), hasClock(text):
		return true
	case isListItem(text):
		return marksShare(text) >= 2*machineShare
	case strings.HasPrefix(line, "\t"), strings.HasPrefix(line, "    "), isTableRow(text):
		return true
	}
	return marksShare(text) >= machineShare && !isSentence(line)
}

// isFramed reports whether a line begins or ends with a mark that does not begin or end a sentence.
func isFramed(text string) bool {
	return strings.ContainsRune("{}[]<>|+@$", rune(text[0])) || strings.ContainsRune("{;", rune(text[len(text)-1]))
}

// sentenceWords is how many plain words a sentence has at least, which are half of its words.
const sentenceWords = 4

// isSentence reports whether a line is one in spite of its marks, such as one that names a file and a
// line in it. One that is set in is none.
func isSentence(line string) bool {
	if strings.HasPrefix(line, " ") {
		return false
	}
	words, plain := strings.Fields(line), 0
	for _, w := range words {
		if strings.IndexFunc(strings.TrimRight(w, ",.?!"), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) < 0 {
			plain++
		}
	}
	return plain >= sentenceWords && 2*plain >= len(words)
}

// rowCells is how many values a line of a table has that no marks but its separators tell.
const rowCells = 3

// isTableRow reports whether a line consists of values with marks between them, as in a table.
func isTableRow(text string) bool {
	tight := strings.Count(text, ",") - strings.Count(text, ", ")
	commas := tight >= rowCells-1 && !asksSomething(text)
	semicolons := strings.Count(text, ";") >= rowCells && !strings.Contains(text, "; ")
	return commas || semicolons || strings.Count(text, " | ") >= rowCells-1
}

// isListItem reports whether a line is an item of a list, as people write requirements.
func isListItem(text string) bool {
	mark, _, _ := strings.Cut(text, " ")
	if mark == "-" || mark == "*" {
		return true
	}
	return len(mark) <= 3 && unicode.IsDigit(rune(mark[0])) && strings.ContainsAny(mark[len(mark)-1:], ".)")
}

// startsPaste reports whether a line begins like one of a log, a trace or a diff.
func startsPaste(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return slices.ContainsFunc(pasteStarts, func(start string) bool { return strings.HasPrefix(text, start) }) ||
		strings.HasSuffix(word, ":") && tellsTrouble(text)
}

// hasColumns reports whether a line has parts that stand far from each other.
func hasColumns(text string) bool {
	return strings.Contains(text, "   ") || strings.Contains(text, "\t")
}

// hasClock reports whether a line has a time of day to the second.
func hasClock(text string) bool {
	for i := 2; i+3 < len(text); i++ {
		minutes := text[i] == ':' && text[i+3] == ':'
		if minutes && isDigit(text[i-1]) && isDigit(text[i+1]) {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

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

// tellingLines returns the lines that tell what a paste is about: those that say what went wrong, or
// where nothing did, its first ones.
func tellingLines(lines []string) string {
	out := troublesIn(lines)
	if len(out) == 0 {
		out = lines[:min(mostEvidence, len(lines))]
	}
	return strings.Join(out, "\n")
}

// troublesIn returns those lines of a paste that say what went wrong, the first and the last ones,
// each once whatever its numbers are.
func troublesIn(lines []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, line := range lines {
		key := strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, line)
		if seen[key] || !tellsTrouble(line) {
			continue
		}
		seen[key] = true
		out = append(out, memory.Clip(strings.TrimSpace(line), evidenceBytes))
	}
	if len(out) > mostEvidence {
		out = slices.Delete(out, mostEvidence/2, len(out)-mostEvidence/2)
	}
	return out
}

// tellsTrouble reports whether a line of a paste says that something went wrong.
func tellsTrouble(line string) bool {
	small := strings.ToLower(line)
	says := func(word string) bool { return strings.Contains(small, word) }
	return slices.ContainsFunc(troubles, says) && !slices.ContainsFunc(noTroubles, says)
}
