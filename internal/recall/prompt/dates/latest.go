package dates

import (
	"slices"
	"strings"
)

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

// AsksForLatest reports whether a prompt asks for the newest of what was done
// together, whatever it was.
func AsksForLatest(prompt string) bool {
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
