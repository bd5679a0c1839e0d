package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"recollect/internal/system/nesting"
)

// Parse applies the text of a config.toml to the defaults. The error, if any, joins a Problem for every
// mistake.
func Parse(file, text string) (Config, error) {
	list := newCatalog()
	changes, err := list.parse(file, text)
	if err != nil {
		return Config{}, err
	}
	c, _ := list.resolve(changes)
	return c, nil
}

const (
	// maxSettings is the largest size of a config.toml in bytes.
	maxSettings = 256 << 10
	maxSynonyms = 1 << 20
	// maxProblems is the number of mistakes of a file that are reported.
	maxProblems = 100
)

// deepest is how deep a user's file may nest. No setting nests so deep.
var deepest = nesting.Limit{Names: 8, Values: 8, Arrays: true}

// decode decodes a user's file. It rejects one that is too large, or nests so deep that decoding would
// take seconds while everybody waits for the settings.
func decode(file, text string, most int, tree any) (toml.MetaData, error) {
	if len(text) > most {
		return toml.MetaData{}, Problem{File: file, Rule: fmt.Sprintf("has %d KiB, %d at most", len(text)>>10, most>>10)}
	}
	if line := nesting.TooDeep(text, deepest); line > 0 {
		return toml.MetaData{}, Problem{File: file, Line: line, Rule: fmt.Sprintf("nests more than %d deep", deepest.Values)}
	}
	meta, err := toml.Decode(text, tree)
	if err != nil {
		return meta, tomlProblem(file, err)
	}
	return meta, nil
}

// parse reads the changes in the text of a config.toml. The error, if any, joins a Problem for every
// mistake in the text.
func (c *catalog) parse(file, text string) ([]change, error) {
	var tree map[string]any
	meta, err := decode(file, text, maxSettings, &tree)
	if err != nil {
		return nil, err
	}
	at := func(key string) Problem { return Problem{File: file, Line: lineOf(text, key), Key: key} }
	changes, problems := c.changes(meta, tree, at)
	_, err = c.check(at, changes)
	return changes, errors.Join(append(problems, err)...)
}

// changes returns the changes of a decoded file, and a Problem for each key that is not a setting. For an
// unknown table it reports only the name.
func (c *catalog) changes(meta toml.MetaData, tree map[string]any, at func(key string) Problem) (out []change, problems []error) {
	seen := map[int]bool{}
	wrong := func(key, rule string) {
		p := at(key)
		p.Rule = rule
		problems = append(problems, p)
	}
	last := "" // the previous key, whose inner keys are skipped
	for _, path := range meta.Keys() {
		if len(problems) >= maxProblems {
			break
		}
		key := path.String()
		if last != "" && strings.HasPrefix(key, last+".") {
			continue
		}
		last = key
		number, isSetting := c.names[strings.ToLower(key)]
		isTable := c.tables[strings.ToLower(key)]
		switch {
		case isTable && meta.Type(path...) == "Hash":
			last = "" // its keys follow
		case isTable:
			wrong(key, "= "+literal(valueAt(tree, path))+": must be a table of settings")
		case isRetired(key):
		case !isSetting:
			wrong(key, "is not a setting"+meant(key, c.spelled))
		case seen[number]:
			wrong(key, "is set twice: "+c.settings[number].key+" is the same setting")
		default:
			seen[number] = true
			out = append(out, change{number, valueAt(tree, path), at(key)})
		}
	}
	return out, problems
}

// valueAt returns the value at a path in a decoded file.
func valueAt(tree map[string]any, path toml.Key) any {
	var at any = tree
	for _, name := range path {
		table, _ := at.(map[string]any)
		at = table[name]
	}
	return at
}

// Load reads the user's config.toml and synonyms.toml in home, both optional, and the settings in env,
// which has the form of os.Environ.
func Load(home string, env []string) (Config, Synonyms, error) {
	configPath, synonymsPath := Paths(home)
	text, err := readOptional(configPath)
	if err != nil {
		return Config{}, Synonyms{}, err
	}
	c, configErr := load(configPath, text, variables(env))
	text, err = readOptional(synonymsPath)
	if err != nil {
		return Config{}, Synonyms{}, err
	}
	s, synonymsErr := ParseSynonyms(synonymsPath, text)
	return c, s, errors.Join(configErr, synonymsErr)
}

// load applies variables to the text of a config.toml. If the text has mistakes, it only checks their
// names.
func load(path, text string, vars map[string]string) (Config, error) {
	list := newCatalog()
	changes, err := list.parse(path, text)
	if err != nil {
		_, problems := list.fromVariables(vars)
		return Config{}, errors.Join(append([]error{err}, problems...)...)
	}
	return list.override(changes, vars)
}
