package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A change sets a setting to another value than the default.
type change struct {
	number int     // number of the setting in the catalog
	value  any     // value as the TOML package decodes it
	place  Problem // where it was made, for messages; Rule is empty
}

// resolve applies layers of changes to the defaults, one after another. Within a layer a setting of one
// event overrides the list of events. A source inherits the settings that no layer sets for it alone.
// resolve returns a Problem for each value of the wrong type.
func (c *catalog) resolve(layers ...[]change) (Config, []error) {
	out, inherits := Default(), c.inherits()
	for _, ch := range slices.Concat(layers...) {
		delete(inherits, ch.number)
	}
	var problems []error
	for _, layer := range layers {
		ordered := slices.Clone(layer)
		slices.SortStableFunc(ordered, func(a, b change) int { return a.number - b.number })
		for _, ch := range ordered {
			if rule := c.apply(&out, ch, inherits); rule != "" {
				ch.place.Rule = "= " + literal(ch.value) + ": " + rule
				problems = append(problems, ch.place)
			}
		}
	}
	return out, problems
}

// apply makes one change, and returns the rule that its value breaks, or "".
func (c *catalog) apply(to *Config, ch change, inherits map[int]int) (rule string) {
	s := c.settings[ch.number]
	if s.event != "" {
		on, rule := true, ""
		if rule = assign(reflect.ValueOf(&on).Elem(), ch.value); rule == "" {
			to.Hooks.turn(s.event, on)
		}
		return rule
	}
	if rule := assign(s.of(to), ch.value); rule != "" {
		return rule
	}
	for heir, parent := range inherits {
		if parent == ch.number {
			c.settings[heir].of(to).Set(s.of(to))
		}
	}
	return ""
}

// assign sets a field to a value, and returns the rule that the value breaks, or "".
func assign(field reflect.Value, value any) (rule string) {
	switch field := field.Addr().Interface().(type) {
	case *Duration:
		if text, ok := value.(string); !ok || field.UnmarshalText([]byte(text)) != nil {
			return `must be a duration such as "30d", "12h" or "90m"`
		}
	case *string:
		return take(field, value, "must be text in quotes")
	case *bool:
		return take(field, value, "must be true or false")
	case *int:
		var n int64
		rule = take(&n, value, "must be a whole number")
		*field = int(n)
	case *float64:
		if n, ok := value.(int64); ok {
			value = float64(n)
		}
		return take(field, value, "must be a number")
	case *[]string:
		return assignList(field, value)
	}
	return rule
}

// assignList sets a list of texts, or returns the rule that the value breaks.
func assignList(field *[]string, value any) (rule string) {
	list, ok := value.([]any)
	texts := make([]string, len(list))
	for i, v := range list {
		ok = ok && take(&texts[i], v, "text") == ""
	}
	if !ok {
		return "must be a list of texts in quotes"
	}
	*field = texts
	return ""
}

// take sets a value of type T, or returns rule if value has another type.
func take[T any](to *T, value any, rule string) string {
	v, ok := value.(T)
	if !ok {
		return rule
	}
	*to = v
	return ""
}

// literal formats a value as TOML, and a table in short.
func literal(value any) string {
	switch value.(type) {
	case map[string]any, []map[string]any:
		return "{ … }"
	}
	text, err := toml.Marshal(map[string]any{"v": value})
	if err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(text), "v = "), "\n")
}

// check returns the settings that layers of changes result in, or a Problem for each mistake. where finds
// the place of a setting that breaks a rule.
func (c *catalog) check(where func(key string) Problem, layers ...[]change) (Config, error) {
	out, problems := c.resolve(layers...)
	if len(problems) == 0 {
		for _, v := range out.violations() {
			p := where(v.key)
			p.Rule = v.rule
			problems = append(problems, p)
		}
	}
	return out, errors.Join(problems...)
}
