package config

import (
	"slices"
	"strings"
)

// retired are the keys of former settings, which are constants now because nobody should change them. A
// file or variable that sets one is read without it, so that an update does not refuse the user's other
// settings.
var retired = []string{
	"recall.candidates", "recall.terms", "recall.semantic_slots", "recall.topic_gate", "recall.duplicates", "rank.latest_share",
	"recall.heading_from",
}

func isRetired(key string) bool { return slices.Contains(retired, strings.ToLower(key)) }

// isRetiredVariable reports whether a variable sets a former setting.
func isRetiredVariable(name string) bool {
	return slices.ContainsFunc(retired, func(key string) bool { return variable(key) == name })
}

// Retired returns a Problem for each former setting in the user's config.toml in home, and in env, which
// has the form of os.Environ. The other settings are still used.
func Retired(home string, env []string) []error {
	path, _ := Paths(home)
	text, err := readOptional(path)
	if err != nil {
		return nil // Load reports it
	}
	const rule = "is not a setting any more and changes nothing: take it out"
	var found []error
	var tree map[string]any
	if meta, err := decode(path, text, maxSettings, &tree); err == nil {
		for _, key := range meta.Keys() {
			if name := key.String(); isRetired(name) {
				found = append(found, Problem{File: path, Line: lineOf(text, name), Key: name, Rule: rule})
			}
		}
	}
	vars := variables(env)
	for _, key := range retired {
		if name := variable(key); vars[name] != "" {
			found = append(found, Problem{File: name, Rule: rule})
		}
	}
	return found
}
