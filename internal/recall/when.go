package recall

import (
	"slices"
	"strconv"
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

// A spoken is a word of the prompt, or a mark between words: "," or ".".
type spoken struct {
	text    string // lower case
	capital bool   // typed with one capital, at its beginning
}

// wordsOf returns the words at the two ends of a prompt. Each line ends with
// a ".".
func wordsOf(prompt string) []spoken {
	if len(prompt) > timesFirst+timesLast {
		head, tail := prompt[:timesFirst], prompt[len(prompt)-timesLast:]
		_, tail, _ = strings.Cut(tail, " ") // what is cut in two is no word
		prompt = head[:strings.LastIndexByte(head, ' ')+1] + "\n" + tail
	}
	words := make([]spoken, 0, len(prompt)/4)
	for line := range strings.Lines(prompt) {
		for field := range strings.FieldsSeq(line) {
			words = appendField(words, field)
		}
		words = append(words, spoken{text: "."})
	}
	return words
}

// appendField adds a word without the punctuation around it, and the mark that
// follows it. What has punctuation within, such as a version or a path, stays
// one word.
func appendField(words []spoken, field string) []spoken {
	opened := strings.TrimLeft(field, "\"'`([{<*_«“‘¿¡")
	core := strings.TrimRight(opened, "\"'`)]}>*_»”’.,;:!?…")
	if core != "" {
		first, second := core[0], core[min(1, len(core)-1)]
		capital := 'A' <= first && first <= 'Z' && 'a' <= second && second <= 'z'
		words = append(words, spoken{plain(core), capital})
	}
	switch rest := opened[len(core):]; {
	case strings.ContainsAny(rest, ".;:!?…)"), core == "":
		return append(words, spoken{text: "."})
	case strings.Contains(rest, ","):
		return append(words, spoken{text: ","})
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
	words                []spoken
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

// numeric reads 2026-02-10, 2026/02/10 and 10.02.2026. A time of day with
// seconds behind a date makes it that of a line of a log.
func (r *timeReader) numeric(i int) (window, int) {
	text := r.text(i)
	if len(text) < 8 || len(text) > 10 || text[0] < '0' || text[0] > '9' || strings.Count(r.text(i+1), ":") > 1 {
		return window{}, 1
	}
	for _, layout := range [...]string{"2006-1-2", "2006/1/2", "2.1.2006"} {
		if t, err := time.ParseInLocation(layout, text, r.now.Location()); err == nil && t.Year() >= firstYear {
			return window{t, t.AddDate(0, 0, 1)}, 1
		}
	}
	return window{}, 1
}

// date reads, at the name of the month, "7 May 2023", "the 7th of May",
// "May 7th, 2023", "May 2023" and "in May".
func (r *timeReader) date(i int) (window, int) {
	month := monthOf(r.text(i))
	if month == 0 {
		return window{}, 1
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
	if strings.Count(r.text(end), ":") > 1 || year == 0 && !ordinal && !certain {
		return window{}, 1
	}
	t := r.latest(year, month, max(day, 1))
	switch {
	case t.IsZero(), day == 0 && year == 0 && !is(r.before(i), "in", "during", "since", "after", "last", "this"):
		return window{}, 1
	case day == 0:
		return window{t, t.AddDate(0, 1, 0)}, end - i
	}
	return window{t, t.AddDate(0, 0, 1)}, end - i
}

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
func (r *timeReader) year(i int) (window, int) {
	year, after := yearOf(r.text(i)), r.text(i+1)
	counts := strings.HasSuffix(after, "s") && !is(after, "was", "is", "has", "does", "this", "us")
	page := number(r.text(i-2)) >= 0 // page 3 of 2023
	if year == 0 || counts || page || !is(r.text(i-1), "in", "since", "during", "of", "after", "year") {
		return window{}, 1
	}
	return window{r.at(year, 1, 1), r.at(year+1, 1, 1)}, 1
}

// day reads "yesterday" and its like.
func (r *timeReader) day(i int) (window, int) {
	before, after := r.text(i-1), r.text(i+1)
	switch r.text(i) {
	case "today", "heute", "hoy", "aujourd":
		return r.daysAgo(0), 1
	case "yesterday", "gestern", "ayer":
		return r.daysAgo(1), 1
	case "hier": // in German it is "here"
		if before == "fait" || is(after, "soir", "matin") {
			return r.daysAgo(1), 1
		}
	case "vorgestern", "anteayer", "avant-hier":
		return r.daysAgo(2), 1
	case "day":
		if after == "before" && r.text(i+2) == "yesterday" {
			return r.daysAgo(2), 3
		}
	case "other":
		if before == "the" && after == "day" {
			return window{r.today.AddDate(0, 0, -10), r.today}, 2
		}
	}
	return window{}, 1
}

func (r *timeReader) daysAgo(n int) window {
	return window{r.today.AddDate(0, 0, -n), r.today.AddDate(0, 0, 1-n)}
}

// weekday reads "on Tuesday".
func (r *timeReader) weekday(i int) (window, int) {
	day := slices.Index(weekdays[:], r.text(i))
	if day < 0 || !is(r.before(i), "on", "since", "after") {
		return window{}, 1
	}
	return r.daysAgo((int(r.today.Weekday()) - day + 7) % 7), 1
}

// relative reads "last week", "this morning", "the last three days" and, with
// the word behind, "la semaine dernière".
func (r *timeReader) relative(i int) (window, int) {
	last := is(r.text(i), "last", "past", "previous", "letzte", "letzten", "letztes")
	this := is(r.text(i), "this", "diese", "diesen", "cette", "ce", "esta", "este")
	switch {
	case is(r.text(i+1), "dernière", "derniere", "dernier", "pasada", "pasado"):
		return r.named(r.text(i), true, false), 2
	case last:
		_, most, n := r.count(i + 1)
		if u := unitOf(r.text(i + 1 + n)); n > 0 && u != (unit{}) {
			return window{u.back(r.today, most), r.tomorrow}, n + 2
		}
	case !this:
		return window{}, 1
	}
	if r.text(i+2) == "of" { // the last week of the course
		return window{}, 1
	}
	return r.named(r.text(i+1), last, r.text(i) == "past" || r.text(i-1) == "the"), 2
}

// named returns the window of "last" or "this" and a stretch of time. One that
// rolls ends with today: the last week may have begun on any day.
func (r *timeReader) named(text string, last, rolling bool) window {
	u := unitOf(text)
	switch {
	case u.days == 1: // the last day is no day in particular
		return window{}
	case u == (unit{}):
		return r.part(text, last)
	case !last:
		return window{u.start(r.today), r.tomorrow}
	case rolling:
		return window{u.back(r.today, 1), r.tomorrow}
	}
	return window{u.back(u.start(r.today), 1), u.start(r.today)}
}

// part returns the window of a part of a day, a week or a year.
func (r *timeReader) part(text string, last bool) window {
	weekday := int(r.today.Weekday())
	day := slices.Index(weekdays[:], text)
	switch {
	case day >= 0 && last:
		return r.daysAgo((weekday-day+6)%7 + 1)
	case text == "night" && last:
		return window{r.today.Add(-6 * time.Hour), r.today.Add(6 * time.Hour)}
	case text == "morning" && !last:
		return window{r.today, r.today.Add(12 * time.Hour)}
	case text == "weekend" && last:
		monday := (weekday + 6) % 7 // days since
		return window{r.today.AddDate(0, 0, -monday-2), r.today.AddDate(0, 0, -monday)}
	case text == "summer" && last:
		return r.season(time.June)
	case text == "winter" && last:
		return r.season(time.December)
	}
	return window{}
}

// season returns the last three months that began with one and are over.
func (r *timeReader) season(begins time.Month) window {
	year := r.now.Year()
	for r.at(year, begins+3, 1).After(r.today) {
		year--
	}
	return window{r.at(year, begins, 1), r.at(year, begins+3, 1)}
}

// ago reads "two weeks ago" and "vor 2 Wochen". The longer ago, the less
// exactly it is meant.
func (r *timeReader) ago(i int) (window, int) {
	least, most, n := r.count(i)
	u := unitOf(r.text(i + n))
	if n == 0 || u == (unit{}) || !is(r.text(i+n+1), "ago", "back") && !is(r.text(i-1), "vor", "hace") {
		return window{}, 1
	}
	slack := (365*u.years + 30*u.months + u.days) / 2
	return window{u.back(r.today, most).AddDate(0, 0, -slack), u.back(r.tomorrow, least).AddDate(0, 0, slack)}, n + 1
}

// count reads how many: at least, at most, and in how many words, 0 if it is
// no number.
func (r *timeReader) count(i int) (least, most, words int) {
	text := r.text(i)
	switch {
	case text == "couple" && r.text(i+1) == "of":
		return 2, 3, 2
	case text == "couple":
		return 2, 3, 1
	case is(text, "few", "several"):
		return 2, 6, 1
	case is(text, "a", "an", "einem", "einer"):
		return 1, 1, 1
	}
	if n := max(number(text), slices.Index(numbers[:], text)+1); 0 < n && n < 1000 {
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

func is(text string, words ...string) bool { return slices.Contains(words, text) }

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

// The names of numbers from one to ten, of months and of weekdays.
var (
	numbers = [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	months  = [...]string{"january", "february", "march", "april", "may", "june",
		"july", "august", "september", "october", "november", "december"}
	weekdays = [...]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
)

// numberOf reads the name of a number, 0 if it is none.
// number reads up to four digits, -1 if there is anything else.
func number(text string) int {
	if text == "" || text[0] > '9' || len(text) > 4 || strings.Trim(text, "0123456789") != "" {
		return -1
	}
	n, _ := strconv.Atoi(text) // digits only
	return n
}

// dayOf reads a day of the month, and whether it is an ordinal; 0 if it is
// none.
func dayOf(text string) (day int, ordinal bool) {
	digits := strings.TrimRight(text, "stndrh")
	day = number(digits)
	if day < 1 || day > 31 || len(text) != len(digits) && len(text) != len(digits)+2 {
		return 0, false
	}
	return day, len(text) > len(digits)
}

// yearOf reads a year, 0 if it is none.
func yearOf(text string) int {
	if year := number(text); len(text) == 4 && year >= firstYear {
		return year
	}
	return 0
}

// monthOf reads the name of a month or its abbreviation, 0 if it is none.
func monthOf(text string) time.Month {
	if text == "sept" {
		return time.September
	}
	named := func(name string) bool { return text == name || text == name[:3] }
	return time.Month(slices.IndexFunc(months[:], named) + 1)
}

// latestPhrases ask for the newest of our own work. Those that may also speak
// of something else's, such as "the latest release", are not here. They are as
// wordsOf leaves words: "what's" is "what", and a "." ends a clause.
var latestPhrases = [...]string{
	"last time .", "last time we", "last time you", "last time i", "catch me up", "bring me up to speed", "get me up to speed",
	"where were we", "where was i", "where were you .", "where we were", "where are we at", "where are we with", "where are we .",
	"where do we stand", "where things stand", "where we left", "where you left", "where i left", "where it left off",
	"where did we leave", "where did you leave", "where did i leave", "where did we stop", "where did you stop", "where did i stop",
	"where we stopped", "where you stopped", "where i stopped", "pick up where", "continue where", "continue from where",
	"carry on where", "resume where", "what were we doing", "what was i doing", "were we working on", "was i working on",
	"were you working on", "did we do last .", "did you do last .", "did i do last .", "we did last .", "did we last", "did i last",
	"done so far", "did so far", "do so far", "made so far", "progress so far", "we have so far", "found so far", "learned so far",
	"tried so far", "decided so far", "agreed so far", "status so far", "know so far",
	"latest status .", "latest status of", "latest progress", "latest work .", "latest decision", "latest handoff",
	"latest changes we", "latest changes you", "latest changes i", "latest thing we", "latest on our", "what the latest .",
	"what the latest on", "what the latest with", "what is the latest .", "what is the latest on", "what is the latest with",
	"most recently .", "we most recently", "you most recently", "i most recently", "most recent decision", "most recent discussion",
	"our last session", "our previous session", "the last session .", "last session we", "our last conversation", "our last discussion",
	"wo waren wir", "wo sind wir stehen", "wo sind wir stehengeblieben", "letztes mal", "letzten mal", "zuletzt gemacht",
	"bisher gemacht", "où en étions nous", "où en sommes nous", "où on en était", "la dernière fois",
	"dónde estábamos", "dónde nos quedamos", "dónde lo dejamos", "en qué quedamos", "la última vez",
}

// asksForLatest reports whether a prompt asks for the newest of what was done
// together, whatever it was.
func asksForLatest(prompt string) bool {
	var b strings.Builder
	for _, w := range wordsOf(prompt) {
		b.WriteByte(' ')
		b.WriteString(w.text)
	}
	b.WriteByte(' ')
	text := strings.ReplaceAll(strings.ReplaceAll(b.String(), " , ", " . "), "-", " ")
	for _, other := range [...]string{" for the last time ", " one last time ", " is the last time "} {
		text = strings.ReplaceAll(text, other, " ")
	}
	return slices.ContainsFunc(latestPhrases[:], func(phrase string) bool {
		return strings.Contains(text, " "+phrase+" ")
	})
}
