package extract

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/wishes.txt
var spokenText string

// TestSpokenWishes reads prompts as people type them, in passing and politely.
func TestSpokenWishes(t *testing.T) {
	for line := range strings.Lines(spokenText) {
		want, prompt, ok := strings.Cut(strings.TrimSpace(line), "|")
		if !ok {
			continue
		}
		got := append(titlesOf(prompt, preferences), titlesOf(prompt, conventions)...)
		if len(got) > 0 != (want == "y") {
			t.Errorf("%q gives %q, want some: %s", prompt, got, want)
		}
	}
}

func TestWishes(t *testing.T) {
	for _, prompt := range []string{
		// one thing instead of another
		"use black, never autopep8", "use httpx instead of requests for new code, everywhere", "use uuid columns rather than serial ids because we merge databases",
		"use tabs not spaces", "for dates use luxon, not moment", "don't use axios. use fetch", "use poetry. never use pip directly", "dont write classes here, use plain functions",
		// what shall be so the next time
		"next time run the migration on a copy first", "next time you rename a table, tell me before", "moving forward, use conventional commits",
		"from now on branch names start with feat/ or fix/", "in future please dont touch the lockfile", "every time you add an endpoint, update openapi.yaml",
		// what shall be remembered
		"remember: prod runs on port 8443", "remember, the ci user has no write access to s3", "to be clear: never edit the vendored code",
		// how to talk
		"explain everything in french pls", "pls talk to me in spanish", "keep your answers short", "please stop saying \"you're absolutely right\"",
		// where something holds
		"mocks are fine in unit tests, but integration tests have to hit the real db", "no console.logs in production code please", "we never commit generated files here",
		// likes
		"i hate long functions", "i'm not a fan of default exports", "not a fan of nested ternaries", "i like short commit messages",
		// form
		"commit messages should be lowercase and short", "keep commits small", "keep functions under 40 lines",
		// conditions
		"don't push without asking me", "never merge before the tests are green", "only push when ci is green", "ask me before adding dependencies",
		"avoid using any in typescript", "don't ever delete my branches", "you should always run make lint before you finish",
		// German
		"ab sofort bitte nur noch ruff statt flake8", "ab jetzt immer erst die tests laufen lassen", "nimm pnpm statt npm", "bitte keine emojis in commit messages",
		"verwende httpx, nicht requests", "hier immer tabs", "schreib die commits ab jetzt auf englisch", "frag mich immer bevor du pushst", "nächstes mal bitte erst fragen",
		"bitte nie wieder yarn benutzen, hier immer bun", "nein, nicht so. nimm zap statt logrus, logrus ist zu langsam",
		// French
		"désormais utilise pnpm", "utilise pnpm au lieu de npm", "n'utilise plus jamais any", "réponds en français à partir de maintenant", "ne commite jamais sans demander",
		// Spanish
		"a partir de ahora usa pnpm", "usa pnpm en vez de npm", "nunca hagas push sin preguntar", "responde siempre en español", "la próxima vez pregúntame antes de borrar",
		// Chinese
		"以后注释都用中文写",
	} {
		if got := titlesOf(prompt, preferences); len(got) != 1 {
			t.Errorf("preferences(%q) = %q, want one", prompt, got)
		}
	}
}

func TestNoWishes(t *testing.T) {
	for _, prompt := range []string{
		"next time it crashes ill send you the log", "what happens next time the job runs", "the next time i deploy it fails again",
		"remember me checkbox does not work", "remember when we fixed the cache", "do you remember the port?",
		"explain the german parser", "explain how german umlauts get lost",
		"use the second test instead of the first", "use blue instead of green for the button", "for this one use a map, not a slice", "use port 8081", "use sonnet for this task",
		"dont use it yet", "dont run the tests now", "don't merge before monday", "don't worry about the tests", "don't forget the changelog",
		"the layout is fine in chrome, only safari is broken", "it is fine in dev, but prod has to restart all the time", "everything is ok in staging, only prod is slow",
		"i hate this bug", "i like the second one", "i like it", "i dont like the color", "we prefer the old layout but whatever",
		"only commit the readme", "only run the failing test", "avoid the crash when the list is empty", "no errors in the log", "no commits in the last week", "no output in the console",
		"keep the tests in this file", "write comments for the new function", "commit messages are not shown in the ui", "commits should be visible in the timeline",
		"henceforth, selecting a new data point raises ValueError", "as of now the build is red", "the docs say never use this in production", "why should i never use eval?",
		"users should never see this page", "the server must never block", "i always get a timeout", "we always had two replicas", "in general, it never breaks",
		"make sure it always returns 200", "whenever i click save, the page reloads", "if the token is expired, always refresh it", "ask me anything about the schema",
		"tell me before which commit it broke", "i want the button on the left instead of right", "rename always_on to enabled",
		"nie funktioniert das beim ersten mal", "die tests sind immer noch rot", "immer wieder derselbe fehler", "ab jetzt ist der build kaputt", "warum nimmst du nicht pnpm?",
		"hier ist immer noch ein fehler", "nimm die zweite statt der ersten", "der build läuft ab sofort nicht mehr", "keine ahnung warum",
		"pourquoi ça ne marche jamais", "il n'y a jamais de logs", "aquí no funciona nada", "siempre falla en ci", "la próxima vez que falle te aviso",
	} {
		if got := titlesOf(prompt, preferences); got != nil {
			t.Errorf("preferences(%q) = %q, want none", prompt, got)
		}
	}
}

// What not to use and what to use instead is one wish.
func TestWishOfTwoSentences(t *testing.T) {
	for prompt, want := range map[string]string{
		"dont use print here. use the logger from log.py":  "The user wants: dont use print here. use the logger from log.py",
		"use ripgrep. never call find directly. thanks!":   "The user wants: use ripgrep. never call find directly",
		"don't use mocks in e2e. use that for now instead": "The user wants: don't use mocks in e2e",
	} {
		if got := titlesOf(prompt, preferences); len(got) != 1 || got[0] != want {
			t.Errorf("preferences(%q) = %q, want %q", prompt, got, want)
		}
	}
}

// A sentence is a wish or a convention, not both.
func TestWishOrConvention(t *testing.T) {
	for prompt, want := range map[string][2]int{
		"In this repo we use table tests everywhere.": {0, 1},
		"remember that we use pnpm here":              {1, 0},
		"in diesem projekt schreiben wir alles klein": {0, 1},
		"we never commit generated files here":        {1, 0},
	} {
		if got := [2]int{len(titlesOf(prompt, preferences)), len(titlesOf(prompt, conventions))}; got != want {
			t.Errorf("%q gives %d preferences and %d patterns, want %v", prompt, got[0], got[1], want)
		}
	}
}
