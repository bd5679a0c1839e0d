package config

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Every setting has a variable that overrides the user's file: RECOLLECT_, the table and the key, in
// capitals. For rank.bounded.weight it is RECOLLECT_RANK_BOUNDED_WEIGHT. One setting also has a shorter
// name.
const (
	envPrefix     = "RECOLLECT_"
	contextBudget = envPrefix + "CONTEXT_BUDGET"
	budgetKey     = "budget.tokens"
)

// Variables of ours that are not settings. Users set the data folder, the switches and the daemon's
// verbose log; tests and the scripts around them set the rest.
var (
	guards  = []string{envPrefix + "HOME", envPrefix + "DISABLE", envPrefix + "INCOGNITO", envPrefix + "CLEAN", envPrefix + "DEBUG"}
	ofTests = []string{
		envPrefix + "BIN", envPrefix + "SRC",
		envPrefix + "STRESS", envPrefix + "STRESS_TRANSCRIPTS", envPrefix + "STRESS_FOR", envPrefix + "STRESS_SEED",
		envPrefix + "STORE_TEST_FULL", envPrefix + "STORE_TEST_HOME",
		envPrefix + "VECTORS_TEST_FULL", envPrefix + "VECTORS_TEST_DIR",
		envPrefix + "TEST_EMBEDDINGS", envPrefix + "TEST_IMPORTER",
	}
)

// variable returns the name of the variable that overrides a setting.
func variable(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// variables selects our settings, and variables that look like one, from an environment of "NAME=value"
// strings. It ignores empty values.
func variables(env []string) map[string]string {
	set := map[string]string{}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		other := slices.Contains(guards, name) || slices.Contains(ofTests, name)
		if value != "" && strings.HasPrefix(name, envPrefix) && !other {
			set[name] = value
		}
	}
	return set
}

// nameOf returns the variable that sets a setting, or else the one that would.
func nameOf(vars map[string]string, key string) string {
	name := variable(key)
	if _, ok := vars[name]; !ok && key == budgetKey && vars[contextBudget] != "" {
		return contextBudget
	}
	return name
}

// override applies variables over the changes of a file. If one of them has a mistake, none is in force,
// and the error joins a Problem for each mistake, which names the variable.
func (c *catalog) override(file []change, vars map[string]string) (Config, error) {
	was, _ := c.resolve(file)
	if len(vars) == 0 {
		return was, nil
	}
	changes, problems := c.fromVariables(vars)
	now, err := c.check(func(key string) Problem { return Problem{File: nameOf(vars, key), Key: key} }, file, changes)
	if err := errors.Join(append(problems, err)...); err != nil {
		return was, err
	}
	return now, nil
}

// fromVariables converts variables into changes, in the order of their names. It returns a Problem for
// each variable that is not a setting.
func (c *catalog) fromVariables(vars map[string]string) (out []change, problems []error) {
	named := map[string]string{}
	for key := range c.names {
		named[variable(key)] = key
	}
	if vars[variable(budgetKey)] == "" {
		named[contextBudget] = budgetKey
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		key, ok := named[name]
		switch {
		case ok:
			s := c.settings[c.names[key]]
			place := Problem{File: name, Key: s.key}
			out = append(out, change{c.names[key], s.parse(vars[name]), place})
		case name != contextBudget && !isRetiredVariable(name):
			problems = append(problems, Problem{File: name, Rule: "is not a setting" + meantVariable(name, named)})
		}
	}
	return out, problems
}

// meantVariable does what meant does, for the name of a variable. It compares names without their common
// prefix.
func meantVariable(name string, named map[string]string) string {
	var rest []string
	for _, known := range slices.Concat(slices.Sorted(maps.Keys(named)), guards) {
		rest = append(rest, strings.TrimPrefix(known, envPrefix))
	}
	if similar := nearest(strings.TrimPrefix(name, envPrefix), rest); similar != "" {
		return ": did you mean " + envPrefix + similar + "?"
	}
	return ""
}

// parse converts the text of a variable into the value that a file would have for the setting. It returns
// the text itself if that has the wrong form. Commas separate the elements of a list.
func (s setting) parse(text string) any {
	var value any
	var err error
	switch kind := reflect.TypeFor[Config]().FieldByIndex(s.field).Type; {
	case kind.Kind() == reflect.Bool || s.event != "":
		value, err = strconv.ParseBool(text)
	case kind.Kind() == reflect.Int:
		value, err = strconv.ParseInt(text, 10, 0)
	case kind.Kind() == reflect.Float64:
		value, err = strconv.ParseFloat(text, 64)
	case kind.Kind() == reflect.Slice:
		list := []any{}
		for _, part := range strings.Split(text, ",") {
			list = append(list, strings.TrimSpace(part))
		}
		return list
	default:
		return text
	}
	if err != nil {
		return text
	}
	return value
}
