// Package dates reads the times that a prompt names: dates, months, weekdays,
// "last week", "two weeks ago", and whether it asks for the latest of our own
// work. It knows English, and the commonest phrases of German, French and
// Spanish. It reads no clock: now is passed in.
package dates

import (
	"slices"
	"time"
)

// In returns the windows that a prompt names, in its order, at most
// maxWindows. They are in the time zone of now, begin before now and end with
// this day at the latest. A date without a year is the latest such date.
func In(prompt string, now time.Time) []Window {
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	r := timeReader{wordsOf(prompt), now, today, today.AddDate(0, 0, 1)}
	var found []Window
	for i := 0; i < len(r.words) && len(found) < maxWindows; {
		w, n := r.readWindow(i)
		if w.From.Before(w.To) && !w.From.After(now) && !slices.Contains(found, w) {
			found = append(found, w)
		}
		i += n
	}
	return found
}

// readWindow returns the window that the words from i on name, and how many of them
// do. It is the zero window if they name none.
func (r *timeReader) readWindow(i int) (Window, int) {
	for _, rule := range [...]func(*timeReader, int) (Window, int){
		(*timeReader).readNumeric, (*timeReader).readDate, (*timeReader).readYear, (*timeReader).readDay,
		(*timeReader).readWeekday, (*timeReader).readRelative, (*timeReader).readAgo,
	} {
		if w, n := rule(r, i); w != (Window{}) {
			return r.applyBefore(w, r.wordBefore(i)), n
		}
	}
	return Window{}, 1
}

// applyBefore applies the word before a window. What came before a date is not in
// any window; what came since goes on until now.
func (r *timeReader) applyBefore(w Window, before string) Window {
	switch before {
	case "since":
		w.To = r.tomorrow
	case "after":
		w = Window{w.To, r.tomorrow}
	case "before", "until", "till", "by":
		return Window{}
	}
	if w.To.After(r.tomorrow) {
		w.To = r.tomorrow
	}
	return w
}
