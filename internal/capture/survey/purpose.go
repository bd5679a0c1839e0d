package survey

import (
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// How many words of a sentence say what a project is.
const (
	maxPhrase   = 14
	leastPhrase = 2
)

// describedBy returns what a project's own file says that the project is or does, "" if its first
// sentence does not have the form of that: "a web shop", of "Shop is a web shop"; "A parser of
// dates"; "Keeps books"; and "Shop keeps books", if the project has that name. Whoever wrote the
// file may describe the project, but may neither give Claude orders nor speak for the user, and
// no list of what is forbidden could be complete.
func describedBy(text string, names ...string) string {
	sentences := prose.Sentences(text)
	if len(sentences) == 0 || givesOrders(sentences[0]) || orderRules().NoFact.MatchString(sentences[0]) {
		return ""
	}
	first := strings.TrimRight(sentences[0], ". ")
	rules := orderRules()
	if m := rules.Kind.FindStringSubmatch(first); m != nil {
		return cutPhrase(m[len(m)-1])
	}
	switch {
	case rules.Noun.MatchString(first), rules.Does.MatchString(first), namedIn(first, names):
		return cutPhrase(first)
	}
	return ""
}

// cutPhrase returns a sentence up to where something else than its subject is spoken of. A comma
// ends it, but not between the first words of a list: "Fast, small parser".
func cutPhrase(sentence string) string {
	if at := orderRules().End.FindStringIndex(sentence); at != nil {
		sentence = sentence[:at[0]]
	}
	words := strings.Fields(sentence)
	least := leastPhrase
	for i, word := range words[:max(len(words)-1, 0)] {
		mayEnd := i > 0 || orderRules().Article.MatchString(words[0])
		if mayEnd && strings.HasSuffix(word, ",") && !strings.HasSuffix(words[max(i-1, 0)], ",") {
			words, least = words[:i+1], leastPhrase+1 // "A fast" of "A fast, small parser" says nothing
			break
		}
	}
	if len(words) < least {
		return ""
	}
	return strings.TrimRight(strings.Join(words[:min(len(words), maxPhrase)], " "), ",.")
}

// namedIn reports whether a sentence says what something does that has one of the names.
func namedIn(sentence string, names []string) bool {
	m := orderRules().DoneBy.FindStringSubmatch(sentence)
	return m != nil && slices.ContainsFunc(names, func(name string) bool { return plainName(name) != "" && plainName(name) == plainName(m[1]) })
}

// plainName returns the letters and digits of a name, without the scope that it may have.
func plainName(name string) string {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	return strings.Join(strings.FieldsFunc(name, prose.NotInName), "")
}

// saysWhat returns what a command does, in the words of whoever wrote it, if they begin like words
// for that; "" otherwise.
func saysWhat(says string) string {
	says = cutPhrase(says)
	if givesOrders(says) || !orderRules().Work.MatchString(says) {
		return ""
	}
	return says
}
