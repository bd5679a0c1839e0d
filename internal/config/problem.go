package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"
)

// A Problem is a mistake in a user's file, or in an environment variable. Its text names the file and the
// line, or the variable, and the setting and the rule.
type Problem struct {
	File string // path of the file, or name of the variable
	Line int    // 0 if unknown
	Key  string // dotted; empty if the file is not TOML
	Rule string
}

func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(oneLine(p.File))
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

// oneLine quotes a name that contains line breaks or looks like another one.
func oneLine(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// tomlProblem converts an error of the TOML package into a Problem. The package gives some positions in a
// struct, others only as text of the form `toml: line 3 (last key "rank.kind"): what is wrong`.
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

// lineOf finds the line of text that sets the dotted key, or else the line of its inline table or table.
// It returns 0 if there is none. It reads only the plain form of TOML in which people write settings.
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
