package recall

import "strings"

// commonStems hold the stems of words that developers' prompts have whatever
// they are about. They count little, so that two prompts do not bear on each
// other because both say "please add".
var commonStems = set(`
	add ask better bit call can chang check choos chose code come complet creat current
	differ done easi edit els exampl exist explain file find first follow get give go good
	happen help idea implement includ issu just keep know later let like line list littl look
	make mani may mean might move much must name need never new next nice now number ok old one
	onli open order part pleas point possibl print problem project proper put question quick read realli
	recent remov right run say second see set show simpl someth start still stop support sure
	take task tell test thank thing think time today tri turn two updat use user usual valu veri
	want way well work write wrong yes yet yesterday`)

// goalTerms hold the stems that open the goals to a prompt. "Objective" is not
// among them: it has the stem of every JSON object.
var goalTerms = set(`goal mission mileston plan roadmap todo to-do to-dos`)

// troubles are in the lines of a log, a trace or a build that say what went wrong, and
// noTroubles in those that only look so.
var (
	troubles = []string{
		"error", "exception", "fatal", "panic", "fail", "cannot", "can't", "could not", "couldn't", "unable to", "denied",
		"refused", "rejected", "timeout", "timed out", "not found", "no such", "undefined", "unresolved", "unexpected",
		"invalid", "missing", "mismatch", "conflict", "corrupt", "overflow", "out of memory", "killed", "aborted", "caused by",
		"unreachable", "deadlock", "fehler", "erreur", "échec", "fallo",
	}
	noTroubles = []string{"0 error", "0 fail", "no error", "error=null", "error=nil", "errors=0", "failed=0", "failures: 0", "error: null", "ignore"}
)

// pasteStarts begin lines that no person types.
var pasteStarts = []string{
	"```", "Traceback (", "Exception in thread", "Caused by:", "diff --git", "index ", "goroutine ", "INFO", "WARN", "ERROR", "DEBUG", "TRACE",
	"FATAL", "npm WARN", "npm ERR",
}

// pasteStems hold the stems of words that a question about a paste has whatever it is about.
var pasteStems = set(`above analys attach below break broke broken bug caus crash debug diagnos error except explain fail failur
	fix follow goe got investig log look mean messag occur output past reason resolv solv stack stacktrac throw trace understand warn`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
