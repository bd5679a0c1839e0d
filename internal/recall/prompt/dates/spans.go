package dates

import (
	"slices"
	"time"
)

// readDay reads "yesterday" and its like.
func (r *timeReader) readDay(i int) (Window, int) {
	before, after := r.wordAt(i-1), r.wordAt(i+1)
	switch r.wordAt(i) {
	case "today", "heute", "hoy", "aujourd":
		return r.daysAgo(0), 1
	case "yesterday", "gestern", "ayer":
		return r.daysAgo(1), 1
	case "hier": // in German it is "here"
		if before == "fait" || isOneOf(after, "soir", "matin") {
			return r.daysAgo(1), 1
		}
	case "vorgestern", "anteayer", "avant-hier":
		return r.daysAgo(2), 1
	case "day":
		if after == "before" && r.wordAt(i+2) == "yesterday" {
			return r.daysAgo(2), 3
		}
	case "other":
		if before == "the" && after == "day" {
			return Window{r.today.AddDate(0, 0, -10), r.today}, 2
		}
	}
	return Window{}, 1
}

func (r *timeReader) daysAgo(n int) Window {
	return Window{r.today.AddDate(0, 0, -n), r.today.AddDate(0, 0, 1-n)}
}

// readWeekday reads "on Tuesday".
func (r *timeReader) readWeekday(i int) (Window, int) {
	day := slices.Index(weekdays[:], r.wordAt(i))
	if day < 0 || !isOneOf(r.wordBefore(i), "on", "since", "after") {
		return Window{}, 1
	}
	return r.daysAgo((int(r.today.Weekday()) - day + 7) % 7), 1
}

// readRelative reads "last week", "this morning", "the last three days" and, with
// the word behind, "la semaine dernière".
func (r *timeReader) readRelative(i int) (Window, int) {
	last := isOneOf(r.wordAt(i), "last", "past", "previous", "letzte", "letzten", "letztes")
	this := isOneOf(r.wordAt(i), "this", "diese", "diesen", "cette", "ce", "esta", "este")
	switch {
	case isOneOf(r.wordAt(i+1), "dernière", "derniere", "dernier", "pasada", "pasado"):
		return r.readNamed(r.wordAt(i), true, false), 2
	case last:
		_, most, n := r.readCount(i + 1)
		if u := unitOf(r.wordAt(i + 1 + n)); n > 0 && u != (unit{}) {
			return Window{u.back(r.today, most), r.tomorrow}, n + 2
		}
	case !this:
		return Window{}, 1
	}
	if r.wordAt(i+2) == "of" { // the last week of the course
		return Window{}, 1
	}
	return r.readNamed(r.wordAt(i+1), last, r.wordAt(i) == "past" || r.wordAt(i-1) == "the"), 2
}

// readNamed returns the window of "last" or "this" and a stretch of time. One that
// rolls ends with today: the last week may have begun on any day.
func (r *timeReader) readNamed(text string, last, rolling bool) Window {
	u := unitOf(text)
	switch {
	case u.days == 1: // the last day is no day in particular
		return Window{}
	case u == (unit{}):
		return r.readPart(text, last)
	case !last:
		return Window{u.start(r.today), r.tomorrow}
	case rolling:
		return Window{u.back(r.today, 1), r.tomorrow}
	}
	return Window{u.back(u.start(r.today), 1), u.start(r.today)}
}

// readPart returns the window of a part of a day, a week or a year.
func (r *timeReader) readPart(text string, last bool) Window {
	weekday := int(r.today.Weekday())
	day := slices.Index(weekdays[:], text)
	switch {
	case day >= 0 && last:
		return r.daysAgo((weekday-day+6)%7 + 1)
	case text == "night" && last:
		return Window{r.today.Add(-6 * time.Hour), r.today.Add(6 * time.Hour)}
	case text == "morning" && !last:
		return Window{r.today, r.today.Add(12 * time.Hour)}
	case text == "weekend" && last:
		monday := (weekday + 6) % 7 // days since
		return Window{r.today.AddDate(0, 0, -monday-2), r.today.AddDate(0, 0, -monday)}
	case text == "summer" && last:
		return r.readSeason(time.June)
	case text == "winter" && last:
		return r.readSeason(time.December)
	}
	return Window{}
}

// readSeason returns the last three months that began with one and are over.
func (r *timeReader) readSeason(begins time.Month) Window {
	year := r.now.Year()
	for r.dateAt(year, begins+3, 1).After(r.today) {
		year--
	}
	return Window{r.dateAt(year, begins, 1), r.dateAt(year, begins+3, 1)}
}

// readAgo reads "two weeks ago" and "vor 2 Wochen". The longer ago, the less
// exactly it is meant.
func (r *timeReader) readAgo(i int) (Window, int) {
	least, most, n := r.readCount(i)
	u := unitOf(r.wordAt(i + n))
	past := isOneOf(r.wordAt(i+n+1), "ago", "back") || isOneOf(r.wordAt(i-1), "vor", "hace")
	if n == 0 || u == (unit{}) || !past {
		return Window{}, 1
	}
	slack := (365*u.years + 30*u.months + u.days) / 2
	return Window{u.back(r.today, most).AddDate(0, 0, -slack), u.back(r.tomorrow, least).AddDate(0, 0, slack)}, n + 1
}

// readCount reads how many: at least, at most, and in how many words, 0 if it is
// no number.
func (r *timeReader) readCount(i int) (least, most, words int) {
	text := r.wordAt(i)
	switch {
	case text == "couple" && r.wordAt(i+1) == "of":
		return 2, 3, 2
	case text == "couple":
		return 2, 3, 1
	case isOneOf(text, "few", "several"):
		return 2, 6, 1
	case isOneOf(text, "a", "an", "einem", "einer"):
		return 1, 1, 1
	}
	if n := max(numberIn(text), slices.Index(numbers[:], text)+1); 0 < n && n < 1000 {
		return n, n, 1
	}
	return 0, 0, 0
}

// A unit is a day, a week, a month or a year.
type unit struct{ years, months, days int }

func (u unit) back(t time.Time, n int) time.Time {
	return t.AddDate(-n*u.years, -n*u.months, -n*u.days)
}

// start returns when the calendar's week, month or year of a day began.
func (u unit) start(day time.Time) time.Time {
	switch {
	case u.years > 0:
		return day.AddDate(0, 0, 1-day.YearDay())
	case u.months > 0:
		return day.AddDate(0, 0, 1-day.Day())
	}
	return day.AddDate(0, 0, -((int(day.Weekday()) + 6) % 7))
}

func unitOf(text string) unit {
	switch text {
	case "day", "days", "tag", "tagen", "días":
		return unit{days: 1}
	case "week", "weeks", "woche", "wochen", "semaine", "semana", "semanas":
		return unit{days: 7}
	case "month", "months", "monat", "monaten", "mois", "mes", "meses":
		return unit{months: 1}
	case "year", "years", "jahr", "jahren", "année", "año", "años":
		return unit{years: 1}
	}
	return unit{}
}

// The names of numbers from one to ten, and of weekdays.
var (
	numbers  = [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	weekdays = [...]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
)
