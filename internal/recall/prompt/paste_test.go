package prompt

import (
	"fmt"
	"strings"
	"testing"
)

func logLines(n int) string {
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, "2026-03-01T10:%02d:07.112Z INFO  [api] request served path=/v1/items status=200 in %d ms\n", i%60, i)
	}
	return strings.TrimSpace(lines.String())
}

// What a person typed is told apart from what they pasted, however long that is.
func TestDivide(t *testing.T) {
	const asked = "why does the import fail on Mondays?"
	log := logLines(100)
	goFile := "package main\n\nimport (\n\t\"fmt\"\n)\n\nfunc main() {\n\tfmt.Println(1)\n}"
	mail := "From: Anna <anna@example.com>\nTo: team@example.com\nSubject: noon\n\nHello all,\n\nwe saw it again today. Could somebody look into it?\nIt is the third time.\n\nBest,\nAnna"
	list := "Add an endpoint for exports:\n1. POST /exports returns 201\n2. GET /exports/{id} returns 200 (or 404)\n3. it streams CSV\n4. only admins may call it\n" +
		"5. at most 5 a minute\n6. files go to S3\n7. they expire after 7 days\n8. log who asked\n9. write tests\n10. update docs/api.md"
	prose := strings.TrimSpace(strings.Repeat("We had a long talk about the export, and nobody likes the current form.\n", 20))
	tests := []struct{ name, prompt, want string }{
		{"a short prompt", asked, asked},
		{"above", asked + "\n" + log, asked},
		{"below", log + "\n\n" + asked, asked},
		{"right below", log + "\n" + asked, asked},
		{"both", "look at this:\n\n" + log + "\n\n" + asked, "look at this:\n\n" + asked},
		{"between two", log + "\nand what is this?\n" + log, "and what is this?"},
		{"one line", asked + "\n" + logLines(1), asked},
		{"five lines", logLines(5) + "\n" + asked, asked},
		{"two lines above", "the import fails on Mondays,\ndo we know why\n" + log, "the import fails on Mondays,\ndo we know why"},
		{"fenced words", asked + "\n```\nall is well\nall is well\n```", asked},
		{"fenced in a fence", asked + "\n````md\n```\nx\n```\nmore words\n````\nthank you", asked + "\nthank you"},
		{"a fence that does not end", asked + "\n```\n" + log, asked},
		{"a file", asked + "\n\n" + goFile, asked},
		{"a mail below", asked + "\n\n" + mail, asked},
		{"a mail above", mail + "\n\n" + asked, asked},
		{"a forwarded mail", asked + "\n\n---------- Forwarded message ---------\n" + mail, asked},
		{"a German mail", asked + "\n\nVon: Anna\nGesendet: Montag\nBetreff: Mittag\n\nes ist wieder passiert", asked},
		{"a quoted mail", asked + "\n\n> we saw it again today\n> it is the third time", asked},
		{"values with commas", asked + "\n\nname,city,state\nanna,berlin,open\nbert,kiel,done", asked},
		{"a query's answer", asked + "\n\n id | name | state\n----+------+-------\n  1 | anna | open", asked},
		{"a mail in a fence", "```\n" + mail + "\n```\n" + asked, asked},
		{"a path in the question", "why does GET /v1/orders/{id} return 503 in src/api/orders.go:42?\n" + log, "why does GET /v1/orders/{id} return 503 in src/api/orders.go:42?"},
		{"paths in an order", log + "\n\nplease fix the 503 in src/api/orders.go:42 and src/api/pool.go:17", "please fix the 503 in src/api/orders.go:42 and src/api/pool.go:17"},
		{"line ends of Windows", strings.ReplaceAll(asked+"\n"+goFile, "\n", "\r\n"), asked},
		{"a few lines of code", "rename this:\n```\nfunc a() {\n}\n```\nto b", "rename this:\nto b"},
		{"a paste alone", log, ""},
		{"a list of requirements", list, list},
		{"prose", prose, prose},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			typed, _ := dividePaste(strings.Split(tt.prompt, "\n"))
			if got := strings.Join(strings.Fields(typed), " "); got != strings.Join(strings.Fields(tt.want), " ") {
				t.Errorf("typed %q, want %q", got, tt.want)
			}
		})
	}
}

// A prompt with a short paste is read in two ways, one with a long paste in one. The end of
// a long one is read as its beginning is.
func TestReadings(t *testing.T) {
	const asked = "why does the import fail?"
	spec := strings.Repeat("The export writes a file for each customer and day, and sends it to them.\n", 20)
	tests := []struct {
		name, prompt string
		want         []int // length of each question, -1 for the whole
	}{
		{"no paste", asked, []int{-1}},
		{"short", asked + "\n" + logLines(40), []int{len(asked), -1}},
		{"a bug report", strings.Repeat(asked+" ", 13) + "\n" + logLines(40), []int{-1, len(asked)*13 + 12}},
		{"long", asked + "\n" + logLines(200), []int{len(asked)}},
		{"one long line", asked + "\n{" + strings.Repeat(`"a": 1, `, 5000) + "}", []int{len(asked)}},
		{"far below", logLines(2000) + "\n" + asked, []int{len(asked)}},
		{"prose", spec, []int{-1}},
		{"prose above a question", spec + "\n" + asked, []int{-1, len(asked)}},
		{"prose right below a question", asked + "\n" + spec, []int{-1, len(asked)}},
		{"prose right above a question", strings.TrimSpace(spec) + "\n" + asked, []int{-1, len(asked)}},
		{"announced prose", asked + " it says this:\n" + spec, []int{-1, len(asked) + len(" it says this:")}},
		{"announced prose without a question", "it says this:\n" + spec, []int{-1}},
		{"a question within prose", spec + asked + "\n" + spec, []int{-1}},
		{"prose below a question", asked + "\n\n" + spec, []int{-1, len(asked)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []int
			for _, r := range Readings(tt.prompt) {
				n := len(r.Question)
				if r.Question == tt.prompt {
					n = -1
				}
				got = append(got, n)
			}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("Readings() have %v, want %v", got, tt.want)
			}
		})
	}
}
