package recall

import (
	"slices"
	"time"
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
