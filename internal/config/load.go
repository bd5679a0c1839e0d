package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
)

// A Problem is a mistake in a user's file, or in a variable of the environment.
// Its text names the file and the line, or the variable, and the setting and
// the rule.
type Problem struct {
	File string // or variable
	Line int    // 0 when it cannot be told
	Key  string // dotted; empty when the file cannot be read as TOML
	Rule string
}

func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Key != "" {
		b.WriteString(p.Key + " ")
	}
	b.WriteString(p.Rule)
	return b.String()
}

// Parse lays the text of a config.toml over the defaults. The error, if any,
// joins a Problem for every mistake.
func Parse(file, text string) (Config, error) {
	list := newCatalog()
	changes, err := list.parse(file, text)
	if err != nil {
		return Config{}, err
	}
	c, _ := list.resolve(changes)
	return c, nil
}

// parse reads the changes in the text of a config.toml, which are in order
// where they stand alone.
func (c *catalog) parse(file, text string) ([]change, error) {
	var tree map[string]any
	meta, err := toml.Decode(text, &tree)
	if err != nil {
		return nil, tomlProblem(file, err)
	}
	at := func(key string) Problem { return Problem{File: file, Line: lineOf(text, key), Key: key} }
	changes, problems := c.changes(meta, tree, at)
	_, err = c.check(at, changes)
	return changes, errors.Join(append(problems, err)...)
}

// changes finds the settings in a decoded file, and a Problem for each key
// that is none. Of an unknown table only the name is reported.
func (c *catalog) changes(meta toml.MetaData, tree map[string]any, at func(key string) Problem) (out []change, problems []error) {
	seen := map[int]bool{}
	wrong := func(key, rule string) {
		p := at(key)
		p.Rule = rule
		problems = append(problems, p)
	}
	last := ""
	for _, path := range meta.Keys() {
		key := path.String()
		if last != "" && strings.HasPrefix(key, last+".") {
			continue
		}
		last = ""
		number, isSetting := c.names[strings.ToLower(key)]
		_, isTable := c.tables[strings.ToLower(key)]
		switch {
		case isTable && meta.Type(path...) == "Hash":
			continue
		case isTable:
			wrong(key, "= "+literal(value(tree, path))+": must be a table of settings")
		case !isSetting:
			wrong(key, "is not a setting"+meant(key, c.spelled))
		case seen[number]:
			wrong(key, "is set twice: "+c.settings[number].key+" is the same setting")
		default:
			seen[number] = true
			out = append(out, change{number, value(tree, path), at(key)})
		}
		last = key
	}
	return out, problems
}

// value returns what stands at a path of a decoded file.
func value(tree map[string]any, path toml.Key) any {
	var at any = tree
	for _, name := range path {
		table, _ := at.(map[string]any)
		at = table[name]
	}
	return at
}

// readOptional returns the text of a file that need not exist.
func readOptional(path string) (string, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read settings: %w", err)
	}
	return strings.TrimPrefix(string(b), "\ufeff"), nil
}

// Load reads the user's config.toml and synonyms.toml in home, both optional,
// and the settings in env, which is as os.Environ gives it.
func Load(home string, env []string) (Config, Synonyms, error) {
	configPath, synonymsPath := Paths(home)
	text, err := readOptional(configPath)
	if err != nil {
		return Config{}, Synonyms{}, err
	}
	list := newCatalog()
	c := Config{}
	changes, configErr := list.parse(configPath, text)
	if configErr == nil {
		c, configErr = list.override(changes, variables(env))
	}
	text, err = readOptional(synonymsPath)
	if err != nil {
		return Config{}, Synonyms{}, err
	}
	s, synonymsErr := ParseSynonyms(synonymsPath, text)
	return c, s, errors.Join(configErr, synonymsErr)
}

// Paths returns where a user's settings and synonyms lie below home.
func Paths(home string) (config, synonyms string) {
	return filepath.Join(home, "config.toml"), filepath.Join(home, "synonyms.toml")
}

// tomlProblem turns an error of the TOML package into a Problem. The package
// gives some positions in a struct, others only as text of the form
// `toml: line 3 (last key "rank.kind"): what is wrong`.
func tomlProblem(file string, err error) error {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		p := Problem{file, parse.Position.Line, parse.LastKey, strings.TrimSuffix(parse.Message, ".")}
		if p.Key != "" {
			p.Rule = "is wrong here: " + p.Rule
		}
		return p
	}
	p := Problem{File: file, Rule: strings.TrimPrefix(err.Error(), "toml: ")}
	if n, _ := fmt.Sscanf(p.Rule, "line %d (last key %q)", &p.Line, &p.Key); n == 2 {
		_, p.Rule, _ = strings.Cut(p.Rule, "): ")
		p.Rule = "has the wrong type: " + strings.TrimPrefix(p.Rule, "incompatible types: ")
	}
	return p
}

// lineOf finds the line of text on which the dotted key is set, or failing
// that the one of the inline table or the table that it belongs to; 0 when
// there is none. It reads the plain form of TOML that people write settings in.
func lineOf(text, key string) int {
	key = strings.ToLower(key)
	table, best := "", 0
	for i, line := range strings.Split(text, "\n") {
		line = strings.ToLower(strings.TrimSpace(line))
		if name, ok := strings.CutPrefix(line, "["); ok {
			name, _, _ = strings.Cut(name, "]")
			table = strings.ReplaceAll(strings.TrimSpace(name), " ", "") + "."
			if strings.HasPrefix(key+".", table) {
				best = i + 1
			}
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		name = table + strings.ReplaceAll(strings.TrimSpace(name), " ", "")
		if ok && name == key {
			return i + 1
		}
		if ok && strings.HasPrefix(key, name+".") {
			best = i + 1
		}
	}
	return best
}
