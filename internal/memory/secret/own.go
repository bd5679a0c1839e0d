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
	"word":                 isWordLike,
	"no password":          noPassword,
	"no strong password":   func(s string) bool { return !strongAlone(s) },
	"no key":               func(s string) bool { return isNoValue(s) || !isKeyLike(s) },
	"no signature":         func(s string) bool { return isNoValue(s) || isNameOnly(s) || isDate(s) },
	"hash":                 func(s string) bool { return isHex(s) || isWordy(s) },
	"no random key":        noRandomKey,
	"no strong word":       func(s string) bool { return !isStrong(s) },
	"no strong key":        func(s string) bool { return !isStrong(s) || isWordy(s) },
	"no credentials":       func(s string) bool { return !isCredentials(s) },
	"no device secret":     noDeviceSecret,
	"a word for a secret":  containsNoun,
	"no app password":      func(s string) bool { return !appPassword(s) },
	"no printed secret":    func(s string) bool { return !isPrinted(s) },
	"no chosen password":   func(s string) bool { return !isChosen(s) },
	"no chosen argument":   noChosenArgument,
	"no spelled secret":    func(s string) bool { return !isSpelled(s) },
	"no passphrase":        func(s string) bool { return strings.Count(s, " ") < 3 },
	"no compared password": func(s string) bool { return !isChosen(s) && strings.Trim(s, digits) != "" },
	"a card of manuals":    func(s string) bool { return isFew(strings.NewReplacer(" ", "", "-", "").Replace(s)) },
}

// noDeviceSecret reports what is none in the configuration of a device.
func noDeviceSecret(s string) bool {
	return noPassword(s) || isNoValue(s) || isWordOnly(strings.TrimRight(s, ".,:;!?%)"))
}

// isChosen reports what people choose as a password, where a rule knows the place.
func isChosen(s string) bool {
	s = strings.TrimRight(s, ".,:;!?)")
	return !isNoValue(s) && !containsNoun(s) && isAny(s, isStrong, isMadeUp, isCoined, isDotted, isMixed, isGenerated)
}

// noChosenArgument reports what people would not choose as a password, not even where a command takes one.
func noChosenArgument(s string) bool {
	if isChosen(s) {
		return false
	}
	return !hasMixedSorts(s) || isNoValue(s) || containsNoun(s)
}

// noRandomKey reports what no machine made as a key.
func noRandomKey(s string) bool {
	return len(s) < 16 || !isRandomOrHex(s) || isAny(s, isNoValue, isUUID)
}

// hasMixedSorts reports letters, digits and another sign.
func hasMixedSorts(s string) bool {
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

// isPrinted reports what a command prints that shows a secret: nothing that a person
// would have written.
func isPrinted(s string) bool {
	isPrompt := strings.Contains(s, "@") && strings.HasSuffix(s, ":")
	if isPrompt || strings.ContainsAny(s, "$(){}<>") || isAny(s, isNoValue, isCodeLike) {
		return false
	}
	if isStrong(s) || isRandom(s) {
		return true
	}
	return isHex(s) && len(s) >= 16 && s != strings.Trim(s, digits)
}

// isWordLike reports what is no key but a word or a name: without a digit, of one
// case or with signs between its parts ("Authorization: required").
func isWordLike(s string) bool {
	if strings.ContainsAny(s, digits) {
		return false
	}
	return strings.ContainsAny(s, ".-_") || s[1:] == strings.ToLower(s[1:]) || s == strings.ToUpper(s)
}

// strongAlone reports what is a password though only an option like -p says so.
func strongAlone(s string) bool {
	if !isStrong(s) || strings.ContainsAny(s, "/\\=,<>{}") || isHex(s) {
		return false
	}
	if hasInnerSign(s) && hasDigit(s) {
		return true
	}
	if len(s) < 10 || isNameOnly(s) {
		return false
	}
	return hasBothCases(s) && !strings.ContainsAny(s, ".:_-()")
}

// isCredentials reports a name and a password in base64.
func isCredentials(s string) bool {
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
