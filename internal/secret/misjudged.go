package secret

import (
	"slices"
	"strings"
)

// misjudged reports what the words around s[start:end] are about, though it is no secret: an
// address of mail, a host, the name of a secret, a checksum.
func misjudged(s string, start, end int) bool {
	value := s[start:end]
	mail, row, _ := strings.Cut(value, ";")
	at := strings.IndexByte(mail, '@')
	if at > 0 && strings.Contains(mail[at:], ".") && nameOnly(mail[:at]) && nameOnly(mail[at+1:]) && strings.Trim(row, lowerLetters+digits+";-: ") == "" {
		return true
	}
	if hostName(value) || strings.Trim(value, lowerLetters+"_-") == "" && containsNoun(value) {
		return true
	}
	before := strings.ToLower(s[max(0, start-nearby):start])
	return hexOnly(value) && slices.ContainsFunc(checksums, func(name string) bool { return strings.Contains(before, name) })
}

// checksums name the columns and the commands whose values are not secret.
var checksums = []string{"md5", "sha1", "sha256", "sha512", "sha-", "checksum", "digest", "crc"}

// hostName reports the name of a machine in a network: labels in lower case, the last of which
// networks have.
func hostName(s string) bool {
	_, last, ok := cutLast(s, ".")
	return ok && strings.Trim(s, lowerLetters+digits+".-") == "" && slices.Contains(topLabels, last)
}

var topLabels = strings.Fields("lan local internal localdomain home corp intern com net org io dev cloud de fr eu example test svc")
