package secret

import (
	"slices"
	"strings"
)

// isPhrase reports a passphrase: words without one that sentences need.
func isPhrase(s string) bool {
	words := strings.Fields(s)
	if len(words) < 4 || len(words) > 30 {
		return false
	}
	for _, w := range words {
		if !isWithin(len(w), 3, 12) || !consistsOf(w, lowerLetters) || isOfSentences(w) {
			return false
		}
	}
	return true
}

// isOfSentences reports a word of sentences, or one that stands for a secret in manuals.
func isOfSentences(w string) bool {
	return slices.Contains(sentenceWords, w) || slices.Contains(standIns, w)
}

// isChosenWords reports a password of several words that people choose: words, of which at
// most one belongs to sentences, and a number or a sign, or four words.
func isChosenWords(s string) bool {
	words := strings.Fields(s)
	switch {
	case !isWithin(len(words), 2, 6), isTalk(s), strings.ContainsAny(s, brackets+"="), strings.HasSuffix(s, "."), strings.Contains(s, ", "):
		return false
	}
	linking, marked, letters := 0, false, 0
	for _, w := range words {
		lower := strings.ToLower(w)
		if slices.Contains(sentenceWords, lower) {
			linking++
		}
		marked = marked || isMarked(w)
		if strings.Trim(lower, lowerLetters) == "" || w[0] >= 0x80 {
			letters++
		}
	}
	if linking > 1 || letters == 0 {
		return false
	}
	return marked || len(words) > 3
}

// isMarked reports a word with a digit, or with a sign that passwords have.
func isMarked(w string) bool {
	return hasDigit(w) && len(w) > 1 || strings.ContainsAny(w, "#$%^*~!")
}

// isSentence reports whether one of the words of s belongs to a sentence.
func isSentence(s string) bool {
	return slices.ContainsFunc(strings.Fields(s), func(w string) bool {
		return isOfSentences(strings.ToLower(strings.Trim(w, ".,:;!?")))
	})
}

// hasSecretWord reports a password with spaces: one of its words can only be
// part of a password, and none belongs to a sentence.
func hasSecretWord(s string) bool {
	words := strings.Fields(s)
	if len(words) > 8 {
		return false
	}
	found := false
	for _, w := range words {
		if slices.Contains(sentenceWords, strings.ToLower(strings.Trim(w, ".,:;!?"))) || strings.ContainsAny(w, "()[]{}\"'`=<>") && isCodeLike(w) {
			return false
		}
		found = found || isStrong(w) && !isHex(w)
	}
	return found
}

// sentenceWords hold sentences together, in the languages that prompts come in.
var sentenceWords = strings.Fields(`the a an is are was were be been must should shall can could may might will would has have had do does did not no and or but if
	when then than that this these those with without from for of to in on at by as it its we you they i he she our your their there here only also
	just never always again while until after before because so use uses using used via into over under per all any each must please don't check see
	der die das ein eine einen ist sind war wird werden muss soll kann nicht und oder aber wenn dann mit ohne von zu im in auf bei für als es wir ihr sie
	le la les un une des est sont doit peut pas et ou mais si avec sans de du dans sur par pour que qui nous vous
	el los las una es son debe puede no y o pero con sin del en por para que se su`)
