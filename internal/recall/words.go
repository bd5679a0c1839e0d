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
