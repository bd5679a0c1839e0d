package secret

import (
	"slices"
	"strings"
)

// isNoValue reports what stands in the place of a secret, whatever its class.
func isNoValue(s string) bool {
	switch {
	case len(s) < 3, isNumberUpTo(s, 3), consistsOf(s, "*•x.-_X#?… "), strings.HasPrefix(s, "[-"), strings.Contains(s, markerStart):
		return true
	case isAny(s, isFilledIn, isReference, repeatsOne, isMetavariable, isMessageName, isOnChain, isHashBehindWords):
		return true
	}
	lower := strings.ToLower(strings.TrimRight(s, "!?.;,:)"))
	switch {
	case hasAnyPrefix(lower, "your", "sha256:", "md5:"), containsAny(lower, "-your-", "xxxxx", "redacted", "placeholder"), strings.HasSuffix(lower, "-here"):
		return true
	}
	return slices.Contains(settings, lower)
}

// isMessageName reports what a program calls a message about a secret: passwordTooWeak, or a part of
// a library: argon2.argon2id.
func isMessageName(s string) bool {
	if strings.Contains(s, ".") && !hasForeign(s) {
		parts := strings.Split(s, ".")
		return !slices.ContainsFunc(parts, func(part string) bool { return !slices.Contains(settings, strings.ToLower(part)) })
	}
	switch {
	case len(s) < 8, !isLower(s[0]), strings.ToLower(s) == s, !isIdentifier(s), strings.ContainsAny(s, digits+"-_"):
		return false
	}
	words := wordsOf(s)
	return len(words) > 2 && slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"password", "token", "secret"}, strings.ToLower(w))
	})
}

// isOnChain reports the address of an account or a contract of Ethereum, which is public: a private
// key is longer.
func isOnChain(s string) bool {
	return len(s) == 42 && strings.HasPrefix(s, "0x") && strings.Trim(s[2:], digits+"abcdefABCDEF") == ""
}

// isHashBehindWords reports the key of a cache: words, and a hash of what they stand for.
func isHashBehindWords(s string) bool {
	words, hash, ok := cutLast(s, "-")
	isHash := len(hash) >= 32 && isHex(hash)
	return ok && isHash && isNameOnly(words)
}

// settings are what is said of a password or a token, and the types of programs.
var settings = strings.Fields(`true false null none nil undefined required optional string str text bytes byte int integer number bool boolean char varchar
	object any unknown void never hidden masked encrypted hashed plain plaintext empty missing invalid valid wrong correct incorrect expired bearer basic
	digest default disabled enabled input prompt stdin ask auto automatic generate generated random changeme change-me example sample dummy secure weak strong strict
	bcrypt argon2 argon2id scrypt pbkdf2 sha256 sha512 md5 base64 password passwords passwort kennwort contraseña secret token tokens key keys username user email
	login admin-password error errors failed fails failure ok yes no unset set deleted removed changed updated reset unchanged ignored unused readonly private
	parola senha wachtwoord hasło lösenord adgangskode kodeord passord heslo şifre salasana jelszó пароль κωδικός パスワード 密码 密碼 비밀번호
	public protected include omit 1password keepass lastpass bitwarden same-origin static const let var new return await async function this self jwt oauth oauth2 uuid hash salt`)

// isKeyLike reports what looks as if a machine made it.
func isKeyLike(s string) bool {
	switch {
	case len(s) < 8, hasForeign(s), isNameOnly(s), isDate(s):
		return false
	case strings.Contains(s, "[") && strings.Contains(s, "]"), strings.Contains(s, `\`), strings.ContainsAny(s, " \t<>(){}[]\"'`") && !isRandom(s):
		return false
	case !isWordy(s), strings.Count(s, "-") >= 3 && isHyphenated(s):
		return true
	}
	return hasDigit(s) && len(s) >= 10 && !strings.ContainsAny(s, "-_.:/ ")
}

// isNameOnly reports words with signs between, of which at most one has a number:
// the name of a secret, not a secret.
func isNameOnly(s string) bool {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_./: @", r) }) {
		isWordWithNumber := hasDigit(part) && !consistsOf(part, digits)
		if !isWordy(part) || isWordWithNumber && len(part) > 6 {
			return false
		}
	}
	return onePlaceOfDigits(s)
}

func isDate(s string) bool { return strings.Trim(s, digits+"-:TZ.+ /") == "" }

func isHex(s string) bool {
	s = strings.TrimPrefix(s, "0x")
	return strings.Trim(s, digits+"abcdef") == "" || strings.Trim(s, digits+"ABCDEF") == ""
}

func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && strings.Trim(s, digits+"abcdefABCDEF-") == ""
}

// isRandom reports characters of several sorts without order.
func isRandom(s string) bool {
	if len(s) < 12 || !hasDigit(s) {
		return false
	}
	return !isWordy(s) && entropyOf(s) > 3
}

// isRandomOrHex reports random characters, or a number in hexadecimal notation.
func isRandomOrHex(s string) bool { return isRandom(s) || isHex(s) }

// isStrong reports what only a password looks like, wherever it stands: letters and
// digits mixed, cases without order, signs within, or a passphrase of words.
func isStrong(s string) bool {
	if len(s) < 6 || isAny(s, isNoValue, isCodeLike, isDate, isTechnical) {
		return false
	}
	if isPlainWord(s) && hasForeign(s) {
		return false // a word of another language
	}
	if isDisordered(s) || isSuggested(s) {
		return true
	}
	switch {
	case !hasLetter(s):
		return len(s) >= 8 && !consistsOf(s, digits) && strings.ContainsAny(s, "!#$%^&*?@~")
	case strings.Count(s, "-") >= 3 && (isHyphenated(s) || isNumbered(s)), signSorts(s) >= 4, signSorts(s) >= 3 && hasDigit(s) && strings.ToLower(s) != s, hasInnerSign(s):
		return true
	case hasDigit(s):
		return isUndivided(s) || !isWordy(s) && !isMeasure(s)
	}
	return false
}

// isUndivided reports letters and digits that no sign divides into parts, as those of versions,
// paths and names in a program are.
func isUndivided(s string) bool {
	if consistsOf(s, digits+"-_.:/") || strings.ContainsAny(s, "-.:/,%()[]{}\"'=") {
		return false
	}
	return hasBothCases(s) || !strings.Contains(s, "_")
}

// isDisordered reports characters of several sorts of which less than half are
// in words.
func isDisordered(s string) bool {
	inWords, letters, words := 0, 0, wordsOf(s)
	if len(s) < 8 || len(words) == 0 {
		return false
	}
	for _, w := range words {
		letters += len(w)
		if len(w) > 2 && isOfOneCase(w) && hasVowel(w) {
			inWords += len(w)
		}
	}
	alnum := letters
	for i := range len(s) {
		if isDigit(s[i]) {
			alnum++
		}
	}
	mixed := hasBothCases(s)
	if 2*inWords < alnum && (mixed || signSorts(s) >= 3) {
		return true
	}
	return mixed && letters >= 8 && letters < 3*len(words)
}

// signSorts returns how many different signs s has.
func signSorts(s string) int {
	var sorts []byte
	for i := range len(s) {
		if c := s[i]; isSign(c) && !slices.Contains(sorts, c) {
			sorts = append(sorts, c)
		}
	}
	return len(sorts)
}

// isGenerated reports what somebody assigned that no words are: a part in cases
// without order, or signs of several sorts.
func isGenerated(s string) bool {
	if len(s) < 6 || s[0] == '/' || isAny(s, isDate, isMeasure) {
		return false
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) || r == '_' }) {
		if len(part) > 4 && !isWordy(part) {
			return true
		}
	}
	return isDisordered(s) || signSorts(s) >= 3
}

// isHyphenated reports whether s is made of plain words in lower case with hyphens.
func isHyphenated(s string) bool {
	for part := range strings.SplitSeq(s, "-") {
		if len(part) < 3 || strings.Trim(part, lowerLetters) != "" || slices.Contains(standIns, part) {
			return false
		}
	}
	return true
}

// isNumbered reports words with hyphens and a number at the end, as programs for passwords make
// them: marble-zephyr-maple-16.
func isNumbered(s string) bool {
	words, number, ok := cutLast(s, "-")
	return ok && isNumberUpTo(number, 4) && isHyphenated(words)
}

// hasInnerSign reports a sign within, as passwords have them and names do not.
func hasInnerSign(s string) bool {
	i := strings.IndexAny(s, "!#$%^*?~&")
	if len(s) < 8 || !isWithin(i, 1, len(s)-2) {
		return false
	}
	return isWord(s[i+1]) && !strings.ContainsAny(s, "/()[]{}\"'`=<>,;")
}

// isMeasure reports a number with a unit, a version, a range.
func isMeasure(s string) bool {
	return strings.TrimLeft(s, digits+".,-–x×:%/+~<>=v") == "" || isDigit(s[0]) && len(strings.TrimLeft(s, digits+".,-–×%/+")) <= 3
}

// isTechnical reports the name of a procedure or a format with its number.
func isTechnical(s string) bool {
	lower := strings.ToLower(strings.TrimRight(s, ".,;:)!?"))
	for _, p := range technicalNames {
		if rest, ok := strings.CutPrefix(lower, p); ok && strings.Trim(rest, digits+"-_/.abcehdgmsk") == "" && len(rest) <= 12 {
			return true
		}
	}
	return false
}

var technicalNames = strings.Fields(`sha md base utf aes hs rs es ps ed x v rsa oauth http ipv pbkdf argon scrypt bcrypt win arm amd i p s k ec c latin iso log rfc python java node sql h
	web ssh- auth blake curve u f int uint bug issue step line version release gpt- tls ssl`)
