package dates

import (
	"strings"
	"testing"
)

func TestAsksForLatest(t *testing.T) {
	tests := []struct {
		prompt string
		want   bool
	}{
		{"where were we?", true},
		{"Where did we leave off", true},
		{"ok, where did we leave off with the parser?", true},
		{"please pick up where we left off", true},
		{"Continue where you stopped.", true},
		{"what did we do last?", true},
		{"what were we working on", true},
		{"What did you do last time?", true},
		{"the hostel that you recommended last time, the one in Amsterdam", true},
		{"last time we ran this it failed", true},
		{"when was the last time I touched this", true},
		{"what have we done so far?", true},
		{"What we've done so far is enough", true},
		{"what is our progress so far", true},
		{"what's the latest on the migration?", true},
		{"what is the latest?", true},
		{"give me the latest status", true},
		{"show the latest changes we made", true},
		{"which of them did I use most recently?", true},
		{"what did we discuss in our last session", true},
		{"catch me up", true},
		{"nowhere we left, but where we left off", true},
		{"wo waren wir stehen geblieben?", true},
		{"mach es wie beim letzten Mal", true},
		{"où en étions-nous ?", true},
		{"comme la dernière fois", true},
		{"¿dónde estábamos?", true},
		{strings.Repeat("a log line\n", 500) + "so where were we?", true},

		{"", false},
		{"yesterday", false},
		{"fix the last line", false},
		{"install the latest version of node", false},
		{"pull the latest changes", false},
		{"upgrade to the latest.", false},
		{"deploy the latest on staging", false},
		{"the most recent commit", false},
		{"evict the most recently used entry", false},
		{"for the last time, stop", false},
		{"try one last time", false},
		{"this is the last time we do it", false},
		{"the last timestamp and the last time step", false},
		{"when was the last time the server restarted", false},
		{"so far so good", false},
		{"this is what I have so far: a parser", false},
		{"it works so far, now add a test", false},
		{"leave off the trailing comma", false},
		{"what did we do last week", false},
		{"delete the last session token", false},
		{"where are we calling this function", false},
		{"was we at last. Time flies", false},
		{strings.Repeat("a log line\n", 500) + "where were we\n" + strings.Repeat("a log line\n", 500), false},
	}
	for _, tt := range tests {
		t.Run(tt.prompt, func(t *testing.T) {
			if got := AsksForLatest(tt.prompt); got != tt.want {
				t.Errorf("AsksForLatest(%q) = %v, want %v", tt.prompt, got, tt.want)
			}
		})
	}
}
