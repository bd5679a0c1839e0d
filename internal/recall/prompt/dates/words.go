package dates

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Window is a period that a prompt names. It includes From but not To.
type Window struct{ From, To time.Time }

const (
	// Of a long prompt this many bytes at its two ends are read. What is pasted
	// in between has times that nobody asks about.
	timesFirst = 400
	timesLast  = 200
	maxWindows = 4
	firstYear  = 2000 // no memory is older
)

// A promptWord is a word of a prompt, or a mark between words: "," or ".".
type promptWord struct {
	text    string // lower case
	capital bool   // typed with one capital, at its beginning
}

// wordsOf returns the words at the two ends of a prompt. Each line ends with
// a ".".
func wordsOf(prompt string) []promptWord {
	if len(prompt) > timesFirst+timesLast {
		head, tail := prompt[:timesFirst], prompt[len(prompt)-timesLast:]
		_, tail, _ = strings.Cut(tail, " ") // what is cut in two is no word
		prompt = head[:strings.LastIndexByte(head, ' ')+1] + "\n" + tail
	}
	words := make([]promptWord, 0, len(prompt)/4)
	for line := range strings.Lines(prompt) {
		for field := range strings.FieldsSeq(line) {
			words = appendField(words, field)
		}
		words = append(words, promptWord{text: "."})
	}
	return words
}

// appendField adds a word without the punctuation around it, and the mark that
// follows it. What has punctuation within, such as a version or a path, stays
// one word.
func appendField(words []promptWord, field string) []promptWord {
	opened := strings.TrimLeft(field, "\"'`([{<*_«“‘¿¡")
	core := strings.TrimRight(opened, "\"'`)]}>*_»”’.,;:!?…")
	if core != "" {
		first, second := core[0], core[min(1, len(core)-1)]
		capital := isBetween(first, 'A', 'Z') && isBetween(second, 'a', 'z')
		words = append(words, promptWord{plainWord(core), capital})
	}
	switch rest := opened[len(core):]; {
	case strings.ContainsAny(rest, ".;:!?…)"), core == "":
		return append(words, promptWord{text: "."})
	case strings.Contains(rest, ","):
		return append(words, promptWord{text: ","})
	}
	return words
}

func isBetween(c, first, last byte) bool { return first <= c && c <= last }

// plainWord returns a word in lower case without what an apostrophe joins to it.
func plainWord(word string) string {
	if at := strings.IndexAny(word, "'’"); at > 0 {
		word = word[:at]
	}
	return strings.ToLower(word)
}

// A timeReader reads the windows that words name.
type timeReader struct {
	words                []promptWord
	now, today, tomorrow time.Time
}

// wordAt returns a word, or "" beyond the ends.
func (r *timeReader) wordAt(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i].text
}

// wordBefore returns the word before a time, its article and its day.
func (r *timeReader) wordBefore(i int) string {
	for i--; ; i-- {
		if day, _ := dayOf(r.wordAt(i)); day == 0 && !isOneOf(r.wordAt(i), "the", "of", "early", "late") {
			return r.wordAt(i)
		}
	}
}

func isOneOf(text string, words ...string) bool { return slices.Contains(words, text) }

// numberIn reads up to four digits, -1 if there is anything else.
func numberIn(text string) int {
	if text == "" || text[0] > '9' || len(text) > 4 {
		return -1
	}
	if strings.Trim(text, "0123456789") != "" {
		return -1
	}
	n, _ := strconv.Atoi(text) // digits only
	return n
}

// dayOf reads a day of the month, and whether it is an ordinal; 0 if it is
// none.
func dayOf(text string) (day int, ordinal bool) {
	digits := strings.TrimRight(text, "stndrh")
	day = numberIn(digits)
	ending := len(text) - len(digits)
	if ending != 0 && ending != len("th") {
		return 0, false
	}
	if day < 1 || day > 31 {
		return 0, false
	}
	return day, ending > 0
}
