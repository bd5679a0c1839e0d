package form

import (
	"strings"

	"recollect/internal/memory/secret/chars"
)

// ibanLengths are how long the number of an account is, by its country, with the country and the
// check digits (ISO 13616).
var ibanLengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18,
	"DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23,
	"IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19,
	"MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19, "SK": 24,
	"SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}

// FindIBANs returns the numbers of bank accounts in s, alone or in groups of four, whose check digits are
// right.
func FindIBANs(s string) []Span {
	var out []Span
	for i := 0; i+15 <= len(s); i++ {
		if i > 0 && chars.IsWord(s[i-1]) || !beginsIBAN(s[i:]) {
			continue
		}
		if end := ibanEnd(s, i); end > 0 {
			out = append(out, Span{Start: i, End: end, Kind: "iban", Rank: RankShape})
			i = end - 1
		}
	}
	return out
}

// beginsIBAN reports whether s, of four bytes at least, begins with a country and check digits.
func beginsIBAN(s string) bool {
	return chars.IsLetter(s[0]) && chars.IsLetter(s[1]) && strings.Trim(s[2:4], chars.Digits) == ""
}

// ofManuals is the number that stands in manuals.
const ofManuals = "DE89370400440532013000"

// ibanEnd returns where the number of an account ends that begins at i, 0 if there is none.
func ibanEnd(s string, i int) int {
	length := ibanLengths[strings.ToUpper(s[i:i+2])]
	var number []byte
	for end := i; end < len(s) && len(number) < length; end++ {
		switch c := s[end]; {
		case chars.IsDigit(c) || chars.IsLetter(c):
			number = append(number, c)
		case (c == ' ' || c == '-') && len(number)%4 == 0:
		default:
			return 0
		}
		if ends := end+1 == len(s) || !chars.IsWord(s[end+1]); ends && len(number) == length && isAccount(string(number)) {
			return end + 1
		}
	}
	return 0
}

func isAccount(number string) bool { return number != ofManuals && passesCheck(number) }

// passesCheck reports whether the check digits of an account's number are right (ISO 7064, mod 97).
func passesCheck(number string) bool {
	number = strings.ToUpper(number)
	rest := 0
	for _, c := range []byte(number[4:] + number[:4]) {
		if chars.IsDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}
