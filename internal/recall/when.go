package recall

import (
	"slices"
	"strings"
	"time"
)

// A window is a stretch of time that a prompt speaks of: from is part of it,
// to is not.
type window struct{ from, to time.Time }

const (
	// Of a long prompt this many bytes at its two ends are read. What is pasted
	// in between has times that nobody asks about.
	timesFirst = 400
	timesLast  = 200
	maxWindows = 4
	firstYear  = 2000 // no memory is older
)

// timesIn returns the windows that a prompt names, in its order, at most
// maxWindows. They are in the time zone of now, begin before now and end with
// this day at the latest. A date without a year is the latest such date.
func timesIn(prompt string, now time.Time) []window {
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	r := timeReader{wordsOf(prompt), now, today, today.AddDate(0, 0, 1)}
	var found []window
	for i := 0; i < len(r.words) && len(found) < maxWindows; {
		w, n := r.read(i)
		if w.from.Before(w.to) && !w.from.After(now) && !slices.Contains(found, w) {
			found = append(found, w)
		}
		i += n
	}
	return found
}

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
		capital := 'A' <= first && first <= 'Z' && 'a' <= second && second <= 'z'
		words = append(words, promptWord{plain(core), capital})
	}
	switch rest := opened[len(core):]; {
	case strings.ContainsAny(rest, ".;:!?…)"), core == "":
		return append(words, promptWord{text: "."})
	case strings.Contains(rest, ","):
		return append(words, promptWord{text: ","})
	}
	return words
}

// plain returns a word in lower case without what an apostrophe joins to it.
func plain(word string) string {
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

// text returns a word, or "" beyond the ends.
func (r *timeReader) text(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i].text
}

// before returns the word before a time, its article and its day.
func (r *timeReader) before(i int) string {
	for i--; ; i-- {
		if day, _ := dayOf(r.text(i)); day == 0 && !is(r.text(i), "the", "of", "early", "late") {
			return r.text(i)
		}
	}
}

// read returns the window that the words from i on name, and how many of them
// do. It is the zero window if they name none.
func (r *timeReader) read(i int) (window, int) {
	for _, rule := range [...]func(*timeReader, int) (window, int){
		(*timeReader).numeric, (*timeReader).date, (*timeReader).year, (*timeReader).day,
		(*timeReader).weekday, (*timeReader).relative, (*timeReader).ago,
	} {
		if w, n := rule(r, i); w != (window{}) {
			return r.qualify(w, r.before(i)), n
		}
	}
	return window{}, 1
}

// qualify heeds the word before a window. What came before a date is not in
// any window; what came since goes on until now.
func (r *timeReader) qualify(w window, before string) window {
	switch before {
	case "since":
		w.to = r.tomorrow
	case "after":
		w = window{w.to, r.tomorrow}
	case "before", "until", "till", "by":
		return window{}
	}
	if w.to.After(r.tomorrow) {
		w.to = r.tomorrow
	}
	return w
}

func is(text string, words ...string) bool { return slices.Contains(words, text) }
