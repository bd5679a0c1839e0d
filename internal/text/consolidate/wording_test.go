package consolidate

import (
	"strings"
	"testing"

	"recollect/internal/memory"
)

func TestSaysTheSame(t *testing.T) {
	long := "The connection pool of the orders service was exhausted every noon because the nightly report kept its transactions open; "
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"equal", "Use tabs for indentation", "Use tabs for indentation", true},
		{"case and punctuation", "use tabs for indentation.", "Use tabs, for indentation!", true},
		{"politeness", "Please always run the linter before committing", "Run the linter before committing", true},
		{"other forms of the words", "Run the tests before committing changes", "Run tests before you commit the change", true},
		{"possessive", "the user's tests are run first", "The users tests run first", true},
		{"quotes", "Use “pnpm” here", "Use 'pnpm' here", true},
		{"spelled otherwise", "Keep the documentation short", "Keep the documentaton short", true},
		{"letters swapped", "Keep the documentation short", "Keep the documentatoin short", true},
		{"negations are alike", "Never push to main", "Don't push to main", true},
		{"curly apostrophe", "Don’t push to main", "don't push to main", true},
		{"command with and without ticks at the end", "Run `npm test` first.", "run `npm test` first", true},
		{"one word more in a long text", long + "it was closed", long + "it was closed yesterday", true},
		{"other script", "日本語で答えて", "日本語で答えて", true},
		{"German", "Bitte immer auf Deutsch antworten", "immer auf deutsch antworten!", true},
		{"French", "Réponds toujours en français, s'il te plaît", "réponds en français", true},

		{"negated", "Use tabs for indentation", "Do not use tabs for indentation", false},
		{"negated in a long text", long + "it was closed", long + "it was not closed", false},
		{"negated in German", "Wir benutzen Postgres in diesem Projekt", "Wir benutzen kein Postgres in diesem Projekt", false},
		{"negated in French", "Utilise les tabulations", "N'utilise pas les tabulations", false},
		{"the other way round", "Use spaces instead of tabs", "Use tabs instead of spaces", false},
		{"the other way round in a long text", long + "we chose Postgres over SQLite", long + "we chose SQLite over Postgres", false},
		{"another thing", "Use pnpm for the frontend", "Use yarn for the frontend", false},
		{"another thing in a long text", long + "deploy it to staging", long + "deploy it to production", false},
		{"another number", "The pool has 25 connections", "The pool has 40 connections", false},
		{"another number in a long text", long + "the limit is 25", long + "the limit is 40", false},
		{"a number more", long + "the limit was raised", long + "the limit was raised to 40", false},
		{"another version", "Use Go 1.25", "Use Go 1.26", false},
		{"another file", "Config lives in config/app.yaml", "Config lives in config/web.yaml", false},
		{"another name in code", "parseConfig panics on empty input", "parseHeader panics on empty input", false},
		{"another flag", "Run grep with -v here", "Run grep with -V here", false},
		{"another command in ticks", "Run `make lint` first", "Run `make test` first", false},
		{"another acronym", "Use the REST API", "Use the RPC API", false},
		{"a limit more", "Run the linter", "Run the linter only", false},
		{"before and after", "Run the tests before the commit", "Run the tests after the commit", false},
		{"unless", long + "retry the request", long + "retry the request unless cancelled", false},
		{"opposite words", "Enable the cache for users", "Disable the cache for users", false},
		{"opposites of one spelling", "Use internal links here", "Use external links here", false},
		{"two misspelled words", "documentation generators", "documentaton generatrs", false},
		{"a short word is another one", "Use the dev server", "Use the den server", false},
		{"one word more in a short text", "Answer in German", "Answer in short German", false},
		{"a fact more", long + "it was closed and the alarm was silenced", long + "it was closed", false},
		{"nothing in common", "Answer in German", "Deploy on Tuesdays", false},
		{"nothing said", "please", "thanks", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := wordingOf(memory.Memory{Title: tt.a}), wordingOf(memory.Memory{Title: tt.b})
			if got := a.nearlyEqual(b); got != tt.want {
				t.Errorf("%q, %q: %v, want %v", a.words, b.words, got, tt.want)
			}
			if got := b.nearlyEqual(a); got != tt.want {
				t.Errorf("the other way round: %v, want %v", got, tt.want)
			}
		})
	}
}

func TestWordingOf(t *testing.T) {
	tests := []struct {
		name string
		m    memory.Memory
		want string
	}{
		{"title and text", memory.Memory{Title: "Tabs", Text: "Used in Makefiles"}, "tab use in makefil"},
		{"title begins the text", memory.Memory{Title: "Tabs rule", Text: "Tabs rule in Makefiles"}, "tab rule in makefil"},
		{"fields of a pattern", memory.Memory{Title: "Build", Fields: map[string]string{"solution": "clean", "problem": "stale"}}, "build stale clean"},
		{"fields that say why", memory.Memory{Title: "Build", Fields: map[string]string{"alternatives": "make", "rationale": "x"}}, "build"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(wordingOf(tt.m).words, " "); got != tt.want {
				t.Errorf("words %q, want %q", got, tt.want)
			}
		})
	}
	global := wordingOf(memory.Memory{Title: "Tabs", AppliesTo: "global"})
	if global.nearlyEqual(wordingOf(memory.Memory{Title: "Tabs", AppliesTo: "*.go"})) {
		t.Error("what applies elsewhere says the same")
	}
}
