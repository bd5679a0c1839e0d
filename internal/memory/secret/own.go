package secret

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// These have our own rules.
var (
	//go:embed own.toml
	ownTOML string
	//go:embed devices.toml
	devicesTOML string
	//go:embed places.toml
	placesTOML string
	//go:embed sentences.toml
	sentencesTOML string
)

// ownRules returns our own rules: those that come before the rules of gitleaks, and
// those that come after them.
func ownRules() (before, after []rule) {
	var file struct {
		Parts             map[string]string
		Token, Assignment []rule
	}
	if _, err := toml.Decode(ownTOML+devicesTOML+placesTOML+sentencesTOML, &file); err != nil {
		panic(err) // a test reads it
	}
	var parts []string
	for name, part := range file.Parts {
		parts = append(parts, "{"+name+"}", part)
	}
	fill := strings.NewReplacer(parts...)
	for i := range file.Token {
		file.Token[i].Where, file.Token[i].Entropy = "token", 2
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
	"word":                 looks.IsWordLike,
	"no password":          looks.NoPassword,
	"no strong password":   func(s string) bool { return !looks.StrongAlone(s) },
	"no key":               func(s string) bool { return looks.IsNoValue(s) || !looks.IsKeyLike(s) },
	"no signature":         func(s string) bool { return looks.IsNoValue(s) || looks.IsNameOnly(s) || looks.IsDate(s) },
	"hash":                 func(s string) bool { return looks.IsHex(s) || looks.IsWordy(s) },
	"no random key":        looks.NoRandomKey,
	"no strong word":       func(s string) bool { return !looks.IsStrong(s) },
	"no strong key":        func(s string) bool { return !looks.IsStrong(s) || looks.IsWordy(s) },
	"no credentials":       func(s string) bool { return !looks.IsCredentials(s) },
	"no device secret":     looks.NoDeviceSecret,
	"a word for a secret":  looks.ContainsNoun,
	"no app password":      func(s string) bool { return !appPassword(s) },
	"no printed secret":    func(s string) bool { return !looks.IsPrinted(s) },
	"no chosen password":   func(s string) bool { return !looks.IsChosen(s) },
	"no chosen argument":   looks.NoChosenArgument,
	"no spelled secret":    func(s string) bool { return !looks.IsSpelled(s) },
	"no passphrase":        func(s string) bool { return strings.Count(s, " ") < 3 },
	"no compared password": func(s string) bool { return !looks.IsChosen(s) && strings.Trim(s, chars.Digits) != "" },
	"a card of manuals":    func(s string) bool { return form.IsFew(strings.NewReplacer(" ", "", "-", "").Replace(s)) },
}

// appPassword reports whether s consists of four groups of letters of which one at most is a word.
func appPassword(s string) bool {
	words := 0
	for _, g := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' }) {
		if form.SeedWords()[g] == g || slices.Contains(looks.Settings, g) {
			words++
		}
	}
	return words < 2
}
