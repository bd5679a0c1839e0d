package prose

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// MaxStated bounds a statement, in bytes: some 30 tokens, or a little more.
const MaxStated = 160

// Bounds of what a text states.
const (
	mostStated    = 6  // statements of one reply
	minStated     = 3  // words that say something, of a statement that names something
	minUnnamed    = 4  // of one that names nothing
	maxIntroduced = 60 // bytes of what announces a list and stands before each of its items
)

// Stated returns what a reply states, a sentence each, in its order: causes, results, decisions, rules,
// fixes and numbers. Plans, offers, guesses, and what it says about the talk itself are none.
func Stated(reply string) []string {
	type stated struct {
		text string
		rank int
	}
	var all []stated
	for _, u := range unitsOf(reply) {
		if u.rank >= rankAsking {
			continue
		}
		for _, text := range u.sayings() {
			if States(text, u.cause) {
				all = append(all, stated{ClipClause(text, MaxStated), u.rank})
			}
		}
	}
	chosen := slices.Clone(all)
	slices.SortStableFunc(chosen, func(a, b stated) int { return cmp.Compare(a.rank, b.rank) })
	chosen = chosen[:min(len(chosen), mostStated)]
	var out []string
	for _, s := range all {
		if slices.Contains(chosen, s) {
			AddOnce(&out, s.text)
		}
	}
	return out[:min(len(out), mostStated)]
}

// sayings returns the sentence of a unit, or each item of its list behind what announces it.
func (u *unit) sayings() []string {
	if len(u.items) == 0 {
		return []string{u.text}
	}
	announce := strings.TrimRight(u.announce, " ")
	if replyRules().Possible.MatchString(announce) {
		return nil
	}
	if len(announce) > maxIntroduced || Informative(announce) == 0 {
		announce = ""
	}
	var out []string
	for _, item := range u.items {
		if Informative(item) < minUnnamed && !replyRules().Wanting.MatchString(item) {
			item = strings.TrimSpace(announce + " " + item)
		}
		out = append(out, item)
	}
	return out
}

// StatedByUser reports whether a sentence of a prompt states how something is, and does not ask for
// anything.
func StatedByUser(sentence string) bool {
	rules := replyRules()
	sentence = ItemWords(sentence)
	asks := strings.HasSuffix(sentence, "?") || ContainsAny(strings.ToLower(sentence), addressing[:])
	namesSomething := NamesCode(sentence) || numbersIn(sentence) > 0
	if asks || !namesSomething {
		return false
	}
	return rules.Being.MatchString(sentence) && States(sentence, true)
}

// SaysAnything reports whether a sentence of what came out of a turn may state something, in whatever words:
// it is whole, and neither asks, guesses nor tells of the talk.
func SaysAnything(outcome string) bool {
	return slices.ContainsFunc(Sentences(outcome), func(s string) bool {
		return strings.HasSuffix(s, ".") && !strings.Contains(s, "; ") && States(s, true)
	})
}

// addressing are words with which a user speaks to Claude.
var addressing = [...]string{"you", "please", "bitte", "wanna"}

// States reports whether a sentence of a reply states something that can be told by itself. Where it
// stands as a cause, it needs no word that says so.
func States(text string, asCause bool) bool {
	rules := replyRules()
	switch {
	case rules.Talking.MatchString(text), rules.Guessing.MatchString(text), rules.Announcing.MatchString(text), Effect(text), Leans(text):
		return false
	case strings.HasSuffix(text, ":"), strings.HasSuffix(text, "!"), strings.ContainsAny(text, "|?"), rules.Wanting.MatchString(text):
		return false
	}
	numbers, named := numbersIn(text), NamesCode(text)
	if !isLongEnough(Informative(text)+numbers, numbers, named) {
		return false
	}
	switch {
	case asCause, FindReason(text) != nil, rules.Causal.MatchString(text), rules.Deciding.MatchString(text):
		return true
	}
	namesSomething := named || numbers > 0
	return rules.Acted.MatchString(text) || namesSomething && rules.Being.MatchString(text)
}

// isLongEnough reports whether a sentence of so many words, numbers among them, may state something. The fewer, the
// more it has to name.
func isLongEnough(words, numbers int, named bool) bool {
	switch {
	case !named:
		return words >= minUnnamed
	case numbers == 0:
		return words >= minStated
	}
	return true
}

// Guesses reports whether a sentence says only what may be.
func Guesses(sentence string) bool { return replyRules().Guessing.MatchString(sentence) }

// Tells reports whether what a prompt begins with tells by itself what it is about.
func Tells(topic string) bool {
	return NamesCode(topic) || Informative(topic) >= minStated && !Pronominal(topic)
}

// NamesCode reports whether a text has a name of code or a path.
func NamesCode(text string) bool {
	return strings.Contains(text, "`") || slices.ContainsFunc(strings.Fields(text), func(word string) bool { return isCodeName(trimWord(word)) })
}

func trimWord(word string) string { return strings.Trim(word, ".,:;!?()'\"*") }

func isCodeName(word string) bool {
	return IsIdentifier(word) || strings.Contains(word, "/") && len(word) > minStated
}

// numbersIn counts the words of a text that are numbers, or have one in them.
func numbersIn(text string) int {
	n := 0
	for _, word := range strings.Fields(text) {
		if strings.ContainsFunc(trimWord(word), unicode.IsDigit) {
			n++
		}
	}
	return n
}
