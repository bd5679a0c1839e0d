package dates

import (
	"slices"
	"strings"
	"time"
)

// readNumeric reads 2026-02-10, 2026/02/10 and 10.02.2026. A time of day with
// seconds behind a date makes it that of a line of a log.
func (r *timeReader) readNumeric(i int) (Window, int) {
	text := r.wordAt(i)
	if !mayBeDate(text) || r.isTimeOfLog(i+1) {
		return Window{}, 1
	}
	for _, layout := range [...]string{"2006-1-2", "2006/1/2", "2.1.2006"} {
		if t, err := time.ParseInLocation(layout, text, r.now.Location()); err == nil && t.Year() >= firstYear {
			return Window{t, t.AddDate(0, 0, 1)}, 1
		}
	}
	return Window{}, 1
}

// readDate reads, at the name of the month, "7 May 2023", "the 7th of May",
// "May 7th, 2023", "May 2023" and "in May".
func (r *timeReader) readDate(i int) (Window, int) {
	month := monthOf(r.wordAt(i))
	if month == 0 {
		return Window{}, 1
	}
	certain := r.words[i].capital || !isOneOf(r.wordAt(i), "may", "mar", "march", "dec", "sep")
	day, ordinal := dayOf(r.wordAt(i - 1))
	if r.wordAt(i-1) == "of" {
		day, _ = dayOf(r.wordAt(i - 2))
		ordinal = day > 0
	}
	end := i + 1
	if day == 0 {
		if day, ordinal = dayOf(r.wordAt(end)); day > 0 {
			end++
		}
	}
	year, end := r.yearAt(end)
	named := year != 0 || ordinal || certain
	if !named || r.isTimeOfLog(end) {
		return Window{}, 1
	}
	t := r.latestDate(year, month, max(day, 1))
	switch {
	case t.IsZero(), day == 0 && year == 0 && !isOneOf(r.wordBefore(i), "in", "during", "since", "after", "last", "this"):
		return Window{}, 1
	case day == 0:
		return Window{t, t.AddDate(0, 1, 0)}, end - i
	}
	return Window{t, t.AddDate(0, 0, 1)}, end - i
}

// mayBeDate reports whether a word has the length of a date in numbers, and begins like one.
func mayBeDate(text string) bool {
	fits := len("2.1.2006") <= len(text) && len(text) <= len("2006-01-02")
	return fits && isBetween(text[0], '0', '9')
}

// isTimeOfLog reports whether a word is a time of day with seconds.
func (r *timeReader) isTimeOfLog(i int) bool { return strings.Count(r.wordAt(i), ":") > 1 }

// yearAt reads the year of a date that ends before i, 0 if it has none, and
// returns where the words go on.
func (r *timeReader) yearAt(i int) (year, end int) {
	end = i
	if isOneOf(r.wordAt(i), ",", "of") {
		end++
	}
	if year = yearOf(r.wordAt(end)); year == 0 {
		return 0, i
	}
	return year, end + 1
}

// latestDate returns a date. Without a year, 0, it is the latest that has come. It
// is zero if there is none, such as a 30th of February.
func (r *timeReader) latestDate(year int, month time.Month, day int) time.Time {
	first := year
	if year == 0 {
		year, first = r.now.Year(), r.now.Year()-8 // leap years can be so far apart
	}
	for ; year >= first; year-- {
		if t := r.dateAt(year, month, day); t.Day() == day && !t.After(r.now) {
			return t
		}
	}
	return time.Time{}
}

func (r *timeReader) dateAt(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, r.now.Location())
}

// readYear reads "in 2023". What is counted after a number makes it no year.
func (r *timeReader) readYear(i int) (Window, int) {
	year, after := yearOf(r.wordAt(i)), r.wordAt(i+1)
	counts := strings.HasSuffix(after, "s") && !isOneOf(after, "was", "is", "has", "does", "this", "us")
	page := numberIn(r.wordAt(i-2)) >= 0 // page 3 of 2023
	number := year == 0 || counts || page
	if number || !isOneOf(r.wordAt(i-1), "in", "since", "during", "of", "after", "year") {
		return Window{}, 1
	}
	return Window{r.dateAt(year, 1, 1), r.dateAt(year+1, 1, 1)}, 1
}

// yearOf reads a year, 0 if it is none.
func yearOf(text string) int {
	if year := numberIn(text); len(text) == 4 && year >= firstYear {
		return year
	}
	return 0
}

var monthNames = [...]string{"january", "february", "march", "april", "may", "june",
	"july", "august", "september", "october", "november", "december"}

// monthOf reads the name of a month or its abbreviation, 0 if it is none.
func monthOf(text string) time.Month {
	if text == "sept" {
		return time.September
	}
	named := func(name string) bool { return text == name || text == name[:3] }
	return time.Month(slices.IndexFunc(monthNames[:], named) + 1)
}
