// Package looks says what a text looks like that has a place in which a secret may stand: a password
// that somebody made up, a key that a machine made, or else a word, a name, a placeholder, the
// expression of a program. It also reads the name of a value, which says how much the value itself
// has to look like a secret.
package looks

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
)

// MarkerStart begins the marker that stands in the place of a secret.
const MarkerStart = "[secret:"

// IsNoValue reports whether s stands in the place of a secret, whatever its class.
func IsNoValue(s string) bool {
	switch {
	case len(s) < 3, chars.IsNumberUpTo(s, 3), chars.ConsistsOf(s, "*•x.-_X#?… "), strings.HasPrefix(s, "[-"), strings.Contains(s, MarkerStart):
		return true
	case chars.IsAny(s, IsFilledIn, isReference, chars.RepeatsOne, IsMetavariable, isMessageName, isOnChain, isHashBehindWords):
		return true
	}
	lower := strings.ToLower(strings.TrimRight(s, "!?.;,:)"))
	switch {
	case chars.HasAnyPrefix(lower, "your", "sha256:", "md5:"), chars.ContainsAny(lower, "-your-", "xxxxx", "redacted", "placeholder"):
		return true
	}
	return slices.Contains(Settings, lower)
}

// isMessageName reports whether s is what a program calls a message about a secret: passwordTooWeak, or a part of
// a library: argon2.argon2id.
func isMessageName(s string) bool {
	if strings.Contains(s, ".") && !chars.HasForeign(s) {
		parts := strings.Split(s, ".")
		return !slices.ContainsFunc(parts, func(part string) bool { return !slices.Contains(Settings, strings.ToLower(part)) })
	}
	switch {
	case !IsIdentifier(s), strings.ContainsAny(s, chars.Digits+"-_"):
		return false
	}
	words := WordsOf(s)
	return len(words) > 2 && slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"password", "token", "secret"}, strings.ToLower(w))
	})
}

// isOnChain reports whether s is the address of an account or a contract of Ethereum, which is public: a private
// key is longer.
func isOnChain(s string) bool {
	return len(s) == 42 && strings.HasPrefix(s, "0x") && strings.Trim(s[2:], chars.Digits+"abcdefABCDEF") == ""
}

// isHashBehindWords reports whether s is the key of a cache: words, and a hash of what they stand for.
func isHashBehindWords(s string) bool {
	words, hash, ok := chars.CutLast(s, "-")
	isHash := len(hash) >= 32 && IsHex(hash)
	return ok && isHash && IsNameOnly(words)
}

// Settings are what is said of a password or a token, and the types of programs.
var Settings = strings.Fields(`true false null none nil undefined required optional string str text bytes byte int integer number bool boolean char varchar
	object any unknown void never hidden masked encrypted hashed plain plaintext empty missing invalid valid wrong correct incorrect expired bearer basic
	digest default disabled enabled input prompt stdin ask auto automatic generate generated random changeme change-me example sample dummy secure weak strong strict
	bcrypt argon2 argon2id scrypt pbkdf2 sha256 sha512 md5 base64 password passwords passwort kennwort contraseña secret token tokens key keys username user email
	login admin-password error errors failed fails failure ok yes no unset set deleted removed changed updated reset unchanged ignored unused readonly private
	parola senha wachtwoord hasło lösenord adgangskode kodeord passord heslo şifre salasana jelszó пароль κωδικός パスワード 密码 密碼 비밀번호
	public protected include omit 1password keepass lastpass bitwarden same-origin static const let var new return await async function this self jwt oauth oauth2 uuid hash salt`)

// IsKeyLike reports whether s looks as if a machine made it.
func IsKeyLike(s string) bool {
	switch {
	case len(s) < 8, chars.HasForeign(s), IsNameOnly(s), IsDate(s):
		return false
	case strings.Contains(s, "[") && strings.Contains(s, "]"), strings.Contains(s, `\`), strings.ContainsAny(s, " \t<>(){}[]\"'`") && !IsRandom(s):
		return false
	case !IsWordy(s):
		return true
	}
	return chars.HasDigit(s) && len(s) >= 10 && !strings.ContainsAny(s, "-_.:/ ")
}

// IsNameOnly reports whether s consists of words with signs between, of which at most one has a number:
// the name of a secret, not a secret.
func IsNameOnly(s string) bool {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_./: @", r) }) {
		isWordWithNumber := chars.HasDigit(part) && !chars.ConsistsOf(part, chars.Digits)
		if !IsWordy(part) || isWordWithNumber && len(part) > 6 {
			return false
		}
	}
	return onePlaceOfDigits(s)
}

// IsDate reports whether s consists of the digits and signs of dates and times, and is no longer.
func IsDate(s string) bool { return len(s) <= 32 && strings.Trim(s, chars.Digits+"-:TZ.+ /") == "" }

// IsHex reports whether s is a number in hexadecimal notation, in one case of letters.
func IsHex(s string) bool {
	s = strings.TrimPrefix(s, "0x")
	return strings.Trim(s, chars.Digits+"abcdef") == "" || strings.Trim(s, chars.Digits+"ABCDEF") == ""
}

// IsUUID reports whether s is a UUID.
func IsUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && strings.Trim(s, chars.Digits+"abcdefABCDEF-") == ""
}

// IsRandom reports whether s consists of characters of several sorts without order.
func IsRandom(s string) bool {
	if len(s) < 12 || !chars.HasDigit(s) {
		return false
	}
	return !IsWordy(s) && EntropyOf(s) > 3
}

// IsRandomOrHex reports whether s consists of random characters, or a number in hexadecimal notation.
func IsRandomOrHex(s string) bool { return IsRandom(s) || IsHex(s) }

// IsStrong reports whether s looks as only a password does, wherever it stands: letters and
// digits mixed, cases without order, signs within, or a passphrase of words.
func IsStrong(s string) bool {
	if len(s) < 6 || chars.IsAny(s, IsNoValue, IsCodeLike, IsDate, IsTechnical) {
		return false
	}
	if chars.IsPlainWord(s) && chars.HasForeign(s) {
		return false // a word of another language
	}
	if IsDisordered(s) || isSuggested(s) {
		return true
	}
	switch {
	case !chars.HasLetter(s):
		return len(s) >= 8 && !chars.ConsistsOf(s, chars.Digits) && strings.ContainsAny(s, "!#$%^&*?@~")
	case strings.Count(s, "-") >= 3 && (isHyphenated(s) || IsNumbered(s)), HasInnerSign(s), signSorts(s) >= 4:
		return true
	case signSorts(s) >= 3 && chars.HasDigit(s) && strings.ToLower(s) != s:
		return true
	case chars.HasDigit(s):
		return IsUndivided(s) || !IsWordy(s) && !isMeasure(s)
	}
	return false
}

// IsUndivided reports whether s consists of letters and digits that no sign divides into parts, as those of versions,
// paths and names in a program are.
func IsUndivided(s string) bool {
	if chars.ConsistsOf(s, chars.Digits+"-_.:/") || strings.ContainsAny(s, "-.:/,%()[]{}\"'=") {
		return false
	}
	return chars.HasBothCases(s) || !strings.Contains(s, "_")
}

// IsDisordered reports whether s consists of characters of several sorts of which less than half are
// in words.
func IsDisordered(s string) bool {
	inWords, letters, words := 0, 0, WordsOf(s)
	if len(s) < 8 || len(words) == 0 {
		return false
	}
	for _, w := range words {
		letters += len(w)
		if len(w) > 2 && chars.IsOfOneCase(w) && chars.HasVowel(w) {
			inWords += len(w)
		}
	}
	alnum := letters
	for i := range len(s) {
		if chars.IsDigit(s[i]) {
			alnum++
		}
	}
	mixed := chars.HasBothCases(s)
	if 2*inWords < alnum && (mixed || signSorts(s) >= 3) {
		return true
	}
	return mixed && letters >= 8 && letters < 3*len(words)
}

// signSorts returns how many different signs s has.
func signSorts(s string) int {
	var sorts []byte
	for i := range len(s) {
		if c := s[i]; chars.IsSign(c) && !slices.Contains(sorts, c) {
			sorts = append(sorts, c)
		}
	}
	return len(sorts)
}

// IsGenerated reports whether s is what somebody assigned that no words are: a part in cases
// without order, or signs of several sorts.
func IsGenerated(s string) bool {
	if len(s) < 6 || s[0] == '/' || chars.IsAny(s, IsDate, isMeasure) {
		return false
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r >= 0x80 || !chars.IsWord(byte(r)) || r == '_' }) {
		if len(part) > 4 && !IsWordy(part) {
			return true
		}
	}
	return IsDisordered(s) || signSorts(s) >= 3
}

// isHyphenated reports whether s is made of plain words in lower case with hyphens.
func isHyphenated(s string) bool {
	for part := range strings.SplitSeq(s, "-") {
		if len(part) < 3 || strings.Trim(part, chars.LowerLetters) != "" || slices.Contains(StandIns, part) {
			return false
		}
	}
	return true
}

// IsNumbered reports whether s consists of words with hyphens and a number at the end, as programs for passwords make
// them: marble-zephyr-maple-16.
func IsNumbered(s string) bool {
	words, number, ok := chars.CutLast(s, "-")
	return ok && chars.IsNumberUpTo(number, 4) && isHyphenated(words)
}

// HasInnerSign reports whether s has a sign within, as passwords have them and names do not.
func HasInnerSign(s string) bool {
	i := strings.IndexAny(s, "!#$%^*?~&")
	if len(s) < 8 || !chars.IsWithin(i, 1, len(s)-2) {
		return false
	}
	return chars.IsWord(s[i+1]) && !strings.ContainsAny(s, "/()[]{}\"'`=<>,;")
}

// isMeasure reports whether s is a number with a unit, a version, a range.
func isMeasure(s string) bool {
	return strings.TrimLeft(s, chars.Digits+".,-–x×:%/+~<>=v") == "" || chars.IsDigit(s[0]) && len(strings.TrimLeft(s, chars.Digits+".,-–×%/+")) <= 3
}

// IsTechnical reports whether s is the name of a procedure or a format with its number.
func IsTechnical(s string) bool {
	lower := strings.ToLower(strings.TrimRight(s, ".,;:)!?"))
	for _, p := range technicalNames {
		if rest, ok := strings.CutPrefix(lower, p); ok && strings.Trim(rest, chars.Digits+"-_/.abcehdgmsk") == "" && len(rest) <= 12 {
			return true
		}
	}
	return false
}

var technicalNames = strings.Fields(`sha md base utf aes hs rs es ps ed x v rsa oauth http ipv pbkdf argon scrypt bcrypt win arm amd i p s k ec c latin iso log rfc python java node sql h
	web ssh- auth blake curve u f int uint bug issue step line version release gpt- tls ssl`)
