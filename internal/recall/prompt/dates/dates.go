package dates

import (
	"slices"
	"strings"
	"time"
)

// numeric reads 2026-02-10, 2026/02/10 and 10.02.2026. A time of day with
// seconds behind a date makes it that of a line of a log.
func (r *timeReader) numeric(i int) (Window, int) {
	text := r.text(i)
	date := 8 <= len(text) && len(text) <= 10 && '0' <= text[0] && text[0] <= '9'
	if !date || r.isTimeOfLog(i+1) {
		return Window{}, 1
	}
	for _, layout := range [...]string{"2006-1-2", "2006/1/2", "2.1.2006"} {
		if t, err := time.ParseInLocation(layout, text, r.now.Location()); err == nil && t.Year() >= firstYear {
			return Window{t, t.AddDate(0, 0, 1)}, 1
		}
	}
	return Window{}, 1
}

// date reads, at the name of the month, "7 May 2023", "the 7th of May",
// "May 7th, 2023", "May 2023" and "in May".
func (r *timeReader) date(i int) (Window, int) {
	month := monthOf(r.text(i))
	if month == 0 {
		return Window{}, 1
	}
	certain := r.words[i].capital || !is(r.text(i), "may", "mar", "march", "dec", "sep")
	day, ordinal := dayOf(r.text(i - 1))
	if r.text(i-1) == "of" {
		day, _ = dayOf(r.text(i - 2))
		ordinal = day > 0
	}
	end := i + 1
	if day == 0 {
		if day, ordinal = dayOf(r.text(end)); day > 0 {
			end++
		}
	}
	year, end := r.yearAt(end)
	named := year != 0 || ordinal || certain
	if !named || r.isTimeOfLog(end) {
		return Window{}, 1
	}
	t := r.latest(year, month, max(day, 1))
	switch {
	case t.IsZero(), day == 0 && year == 0 && !is(r.before(i), "in", "during", "since", "after", "last", "this"):
		return Window{}, 1
	case day == 0:
		return Window{t, t.AddDate(0, 1, 0)}, end - i
	}
	return Window{t, t.AddDate(0, 0, 1)}, end - i
}

// isTimeOfLog reports whether a word is a time of day with seconds.
func (r *timeReader) isTimeOfLog(i int) bool { return strings.Count(r.text(i), ":") > 1 }

// yearAt reads the year of a date that ends before i, 0 if it has none, and
// returns where the words go on.
func (r *timeReader) yearAt(i int) (year, end int) {
	end = i
	if is(r.text(i), ",", "of") {
		end++
	}
	if year = yearOf(r.text(end)); year == 0 {
		return 0, i
	}
	return year, end + 1
}

// latest returns a date. Without a year, 0, it is the latest that has come. It
// is zero if there is none, such as a 30th of February.
func (r *timeReader) latest(year int, month time.Month, day int) time.Time {
	first := year
	if year == 0 {
		year, first = r.now.Year(), r.now.Year()-8 // leap years can be so far apart
	}
	for ; year >= first; year-- {
		if t := r.at(year, month, day); t.Day() == day && !t.After(r.now) {
			return t
		}
	}
	return time.Time{}
}

func (r *timeReader) at(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, r.now.Location())
}

// year reads "in 2023". What is counted after a number makes it no year.
func (r *timeReader) year(i int) (Window, int) {
	year, after := yearOf(r.text(i)), r.text(i+1)
	counts := strings.HasSuffix(after, "s") && !is(after, "was", "is", "has", "does", "this", "us")
	page := numberIn(r.text(i-2)) >= 0 // page 3 of 2023
	number := year == 0 || counts || page
	if number || !is(r.text(i-1), "in", "since", "during", "of", "after", "year") {
		return Window{}, 1
	}
	return Window{r.at(year, 1, 1), r.at(year+1, 1, 1)}, 1
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
