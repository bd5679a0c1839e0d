package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Synonyms holds the shipped concepts and the user's own.
type Synonyms struct{ own []synonymLine }

// A Concept is one thing with its names, at least two.
type Concept struct {
	Names []Name
	Own   bool // from the user's file
}

// A Name is a word or a phrase, in lower case with single spaces.
type Name struct {
	Text string
	// Terms are the terms of the text, sorted and separated by spaces; "" if unknown.
	Terms string
	// Closeness is how close the name is to the concept, in (0, 1]. The closeness of two names is the
	// product of theirs.
	Closeness float64
}

// Closeness of a name to its concept. On prompts held back from training, a lower value for related names
// finds less, and a higher one no more; siblings hardly help at all.
const (
	equal   = 1.0
	related = 0.8
	sibling = 0.4
)

// maxNameWords is the largest number of words in a name.
const maxNameWords = 10

// ParseSynonyms reads the text of a user's synonyms.toml.
func ParseSynonyms(file, text string) (Synonyms, error) {
	own, err := decodeSynonyms(file, text)
	for i := range own {
		own[i].own = true
	}
	return Synonyms{own}, err
}

// Concepts merges the user's file into the shipped concepts. A line replaces the shipped line of the same
// name, and removes that name from the other shipped lines. A line with an empty list only does that.
func (s *Synonyms) Concepts() []Concept {
	replaced := map[string]bool{}
	for _, line := range s.own {
		replaced[line.names[0].Text] = true
	}
	var all []Concept
	for _, c := range shippedConcepts() {
		if replaced[c.Names[0].Text] {
			continue
		}
		if slices.ContainsFunc(c.Names, func(n Name) bool { return replaced[n.Text] }) {
			c.Names = slices.DeleteFunc(slices.Clone(c.Names), func(n Name) bool { return replaced[n.Text] })
		}
		if len(c.Names) > 1 {
			all = append(all, c)
		}
	}
	return append(all, conceptsOf(s.own)...)
}

// A synonymLine is a line of a file: the name on the left, then the names on the right.
type synonymLine struct {
	names []Name
	loose bool // the names on the right are synonyms of the left one, but not of each other
	own   bool
}

// conceptsOf makes concepts from lines. A loose line gives one for each name on the right.
func conceptsOf(lines []synonymLine) []Concept {
	s := make([]Concept, 0, len(lines))
	for _, line := range lines {
		switch {
		case len(line.names) < 2:
		case line.loose:
			for _, n := range line.names[1:] {
				if line.own {
					n.Closeness = equal
				}
				s = append(s, Concept{[]Name{line.names[0], n}, line.own})
			}
		default:
			s = append(s, Concept{line.names, line.own})
		}
	}
	return s
}

// read adds the names on the right: a list, or a table of lists by closeness.
func (l *synonymLine) read(value any) error {
	if list, ok := value.([]any); ok {
		l.loose = true
		return l.add(list, related)
	}
	table, ok := value.(map[string]any)
	if !ok {
		return errors.New("must be a list of names, or {equal = [...], related = [...], sibling = [...]}")
	}
	closeness := map[string]float64{"equal": equal, "related": related, "sibling": sibling}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if closeness[key] == 0 {
			return fmt.Errorf("has %q: must be equal, related or sibling", key)
		}
		list, ok := table[key].([]any)
		if !ok {
			return fmt.Errorf("has %s = %v: must be a list of names", key, table[key])
		}
		if err := l.add(list, closeness[key]); err != nil {
			return err
		}
	}
	return nil
}

func (l *synonymLine) add(list []any, closeness float64) error {
	for _, n := range list {
		text, ok := n.(string)
		if !ok {
			return fmt.Errorf("has %v: must be a name in quotes", n)
		}
		l.names = append(l.names, Name{Text: plainName(text), Closeness: closeness})
	}
	return nil
}

// check returns an error if the names are invalid.
func (l *synonymLine) check() error {
	for _, n := range l.names {
		if words := strings.Count(n.Text, " ") + 1; n.Text == "" || words > maxNameWords {
			return fmt.Errorf("has %q: must be 1 to %d words", n.Text, maxNameWords)
		}
	}
	return nil
}

// decodeSynonyms reads the text of one file, sorted by the names on the left.
func decodeSynonyms(file, text string) ([]synonymLine, error) {
	values := map[string]any{}
	if _, err := decode(file, text, maxSynonyms, &values); err != nil {
		return nil, err
	}
	var lines []synonymLine
	var problems []error
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if len(problems) >= maxProblems {
			break
		}
		line := synonymLine{names: []Name{{Text: plainName(key), Closeness: equal}}}
		err := errors.Join(line.read(values[key]), line.check())
		if err != nil {
			problems = append(problems, Problem{file, lineOf(text, key), key, err.Error()})
		}
		lines = append(lines, line)
	}
	return lines, errors.Join(problems...)
}

// plainName returns a name in lower case, with single spaces.
func plainName(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
