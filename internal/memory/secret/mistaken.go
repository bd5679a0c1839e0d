package secret

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/looks"
)

// isMistaken reports whether s[start:end] is no secret, though the words around it are about one: an
// address of mail, a host, the name of a secret, a checksum.
func isMistaken(s string, start, end int) bool {
	value := s[start:end]
	if chars.IsAny(value, isMailAddress, isHostName, isNumberedName, isSecretName) {
		return true
	}
	before := strings.ToLower(s[max(0, start-nearby):start])
	return looks.IsHex(value) && slices.ContainsFunc(checksums, func(name string) bool { return strings.Contains(before, name) })
}

// checksums name the columns and the commands whose values are not secret.
var checksums = []string{"md5", "sha1", "sha256", "sha512", "sha-", "checksum", "digest", "crc"}

// isNumberedName reports whether s is a word with a long number behind it and nothing else, as programs name what
// they have many of: kestrel6933b599b.
func isNumberedName(s string) bool {
	word := strings.TrimRight(s, chars.Digits+"abcdef")
	return len(word) >= 4 && len(s)-len(word) >= 7 && strings.Trim(word, chars.LowerLetters) == ""
}

// isHostName reports whether s is the name of a machine in a network: labels in lower case, the last of which
// networks have.
func isHostName(s string) bool {
	_, last, ok := chars.CutLast(s, ".")
	return ok && strings.Trim(s, chars.LowerLetters+chars.Digits+".-") == "" && slices.Contains(topLabels, last)
}

var topLabels = strings.Fields("lan local internal localdomain home corp intern com net org io dev cloud de fr eu example test svc")

// isMailAddress reports whether s is an address of mail, perhaps with the cells of a row behind it.
func isMailAddress(s string) bool {
	mail, row, _ := strings.Cut(s, ";")
	at := strings.IndexByte(mail, '@')
	if at <= 0 || !chars.ConsistsOf(row, chars.LowerLetters+chars.Digits+";-: ") {
		return false
	}
	host := mail[at+1:]
	return strings.Contains(host, ".") && looks.IsNameOnly(mail[:at]) && looks.IsNameOnly(host)
}

// isSecretName reports whether s is the name of a secret: db_password.
func isSecretName(s string) bool {
	return chars.ConsistsOf(s, chars.LowerLetters+"_-") && looks.ContainsNoun(s)
}
