package rule

import (
	"cmp"
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// A Rule is a pattern with a name, which says what it takes a text for, and
// with an example of what it takes and of what it only just refuses.
type Rule struct {
	Name     string
	Language string // of the texts that it is for: "en", "de", …; "" for any
	Pattern  string // as it is written in its table
	Takes    string
	Refuses  string

	*Regexp `toml:"-"` // the pattern, its words filled in
}

// A Set is rules that all say the same of a text that they take. They are
// compiled as one: which of them it was, hardly anybody asks.
type Set struct {
	Rules []*Rule
	*Regexp

	trials *Trials
}

// MatchString reports whether a rule of the set takes a text. It tries only
// those that may.
func (s *Set) MatchString(text string) bool {
	for r := range s.trials.Of(text) {
		if s.Rules[r].re().MatchString(text) {
			return true
		}
	}
	return false
}

// Words are lists of words, and parts of patterns, that patterns name in
// braces: a list stands for any one of its words.
type Words map[string]any

// Header is what a file of rules begins with. The type of its tables embeds
// it.
type Header struct {
	Lowered bool              // the texts come in lower case
	Around  map[string]string // what stands around the patterns of a table: {pattern} is one, or all of a set with | between them
	Words   Words
}

// Tables are those of a file: a struct that embeds Header. Its other fields
// are tables: a *Rule, a Set, or a slice of pointers to Rule or to a struct
// that embeds it, of which the first rule that takes a text counts, or each
// one whose field is tagged `rule:"each"`. The name of a table stands in its
// field's tag for TOML.
type Tables interface{ header() *Header }

func (h *Header) header() *Header { return h }

//go:embed words.toml
var sharedText string

// shared are the words that every table may name.
var shared = sync.OnceValue(func() Words {
	var words Words
	if _, err := toml.Decode(sharedText, &words); err != nil {
		panic(err) // a test reads it
	}
	return words
})

// Read returns the tables of a file, T, which are read when they are first
// asked for: most processes need none. A file that cannot be read panics then;
// Check finds it in a test.
func Read[T any, P interface {
	*T
	Tables
}](file string) func() P {
	return sync.OnceValue(func() P {
		tables := P(new(T))
		if err := decode(file, tables); err != nil {
			panic(err)
		}
		return tables
	})
}

func decode(file string, tables Tables) error {
	meta, err := toml.Decode(file, tables)
	if err != nil {
		return fmt.Errorf("read rules: %w", err)
	}
	for _, key := range meta.Undecoded() {
		return fmt.Errorf("read rules: %s is not known", key)
	}
	h := tables.header()
	all := tablesOf(tables)
	for name := range h.Around {
		if !slices.ContainsFunc(all, func(t table) bool { return t.name == name }) {
			return fmt.Errorf("read rules: around.%s is not known", name)
		}
	}
	for _, t := range all {
		if err := t.prepare(h); err != nil {
			return fmt.Errorf("read rules: %w", err)
		}
	}
	return nil
}

// prepare fills in the patterns of a table.
func (t *table) prepare(h *Header) error {
	if len(t.rules) == 0 {
		return fmt.Errorf("no table %s", t.name)
	}
	around := cmp.Or(h.Around[t.name], "{pattern}")
	var all []string
	for _, r := range t.rules {
		r.Name = cmp.Or(r.Name, t.name)
		text, err := h.Words.fillIn(strings.ReplaceAll(around, "{pattern}", r.Pattern))
		if err != nil {
			return fmt.Errorf("rule %s: %w", r.Name, err)
		}
		r.Regexp = Lazy(text)
		all = append(all, "(?:"+r.Pattern+")")
	}
	if t.set != nil {
		// What stands around them stands there once, as far as it can: it costs
		// time each time it is tried.
		text, err := h.Words.fillIn(strings.ReplaceAll(around, "{pattern}", strings.Join(all, "|")))
		t.set.Regexp, t.set.trials = Lazy(text), NewTrials(t.rules)
		return err
	}
	return nil
}

// named finds the names in braces in a pattern. What else stands in braces
// there is a number or begins with a capital letter.
var named = Lazy(`\{[a-z][a-z-]*\}`)

// fillIn puts the words into a pattern that it names.
func (w Words) fillIn(pattern string) (string, error) {
	var err error
	filled := named.ReplaceAllStringFunc(pattern, func(name string) string {
		var text string
		if err == nil {
			text, err = w.text(strings.Trim(name, "{}"))
		}
		return text
	})
	return filled, err
}

// text returns what a name stands for.
func (w Words) text(name string) (string, error) {
	value, ok := w[name]
	if !ok {
		value = shared()[name]
	}
	switch value := value.(type) {
	case string:
		return w.fillIn(value)
	case []any:
		list := make([]string, len(value))
		for i, word := range value {
			list[i] = fmt.Sprint(word)
		}
		return w.fillIn("(?:" + strings.Join(list, "|") + ")")
	}
	return "", fmt.Errorf("no words {%s}", name)
}

// First returns the first rule of a set that takes a text, nil if none does.
func (s *Set) First(text string) *Rule {
	for _, r := range s.Rules {
		if r.MatchString(text) {
			return r
		}
	}
	return nil
}

// UnmarshalTOML reads the rules of a set.
func (s *Set) UnmarshalTOML(data any) error {
	rows, _ := data.([]map[string]any)
	for _, row := range rows {
		r := new(Rule)
		fields := map[string]*string{"name": &r.Name, "language": &r.Language, "pattern": &r.Pattern, "takes": &r.Takes, "refuses": &r.Refuses}
		for key, value := range row {
			field, known := fields[key]
			text, isText := value.(string)
			if !known || !isText {
				return fmt.Errorf("%s = %v: must be one of name, language, pattern, takes, refuses, and text", key, value)
			}
			*field = text
		}
		s.Rules = append(s.Rules, r)
	}
	return nil
}

// A table is one of a file, as a field of its struct holds it.
type table struct {
	name  string
	rules []*Rule
	first bool // the first rule that takes a text counts
	set   *Set
}

// tablesOf lists the tables that the fields of a struct hold.
func tablesOf(tables Tables) []table {
	var out []table
	value := reflect.ValueOf(tables).Elem()
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if field.Anonymous {
			continue
		}
		t := table{name: field.Tag.Get("toml")}
		switch v := value.Field(i).Addr().Interface().(type) {
		case **Rule:
			if *v != nil {
				t.rules = []*Rule{*v}
			}
		case *Set:
			t.rules, t.set = v.Rules, v
		default:
			t.rules, t.first = rulesIn(value.Field(i)), field.Tag.Get("rule") != "each"
		}
		out = append(out, t)
	}
	return out
}

// rulesIn returns the rules in a slice of pointers to rules, or to structs
// that embed one.
func rulesIn(slice reflect.Value) []*Rule {
	var out []*Rule
	for i := range slice.Len() {
		row := slice.Index(i)
		r, ok := row.Interface().(*Rule)
		if !ok {
			r = row.Elem().FieldByName("Rule").Addr().Interface().(*Rule)
		}
		out = append(out, r)
	}
	return out
}
