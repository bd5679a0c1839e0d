package rule

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxPattern is the length above which nobody reads a pattern, as it is
// written, in runes. Long lists belong into words.
const maxPattern = 120

// languages are those that a rule may be for.
var languages = []string{"", "en", "de", "fr", "es", "zh"}

// Check is what the test of a file of rules asks: it returns all that is wrong
// with the tables. Each rule has a name of its own, a pattern that can be read
// and examples that hold.
func Check(tables Tables) error {
	all := []error{tables.header().Words.unused(tables)}
	names := map[string]bool{}
	for _, t := range tablesOf(tables) {
		for _, r := range t.rules {
			if names[r.Name] {
				all = append(all, fmt.Errorf("rule %s: there are two", r.Name))
			}
			names[r.Name] = true
			if err := r.wellFormed(); err != nil {
				all = append(all, fmt.Errorf("rule %s: %w", r.Name, err))
			} else if err := t.holds(r, tables.header().Lowered); err != nil {
				all = append(all, fmt.Errorf("rule %s: %w", r.Name, err))
			}
		}
	}
	return errors.Join(all...)
}

// unused names the words that no pattern of the tables uses.
func (w Words) unused(tables Tables) error {
	texts := fmt.Sprint(tables.header().Around, w)
	for _, t := range tablesOf(tables) {
		for _, r := range t.rules {
			texts += r.Pattern
		}
	}
	for name := range w {
		if !strings.Contains(texts, "{"+name+"}") {
			return fmt.Errorf("words %s: no pattern has {%s}", name, name)
		}
	}
	return nil
}

var kebabCase = Lazy(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (r *Rule) wellFormed() error {
	switch {
	case !kebabCase.MatchString(r.Name):
		return errors.New("the name must be words in lower case with hyphens between them")
	case !slices.Contains(languages, r.Language):
		return fmt.Errorf("language %q: must be one of %q", r.Language, languages)
	case r.Pattern == "" || r.Takes == "" || r.Refuses == "":
		return errors.New("pattern, takes and refuses must not be empty")
	case utf8.RuneCountInString(r.Pattern) > maxPattern || strings.Contains(r.Pattern, "\n"):
		return fmt.Errorf("the pattern must be one line of at most %d characters, has %d", maxPattern, utf8.RuneCountInString(r.Pattern))
	}
	_, err := regexp.Compile(r.Regexp.text)
	return err
}

// holds checks the examples of a rule. Where the first rule counts that takes
// a text, it must be this one.
func (t table) holds(r *Rule, lowered bool) error {
	takes, refuses := r.Takes, r.Refuses
	if lowered {
		takes, refuses = strings.ToLower(takes), strings.ToLower(refuses)
	}
	switch {
	case !r.MatchString(takes):
		return fmt.Errorf("does not take %q", takes)
	case r.MatchString(refuses):
		return fmt.Errorf("does not refuse %q", refuses)
	case !t.first:
		return nil
	}
	first := slices.IndexFunc(t.rules, func(o *Rule) bool { return o.MatchString(takes) })
	if t.rules[first] != r {
		return fmt.Errorf("%q is taken by %s before", takes, t.rules[first].Name)
	}
	return nil
}
