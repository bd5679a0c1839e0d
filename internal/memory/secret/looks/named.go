package looks

import (
	encoding "encoding/base64"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/memory/secret/chars"
)

// IsChosen reports whether people choose s as a password, where a rule knows the place.
func IsChosen(s string) bool {
	s = strings.TrimRight(s, ".,:;!?)")
	return !IsNoValue(s) && !ContainsNoun(s) && chars.IsAny(s, IsStrong, IsMadeUp, IsCoined, IsDotted, IsMixed, IsGenerated)
}

// NoChosenArgument reports whether people would not choose s as a password, not even where a command takes one.
func NoChosenArgument(s string) bool {
	if IsChosen(s) {
		return false
	}
	return !hasMixedSorts(s) || IsNoValue(s) || ContainsNoun(s)
}

// NoRandomKey reports whether no machine made s as a key.
func NoRandomKey(s string) bool {
	return len(s) < 16 || !IsRandomOrHex(s) || chars.IsAny(s, IsNoValue, IsUUID)
}

// hasMixedSorts reports whether s has letters, digits and another sign.
func hasMixedSorts(s string) bool {
	isLetterOrDigit := func(r rune) bool { return r >= 0x80 || chars.IsLetter(byte(r)) || chars.IsDigit(byte(r)) }
	return strings.ContainsFunc(s, unicode.IsLetter) && strings.ContainsAny(s, chars.Digits) && strings.ContainsFunc(s, func(r rune) bool { return !isLetterOrDigit(r) && r > ' ' })
}

// ContainsNoun reports whether s is a placeholder like MYPASSWORD.
func ContainsNoun(s string) bool {
	return slices.ContainsFunc(secretNouns, func(n string) bool { return strings.Contains(strings.ToLower(s), n) })
}

// IsPrinted reports whether s is what a command prints that shows a secret: nothing that a person
// would have written.
func IsPrinted(s string) bool {
	isPrompt := strings.Contains(s, "@") && strings.HasSuffix(s, ":")
	if isPrompt || strings.ContainsAny(s, "$(){}<>") || chars.IsAny(s, IsNoValue, IsCodeLike) {
		return false
	}
	if IsStrong(s) || IsRandom(s) {
		return true
	}
	return IsHex(s) && len(s) >= 16 && s != strings.Trim(s, chars.Digits)
}

// IsWordLike reports whether s is what is no key but a word or a name: without a digit, of one
// case or with signs between its parts ("Authorization: required").
func IsWordLike(s string) bool {
	if strings.ContainsAny(s, chars.Digits) {
		return false
	}
	return strings.ContainsAny(s, ".-_") || s[1:] == strings.ToLower(s[1:]) || s == strings.ToUpper(s)
}

// StrongAlone reports whether s is what is a password though only an option like -p says so.
func StrongAlone(s string) bool {
	if !IsStrong(s) || strings.ContainsAny(s, "/\\=,<>{}") || IsHex(s) {
		return false
	}
	if HasInnerSign(s) && chars.HasDigit(s) {
		return true
	}
	if len(s) < 10 || IsNameOnly(s) {
		return false
	}
	return chars.HasBothCases(s) && !strings.ContainsAny(s, ".:_-()")
}

// IsCredentials reports whether s is a name and a password in base64.
func IsCredentials(s string) bool {
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

// NoDeviceSecret reports whether s is what is none in the configuration of a device.
func NoDeviceSecret(s string) bool {
	return NoPassword(s) || IsNoValue(s) || IsWordOnly(strings.TrimRight(s, ".,:;!?%)"))
}
