package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"recollect"
)

// Synonyms maps a word to the words that may stand for it. A pair holds in
// both directions: with deploy = ["ci"] a prompt that says "ci" also finds
// "deploy". Two words on the right of one line are no synonyms of each other.
type Synonyms map[string][]Synonym

// A Synonym is a word that may stand for another. Own says that the user's file joins the
// two.
type Synonym struct {
	Word string
	Own  bool
}

// ParseSynonyms lays the text of a synonyms.toml over the shipped one. A line
// for a word replaces the shipped line; an empty list takes it out.
func ParseSynonyms(file, text string) (Synonyms, error) {
	lines, err := decodeSynonyms("synonyms.toml", recollect.SynonymsTOML)
	if err != nil {
		return nil, fmt.Errorf("shipped synonyms: %w", err)
	}
	own, err := decodeSynonyms(file, text)
	if err != nil {
		return nil, err
	}
	maps.Copy(lines, own)
	s := Synonyms{}
	for word, others := range lines {
		_, users := own[word]
		for _, other := range others {
			s.add(word, other, users)
			s.add(other, word, users)
		}
	}
	for word := range s {
		slices.SortFunc(s[word], func(a, b Synonym) int { return strings.Compare(a.Word, b.Word) })
	}
	return s, nil
}

func (s Synonyms) add(word, other string, own bool) {
	at := slices.IndexFunc(s[word], func(known Synonym) bool { return known.Word == other })
	if at < 0 {
		s[word] = append(s[word], Synonym{other, own})
		return
	}
	s[word][at].Own = s[word][at].Own || own
}

func decodeSynonyms(file, text string) (map[string][]string, error) {
	lines := map[string][]string{}
	if _, err := toml.Decode(text, &lines); err != nil {
		return nil, tomlProblem(file, err)
	}
	var problems []error
	lower := map[string][]string{}
	for _, word := range slices.Sorted(maps.Keys(lines)) {
		for _, w := range append([]string{word}, lines[word]...) {
			if rule := synonymRule(w); rule != "" {
				problems = append(problems, Problem{file, lineOf(text, word), word, rule})
			}
		}
		lower[strings.ToLower(word)] = lowerAll(lines[word])
	}
	return lower, errors.Join(problems...)
}

func synonymRule(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n") {
		return fmt.Sprintf("has %q: must be one word", w)
	}
	return ""
}

func lowerAll(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ToLower(w)
	}
	return out
}
