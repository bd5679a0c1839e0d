package config

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Every setting has a variable that overrides the user's file: RECOLLECT_, the
// table and the key, in capitals. That of rank.bounded.weight is
// RECOLLECT_RANK_BOUNDED_WEIGHT. One setting has a shorter name besides.
const (
	envPrefix     = "RECOLLECT_"
	contextBudget = envPrefix + "CONTEXT_BUDGET"
	budgetKey     = "budget.tokens"
)

// A setting is one key of Config and the field that holds it.
type setting struct {
	key   string // dotted
	field []int
}

// settings lists every setting in the order of the fields.
func settings() []setting { return settingsOf(reflect.TypeFor[Config](), "", nil) }

func settingsOf(t reflect.Type, prefix string, at []int) []setting {
	var out []setting
	for i := range t.NumField() {
		f := t.Field(i)
		s := setting{prefix + f.Tag.Get("toml"), append(slices.Clone(at), i)}
		if f.Type.Kind() == reflect.Struct {
			out = append(out, settingsOf(f.Type, s.key+".", s.field)...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// variable returns the name of the variable that overrides a setting.
func variable(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// variables picks the settings out of an environment of "NAME=value" strings.
// An empty value says nothing. Variables of ours that begin with no table,
// RECOLLECT_HOME say, are no settings.
func variables(env []string) map[string]string {
	tables := reflect.TypeFor[Config]()
	set := map[string]string{}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if value == "" || !strings.HasPrefix(name, envPrefix) {
			continue
		}
		table, _, _ := strings.Cut(strings.TrimPrefix(name, envPrefix), "_")
		known := func(field string) bool { return strings.EqualFold(field, table) }
		if _, ok := tables.FieldByNameFunc(known); ok || name == contextBudget {
			set[name] = value
		}
	}
	return set
}

// find returns the variable that overrides a setting, and its value, "" where
// none does.
func find(vars map[string]string, key string) (name, value string) {
	name = variable(key)
	if _, ok := vars[name]; !ok && key == budgetKey && vars[contextBudget] != "" {
		name = contextBudget
	}
	return name, vars[name]
}

// override lays variables over c. With a mistake in one of them none is in
// force: the error joins a Problem for each, which names the variable.
func (c Config) override(vars map[string]string) (Config, error) {
	if len(vars) == 0 {
		return c, nil
	}
	was := c
	problems := c.assign(vars)
	if len(problems) == 0 {
		for _, v := range c.violations() {
			name, _ := find(vars, v.key)
			problems = append(problems, Problem{File: name, Key: v.key, Rule: v.rule})
		}
	}
	if err := errors.Join(problems...); err != nil {
		return was, err
	}
	return c, nil
}

// assign sets what variables say, and returns a Problem for each that says
// nothing that can be set.
func (c *Config) assign(vars map[string]string) (problems []error) {
	taken := map[string]bool{contextBudget: true}
	for _, s := range settings() {
		taken[variable(s.key)] = true
		name, value := find(vars, s.key)
		if value == "" {
			continue
		}
		if rule := assign(reflect.ValueOf(c).Elem().FieldByIndex(s.field), value); rule != "" {
			problems = append(problems, Problem{File: name, Key: s.key, Rule: fmt.Sprintf("= %q: %s", value, rule)})
		}
	}
	for name := range vars {
		if !taken[name] {
			problems = append(problems, Problem{File: name, Rule: "is not a setting"})
		}
	}
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return problems
}

// assign sets a field from text, and returns the rule that the text breaks, or
// "". A list is written with commas.
func assign(field reflect.Value, text string) (rule string) {
	if u, ok := field.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if u.UnmarshalText([]byte(text)) != nil {
			return `must be a duration such as "30d", "12h" or "90m"`
		}
		return ""
	}
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return "must be true or false"
		}
		field.SetBool(b)
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return "must be a whole number"
		}
		field.SetInt(int64(n))
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return "must be a number"
		}
		field.SetFloat(f)
	case reflect.Slice:
		list := reflect.MakeSlice(field.Type(), 0, 4)
		for _, part := range strings.Split(text, ",") {
			item := reflect.New(field.Type().Elem()).Elem()
			if rule := assign(item, strings.TrimSpace(part)); rule != "" {
				return rule
			}
			list = reflect.Append(list, item)
		}
		field.Set(list)
	default:
		return "cannot be set by a variable"
	}
	return ""
}
