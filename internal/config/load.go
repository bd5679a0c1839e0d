package config

import (
	"errors"
	"fmt"
	"io"
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
	c := Default()
	meta, err := toml.Decode(text, &c)
	if err != nil {
		return Config{}, tomlProblem(file, err)
	}
	var problems []error
	for _, key := range unknown(meta) {
		problems = append(problems, Problem{file, lineOf(text, key), key, "is not a setting"})
	}
	for _, v := range c.violations() {
		problems = append(problems, Problem{file, lineOf(text, v.key), v.key, v.rule})
	}
	if err := errors.Join(problems...); err != nil {
		return Config{}, err
	}
	return c, nil
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
	c, configErr := Parse(configPath, text)
	if configErr == nil {
		c, configErr = c.override(variables(env))
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

// unknown lists the keys that no setting took, tables before what is in them
// left out: their names say enough.
func unknown(meta toml.MetaData) []string {
	var keys []string
	for _, k := range meta.Undecoded() {
		key := k.String()
		if len(keys) == 0 || !strings.HasPrefix(key, keys[len(keys)-1]+".") {
			keys = append(keys, key)
		}
	}
	return keys
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
// that the one of the table it belongs to; 0 when there is neither. It reads
// the plain form of TOML that people write settings in.
func lineOf(text, key string) int {
	table, best := "", 0
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			name, _, _ = strings.Cut(name, "]")
			table = strings.ReplaceAll(strings.TrimSpace(name), " ", "") + "."
			if strings.HasPrefix(key+".", table) {
				best = i + 1
			}
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		if ok && table+strings.ReplaceAll(strings.TrimSpace(name), " ", "") == key {
			return i + 1
		}
	}
	return best
}

// Write prints c as TOML.
func (c Config) Write(w io.Writer) error {
	e := toml.NewEncoder(w)
	e.Indent = ""
	return e.Encode(c)
}
