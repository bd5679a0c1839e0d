package secret

import (
	_ "embed"
	encoding "encoding/base64"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
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
		file.Token[i].Where, file.Token[i].Entropy = inToken, 2
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
	"word":                 wordLike,
	"no password":          noPassword,
	"no strong password":   func(s string) bool { return !strongAlone(s) },
	"no key":               func(s string) bool { return noValue(s) || !keyLike(s) },
	"no signature":         func(s string) bool { return noValue(s) || nameOnly(s) || dateOnly(s) },
	"hash":                 func(s string) bool { return hexOnly(s) || wordy(s) },
	"no random key":        noRandomKey,
	"no strong word":       func(s string) bool { return !strong(s) },
	"no strong key":        func(s string) bool { return !strong(s) || wordy(s) },
	"no credentials":       func(s string) bool { return !credentials(s) },
	"no device secret":     noDeviceSecret,
	"a word for a secret":  containsNoun,
	"no app password":      func(s string) bool { return !appPassword(s) },
	"no printed secret":    func(s string) bool { return !printed(s) },
	"no chosen password":   func(s string) bool { return !chosen(s) },
	"no chosen argument":   noChosenArgument,
	"no spelled secret":    func(s string) bool { return !spelled(s) },
	"no passphrase":        func(s string) bool { return strings.Count(s, " ") < 3 },
	"no compared password": func(s string) bool { return !chosen(s) && strings.Trim(s, digits) != "" },
	"a card of manuals":    func(s string) bool { return few(strings.NewReplacer(" ", "", "-", "").Replace(s)) },
}

// noDeviceSecret reports what is none in the configuration of a device.
func noDeviceSecret(s string) bool {
	return noPassword(s) || noValue(s) || wordOnly(strings.TrimRight(s, ".,:;!?%)"))
}

// chosen reports what people choose as a password, where a rule knows the place.
func chosen(s string) bool {
	s = strings.TrimRight(s, ".,:;!?)")
	return !noValue(s) && !containsNoun(s) && isAny(s, strong, madeUp, coined, dotted, mixed, generated)
}

// noChosenArgument reports what people would not choose as a password, not even where a command takes one.
func noChosenArgument(s string) bool {
	if chosen(s) {
		return false
	}
	return !mixedSorts(s) || noValue(s) || containsNoun(s)
}

// noRandomKey reports what no machine made as a key.
func noRandomKey(s string) bool {
	return len(s) < 16 || !randomOrHex(s) || isAny(s, noValue, uuid)
}

// mixedSorts reports letters, digits and another sign.
func mixedSorts(s string) bool {
	isLetterOrDigit := func(r rune) bool { return r >= 0x80 || isLetter(byte(r)) || isDigit(byte(r)) }
	return strings.ContainsFunc(s, unicode.IsLetter) && strings.ContainsAny(s, digits) && strings.ContainsFunc(s, func(r rune) bool { return !isLetterOrDigit(r) && r > ' ' })
}

// containsNoun reports a placeholder like MYPASSWORD.
func containsNoun(s string) bool {
	return slices.ContainsFunc(secretNouns, func(n string) bool { return strings.Contains(strings.ToLower(s), n) })
}

// appPassword reports four groups of letters of which one at most is a word.
func appPassword(s string) bool {
	words := 0
	for _, g := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' }) {
		if slices.Contains(sentenceWords, g) || slices.Contains(standIns, g) {
			return false
		}
		if seedWords()[g] == g || slices.Contains(settings, g) {
			words++
		}
	}
	return words < 2
}

// printed reports what a command prints that shows a secret: nothing that a person
// would have written.
func printed(s string) bool {
	isPrompt := strings.Contains(s, "@") && strings.HasSuffix(s, ":")
	if isPrompt || strings.ContainsAny(s, "$(){}<>") || isAny(s, noValue, codeLike) {
		return false
	}
	if strong(s) || random(s) {
		return true
	}
	return hexOnly(s) && len(s) >= 16 && s != strings.Trim(s, digits)
}

// wordLike reports what is no key but a word or a name: without a digit, of one
// case or with signs between its parts ("Authorization: required").
func wordLike(s string) bool {
	if strings.ContainsAny(s, digits) {
		return false
	}
	return strings.ContainsAny(s, ".-_") || s[1:] == strings.ToLower(s[1:]) || s == strings.ToUpper(s)
}

// strongAlone reports what is a password though only an option like -p says so.
func strongAlone(s string) bool {
	if !strong(s) || strings.ContainsAny(s, "/\\=,<>{}") || hexOnly(s) {
		return false
	}
	if innerSign(s) && hasDigit(s) {
		return true
	}
	if len(s) < 10 || nameOnly(s) {
		return false
	}
	return hasBothCases(s) && !strings.ContainsAny(s, ".:_-()")
}

// credentials reports a name and a password in base64.
func credentials(s string) bool {
	b, err := encoding.RawStdEncoding.DecodeString(strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(s), "="))
	if err != nil || !utf8.Valid(b) {
		return false
	}
	name, pass, ok := strings.Cut(string(b), ":")
	if !ok || name == "" || len(pass) < 3 {
		return false
	}
	return strings.IndexFunc(string(b), unicode.IsControl) < 0
}
