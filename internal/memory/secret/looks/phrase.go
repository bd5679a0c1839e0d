package looks

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
)

// IsPhrase reports whether s is a passphrase: words without one that sentences need.
func IsPhrase(s string) bool {
	words := strings.Fields(s)
	if len(words) < 4 || len(words) > 30 {
		return false
	}
	for _, w := range words {
		if !chars.IsWithin(len(w), 3, 12) || !chars.ConsistsOf(w, chars.LowerLetters) || isOfSentences(w) {
			return false
		}
	}
	return true
}

// isOfSentences reports whether w is a word of sentences, or one that stands for a secret in manuals.
func isOfSentences(w string) bool {
	return slices.Contains(SentenceWords, w) || slices.Contains(StandIns, w)
}

// IsChosenWords reports whether s is a password of several words that people choose: words, of which at
// most one belongs to sentences, and a number or a sign, or four words.
func IsChosenWords(s string) bool {
	words := strings.Fields(s)
	switch {
	case len(words) < 2, isTalk(s), strings.ContainsAny(s, Brackets+"="):
		return false
	}
	linking, marked, letters := 0, false, 0
	for _, w := range words {
		lower := strings.ToLower(w)
		if slices.Contains(SentenceWords, lower) {
			linking++
		}
		marked = marked || isMarked(w)
		if strings.Trim(lower, chars.LowerLetters) == "" || w[0] >= 0x80 {
			letters++
		}
	}
	if linking > 1 || letters == 0 {
		return false
	}
	return marked || len(words) > 3
}

// isMarked reports whether w is a word with a digit, or with a sign that passwords have.
func isMarked(w string) bool {
	return chars.HasDigit(w) && len(w) > 1 || strings.ContainsAny(w, "#$%^*~!")
}

// IsSentence reports whether one of the words of s belongs to a sentence.
func IsSentence(s string) bool {
	return slices.ContainsFunc(strings.Fields(s), func(w string) bool {
		return isOfSentences(strings.ToLower(strings.Trim(w, ".,:;!?")))
	})
}

// HasSecretWord reports whether s is a password with spaces: one of its words can only be
// part of a password, and none belongs to a sentence.
func HasSecretWord(s string) bool {
	words := strings.Fields(s)
	if len(words) > 8 {
		return false
	}
	found := false
	for _, w := range words {
		if slices.Contains(SentenceWords, strings.ToLower(strings.Trim(w, ".,:;!?"))) || strings.ContainsAny(w, "()[]{}\"'`=<>") && IsCodeLike(w) {
			return false
		}
		found = found || IsStrong(w) && !IsHex(w)
	}
	return found
}

// SentenceWords hold sentences together, in the languages that prompts come in.
var SentenceWords = strings.Fields(`the a an is are was were be been must should shall can could may might will would has have had do does did not no and or but if
	when then than that this these those with without from for of to in on at by as it its we you they i he she our your their there here only also
	just never always again while until after before because so use uses using used via into over under per all any each must please don't check see
	der die das ein eine einen ist sind war wird werden muss soll kann nicht und oder aber wenn dann mit ohne von zu im in auf bei für als es wir ihr sie
	le la les un une des est sont doit peut pas et ou mais si avec sans de du dans sur par pour que qui nous vous
	el los las una es son debe puede no y o pero con sin del en por para que se su`)
