package dates

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// wednesday is the now of these tests.
var wednesday = time.Date(2026, time.March, 18, 15, 4, 5, 0, time.FixedZone("", 2*60*60))

// spans writes windows as "first day to last day"; a part of a day keeps its
// hours.
func spans(windows []Window) []string {
	var out []string
	for _, w := range windows {
		from, to := w.From.Format("2006-01-02"), w.To.AddDate(0, 0, -1).Format("2006-01-02")
		switch {
		case w.From.Hour() != 0 || w.To.Hour() != 0:
			from, to = w.From.Format("2006-01-02T15"), w.To.Format("2006-01-02T15")
			fallthrough
		case from != to:
			from += " to " + to
		}
		out = append(out, from)
	}
	return out
}

func TestTimesIn(t *testing.T) {
	const (
		may       = "2025-05-01 to 2025-05-31"
		may2023   = "2023-05-01 to 2023-05-31"
		lastWeek  = "2026-03-09 to 2026-03-15"
		lastMonth = "2026-02-01 to 2026-02-28"
	)
	tests := []struct {
		prompt string
		want   []string
	}{
		// Dates.
		{"what broke on 2026-02-10?", []string{"2026-02-10"}},
		{"the notes of 2026/02/10, please", []string{"2026-02-10"}},
		{"(2026-2-3)", []string{"2026-02-03"}},
		{"was am 10.02.2026 geschah", []string{"2026-02-10"}},
		{"who met Maria on 7 May 2023", []string{"2023-05-07"}},
		{"on 1 February, 2023 she", []string{"2023-02-01"}},
		{"on May 3, 2023?", []string{"2023-05-03"}},
		{"shipped on April 8th 2025", []string{"2025-04-08"}},
		{"What did we plan May 7", []string{"2025-05-07"}},
		{"what did we plan on march 7th", []string{"2026-03-07"}},
		{"the 7th of May", []string{"2025-05-07"}},
		{"the 1st of january", []string{"2026-01-01"}},
		{"on March 18", []string{"2026-03-18"}},
		{"on March 19", []string{"2025-03-19"}},
		{"on february 29", []string{"2024-02-29"}},
		{"Feb 3 and Jan 22, 2025", []string{"2026-02-03", "2025-01-22"}},
		{"yesterday's notes, and 2026-02-10's", []string{"2026-03-17", "2026-02-10"}},

		// Months and years.
		{"what did we do in May", []string{may}},
		{"in May 2023", []string{may2023}},
		{"in may 2023", []string{may2023}},
		{"her latest project in May of 2023?", []string{may2023}},
		{"May 2023 notes", []string{may2023}},
		{"in march", nil},
		{"in March", []string{"2026-03-01 to 2026-03-18"}},
		{"during april", []string{"2025-04-01 to 2025-04-30"}},
		{"in late June", []string{"2025-06-01 to 2025-06-30"}},
		{"last May", []string{may}},
		{"the fallback since May, they say", []string{"2025-05-01 to 2026-03-18"}},
		{"how often in 2023?", []string{"2023-01-01 to 2023-12-31"}},
		{"the plan of 2023 was", []string{"2023-01-01 to 2023-12-31"}},
		{"since 2025", []string{"2025-01-01 to 2026-03-18"}},

		// Days.
		{"what did we change yesterday", []string{"2026-03-17"}},
		{"Yesterday, we", []string{"2026-03-17"}},
		{"the day before yesterday", []string{"2026-03-16"}},
		{"what did I ask today?", []string{"2026-03-18"}},
		{"as this morning", []string{"2026-03-18T00 to 2026-03-18T12"}},
		{"last night's build", []string{"2026-03-17T18 to 2026-03-18T06"}},
		{"like the other day", []string{"2026-03-08 to 2026-03-17"}},
		{"what we said on Tuesday", []string{"2026-03-17"}},
		{"on wednesday", []string{"2026-03-18"}},
		{"last Wednesday", []string{"2026-03-11"}},
		{"last thursday's fix", []string{"2026-03-12"}},
		{"since Monday", []string{"2026-03-16 to 2026-03-18"}},
		{"in Sept 2025 and 5 sep 2025", []string{"2025-09-01 to 2025-09-30", "2025-09-05"}},
		{"last weekend", []string{"2026-03-14 to 2026-03-15"}},

		// Weeks, months, years.
		{"what did we decide last week", []string{lastWeek}},
		{"last week's decision", []string{lastWeek}},
		{"this week", []string{"2026-03-16 to 2026-03-18"}},
		{"what changed last month?", []string{lastMonth}},
		{"this month", []string{"2026-03-01 to 2026-03-18"}},
		{"last year", []string{"2025-01-01 to 2025-12-31"}},
		{"this year", []string{"2026-01-01 to 2026-03-18"}},
		{"in the last week", []string{"2026-03-11 to 2026-03-18"}},
		{"over the past month", []string{"2026-02-18 to 2026-03-18"}},
		{"in the last two months", []string{"2026-01-18 to 2026-03-18"}},
		{"the past 3 days", []string{"2026-03-15 to 2026-03-18"}},
		{"in the last few days", []string{"2026-03-12 to 2026-03-18"}},
		{"in the last couple of weeks", []string{"2026-02-25 to 2026-03-18"}},
		{"last summer", []string{"2025-06-01 to 2025-08-31"}},
		{"last winter", []string{"2025-12-01 to 2026-02-28"}},
		{"since last week", []string{"2026-03-09 to 2026-03-18"}},
		{"after last week", []string{"2026-03-16 to 2026-03-18"}},

		// Ago.
		{"three days ago", []string{"2026-03-15"}},
		{"3 days ago", []string{"2026-03-15"}},
		{"a few days ago", []string{"2026-03-12 to 2026-03-16"}},
		{"a couple of days ago", []string{"2026-03-15 to 2026-03-16"}},
		{"two weeks ago", []string{"2026-03-01 to 2026-03-07"}},
		{"a week ago", []string{"2026-03-08 to 2026-03-14"}},
		{"a month ago", []string{"2026-02-03 to 2026-03-05"}},
		{"several months ago", []string{"2025-09-03 to 2026-02-02"}},
		{"a couple weeks ago", []string{"2026-02-22 to 2026-03-07"}},
		{"a year back", []string{"2024-09-17 to 2025-09-16"}},

		// Other languages.
		{"was haben wir gestern gemacht", []string{"2026-03-17"}},
		{"Was war vorgestern? Und heute?", []string{"2026-03-16", "2026-03-18"}},
		{"letzte Woche", []string{lastWeek}},
		{"im letzten Monat", []string{lastMonth}},
		{"vor 2 Wochen", []string{"2026-03-01 to 2026-03-07"}},
		{"qu’avons-nous fait hier", []string{"2026-03-17"}},
		{"et aujourd'hui", []string{"2026-03-18"}},
		{"la semaine dernière", []string{lastWeek}},
		{"¿qué hicimos ayer?", []string{"2026-03-17"}},
		{"le mois dernier", []string{lastMonth}},
		{"vor einer Woche", []string{"2026-03-08 to 2026-03-14"}},
		{"la semana pasada", []string{lastWeek}},
		{"hace 2 semanas", []string{"2026-03-01 to 2026-03-07"}},

		// Several.
		{"between May 3 and May 7, 2023", []string{"2025-05-03", "2023-05-07"}},
		{"yesterday or yesterday", []string{"2026-03-17"}},
		{"2025-01-01 2025-01-02 2025-01-03 2025-01-04 2025-01-05", []string{"2025-01-01", "2025-01-02", "2025-01-03", "2025-01-04"}},

		// Not times.
		{"", nil},
		{"you may fix it, it may be wrong, in may cases", nil},
		{"tests 3 may fail, 7 march on", nil},
		{"march 5 steps on", nil},
		{"upgrade to 1.2.3 and v2026.2.10", nil},
		{"ping 10.2.20.26 and 192.168.1.1", nil},
		{"see section 5/7 and chapter 5-7", nil},
		{"fix #2026 and issue 2023", nil},
		{"take 2023 rows, in 2048 bytes, page 3 of 2023", nil},
		{"in 2000 iterations of 2001 lines", nil},
		{"CVE-2023-1234 and ES2023 and 2023.1", nil},
		{"2026-02-30 and 2026-13-01 and 1999-01-01 and 0000-01-01", nil},
		{"20260210 and 2026-02-10-notes.md and docs/2026-02-10.md", nil},
		{"2026-02-10 12:33:01,123 ERROR no", nil},
		{"2026-02-10T12:33:01Z ERROR no", nil},
		{"Jan 5 10:22:33 host sshd", nil},
		{"on 2027-01-05, in 2030, May 5, 2031", nil},
		{"before 2026-02-10, until May 7 or by Monday", nil},
		{"next Tuesday, tomorrow, every Tuesday, next week", nil},
		{"this weekend", nil},
		{"the last 3 commits, the last line, last few lines", nil},
		{"the last day of the sprint, the last week of the course", nil},
		{"how many weeks ago", nil},
		{"wait two weeks, in 3 days", nil},
		{"0 days ago, 5000 days ago, -3 days ago", nil},
		{"was ist hier falsch", nil},
		{"since Marc left, in 3d March hares", nil},
		{"every other day, each day before", nil},
		{"this is it. May 40 be enough", nil},
		{"the last\nweek", nil},
	}
	for _, tt := range tests {
		t.Run(tt.prompt, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, spans(In(tt.prompt, wednesday))); diff != "" {
				t.Errorf("In(%q) (-want +got):\n%s", tt.prompt, diff)
			}
		})
	}
}

// A weekend, the turn of a year and the night have rules of their own.
func TestTimesInAt(t *testing.T) {
	tests := []struct {
		name, prompt string
		now          time.Time
		want         []string
	}{
		{"Sunday ends a week", "this week", time.Date(2026, 3, 15, 9, 0, 0, 0, time.UTC), []string{"2026-03-09 to 2026-03-15"}},
		{"Monday begins one", "last week", time.Date(2026, 3, 16, 9, 0, 0, 0, time.UTC), []string{"2026-03-09 to 2026-03-15"}},
		{"on a Sunday", "last weekend", time.Date(2026, 3, 15, 9, 0, 0, 0, time.UTC), []string{"2026-03-07 to 2026-03-08"}},
		{"in January", "last month", time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC), []string{"2025-12-01 to 2025-12-31"}},
		{"in winter", "last winter", time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC), []string{"2024-12-01 to 2025-02-28"}},
		{"in the night", "last night", time.Date(2026, 1, 31, 2, 0, 0, 0, time.UTC), []string{"2026-01-30T18 to 2026-01-31T06"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, spans(In(tt.prompt, tt.now))); diff != "" {
				t.Errorf("In(%q, %v) (-want +got):\n%s", tt.prompt, tt.now, diff)
			}
		})
	}
}

func TestTimesInLongPrompt(t *testing.T) {
	log := strings.Repeat("at 2026-02-10 we saw\n", 200)
	tests := []struct {
		name, prompt string
		want         []string
	}{
		{"beginning", "what we did yesterday: " + strings.Repeat("x ", 5000), []string{"2026-03-17"}},
		{"end", strings.Repeat("x ", 5000) + " is what we did yesterday", []string{"2026-03-17"}},
		{"middle", strings.Repeat("x ", 500) + "yesterday" + strings.Repeat(" x", 500), nil},
		{"one word", strings.Repeat("2026-02-10", 500), nil},
		{"the same date often", log, []string{"2026-02-10"}},
		{"cut within a date", strings.Repeat("x ", 195) + "on 2026-02-10 " + strings.Repeat("x ", 500), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, spans(In(tt.prompt, wednesday))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzTimesIn(f *testing.F) {
	for _, seed := range []string{
		"what did we do on 2026-02-10 or May 7th, 2023", "the last few weeks, 2 years ago, since last summer",
		"il y a trois jours", "on Feb 29", "999 years ago", "10.2.20.26", "last", "ago", "\xff.\u0300'’l'", "",
	} {
		f.Add(seed, wednesday.Unix())
	}
	f.Fuzz(func(t *testing.T, prompt string, seconds int64) {
		now := time.Unix(seconds%(1<<36), 0).UTC()
		windows := In(prompt, now)
		AsksForLatest(prompt)
		if len(windows) > maxWindows {
			t.Errorf("%d windows", len(windows))
		}
		for _, w := range windows {
			if !w.From.Before(w.To) || w.From.After(now) || w.To.After(now.AddDate(0, 0, 1)) {
				t.Errorf("In(%q, %v) has the window %v to %v", prompt, now, w.From, w.To)
			}
		}
	})
}

// BenchmarkWhen reads a prompt of 200 characters.
func BenchmarkWhen(b *testing.B) {
	prompt := "Last week, I think on Tuesday or Wednesday, we changed how the scheduler retries jobs that time out, and I do not " +
		"remember why we kept the old limit of 300 seconds. What did we decide in May 2025, then?"
	b.Run("times", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			In(prompt, wednesday)
		}
	})
	b.Run("latest", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			AsksForLatest(prompt)
		}
	})
}
