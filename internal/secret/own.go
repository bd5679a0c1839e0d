package secret

import (
	_ "embed"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed own.toml
var ownTOML string

// ownRules returns the rules of own.toml: those that come before the rules of
// gitleaks, and those that come after them.
func ownRules() (before, after []rule) {
	var file struct {
		Parts             map[string]string
		Token, Assignment []rule
	}
	if _, err := toml.Decode(ownTOML, &file); err != nil {
		panic(err) // a test reads it
	}
	var parts []string
	for name, part := range file.Parts {
		parts = append(parts, "{"+name+"}", part)
	}
	fill := strings.NewReplacer(parts...)
	for i := range file.Token {
		file.Token[i].Where, file.Token[i].Entropy = token, 2
	}
	for i := range file.Assignment {
		r := &file.Assignment[i]
		r.Regexp, r.isNone = fill.Replace(r.Regexp), exceptions[r.Unless]
	}
	return file.Token, file.Assignment
}

// exceptions report what is no secret after all, by the name that a rule has
// for them.
var exceptions = map[string]func(secret string) bool{
	"word": wordLike, "variable": variable, "value": value, "simple value": simpleValue,
	"name with a number": named, "name": nameLike, "no password": noPassword,
}

// wordLike reports what is no key but a word or a name: without a digit, of one
// case or with signs between its parts ("Authorization: required").
func wordLike(s string) bool {
	if strings.ContainsAny(s, digits) {
		return false
	}
	return strings.ContainsAny(s, ".-_") || s[1:] == strings.ToLower(s[1:]) || s == strings.ToUpper(s)
}

const digits = "0123456789"

// variable reports what a program fills in.
func variable(s string) bool {
	return strings.ContainsAny(s, "{}<>*`") || strings.HasPrefix(s, "$") || strings.Contains(s, "%s")
}

// value reports what is set but is no secret: a variable, a number, a path, an
// address, a setting.
func value(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null", "none", "undefined", "required", "optional", "string", "password", "secret", "token":
		return true
	}
	return variable(s) || strings.ContainsAny(s, "()") || path(s) || strings.Trim(s, digits+".") == ""
}

func path(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "~/") || strings.Contains(s, ":/") || strings.Contains(s, `:\`)
}

// simpleValue reports what a thing called token or secret may well be without
// being one: a word, a name, a date.
func simpleValue(s string) bool {
	return value(s) || len(s) < 8 || wordLike(s) && len(s) < 24 || strings.Contains(s, "-") && strings.Trim(s, digits+"-:TZ.+") == ""
}

// named reports what may be the name of a thing, with a number in it. In what
// is random digits stand at several places.
func named(s string) bool {
	places := 0
	for i := range len(s) - 1 {
		if isDigit(s[i]) && !isDigit(s[i+1]) {
			places++
		}
	}
	return places < 2 || value(s)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// nameLike reports what may be a name or an expression of a program, or a word.
func nameLike(s string) bool {
	if value(s) {
		return true
	}
	if strings.ContainsAny(s, "!@#%^&*?") {
		return false
	}
	return !strings.ContainsAny(s, digits) || strings.Contains(s, ".") || strings.Contains(s, "::")
}
