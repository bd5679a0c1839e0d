package secret

import (
	"slices"
	"strings"
)

// secret reports whether v is a secret, and not what a program, a manual or a
// form says in the place of one. It moves the end of v to the end of the line
// if the words there belong to it.
func (p *place) secret(c class, v *given) bool {
	s := p.text[v.start:v.end]
	if filledIn(s) || v.quote == 0 && strings.HasPrefix(s, "0x") && len(s) <= len("0x")+16 || c == maybePassword && p.by == colon && !p.quoted && p.text[p.from:p.to] == "PASS" {
		return false
	}
	if v.quote == 0 && c == passwordName && p.ownLine() {
		if end, ok := p.phraseTo(v.start); ok {
			v.end = end
			return true
		}
	}
	if strings.ContainsAny(s, " \t") {
		return c != maybeKey && (phrase(s) || c != maybePassword && (secretInWords(s) || p.variable() && v.quote != 0 && !sentence(s)))
	}
	if noValue(s) || v.quote == 0 && (codeLike(s) || p.by == space && wordOnly(s)) {
		return false
	}
	weak := p.by == comma || p.by == opening || p.by == space
	switch c {
	case passwordName:
		return v.quote != 0 && !weak && !v.wrapped || p.variable() || strong(s) || !weak && !v.wrapped && (generated(s) || p.aloneWord(v, s) || p.inPairs() && len(s) >= 4)
	case maybePassword:
		return strong(s) && !strings.Contains(s, "/")
	case keyName:
		return p.variable() && len(s) >= 4 && !nameOnly(s) || keyLike(s) && (v.quote != 0 || len(s) >= 10)
	}
	return p.randomKey(v, s)
}

// variable reports whether the name is one of the environment: DB_PASSWORD=…
func (p *place) variable() bool {
	name := p.text[p.from:p.to]
	return p.by == equals && !p.spaced && p.text[p.at-2] != ' ' && name == strings.ToUpper(name)
}

// randomKey reports whether s is a key, where only the word "key" says so.
func (p *place) randomKey(v *given, s string) bool {
	name := p.text[p.from:p.to]
	if hexOnly(s) || uuid(s) {
		return len(s) >= 32 && (p.variable() && len(name) > len("key") || p.ofCiphers(v))
	}
	if !random(s) || strings.ContainsAny(s, ":.%") || len(s) < 20 {
		return false
	}
	return p.variable() && len(name) > len("key") || p.ofCiphers(v)
}

// cipherWords stand in a line whose key encrypts or signs.
var cipherWords = []string{"aes", "encrypt", "decrypt", "cipher", "hmac", "secret", "crypto", "chacha", "salsa", "nacl", "sodium", "sign", "jwt", "fernet"}

// ofCiphers reports whether the line of the name speaks of encryption.
func (p *place) ofCiphers(v *given) bool {
	before, after := p.text[max(0, p.from-200):v.start], p.text[v.end:min(len(p.text), v.end+200)]
	before = before[strings.LastIndexByte(before[:len(before)-(v.start-p.from)], '\n')+1:]
	after, _, _ = strings.Cut(after, "\n")
	line := strings.ToLower(before + " " + after)
	return slices.ContainsFunc(cipherWords, func(w string) bool { return strings.Contains(line, w) })
}

// ownLine reports whether the assignment begins its line.
func (p *place) ownLine() bool {
	if p.by != equals && p.by != colon || p.quoted {
		return false
	}
	line := p.text[max(0, p.from-40):p.from]
	if i := strings.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i+1:]
	} else if len(line) == 40 {
		return false
	}
	for _, word := range strings.Fields(line) {
		switch {
		case strings.Trim(word, digits+"→|#>-*+•") == "", word == "export", word == "set", word == "declare", word == "local", strings.HasPrefix(word, "$env:"):
		default:
			return false
		}
	}
	return true
}

// aloneWord reports a plain word that is the password of a configuration file:
// nothing stands before the name or behind the word.
func (p *place) aloneWord(v *given, s string) bool {
	if !p.ownLine() || len(s) < 5 || s != strings.ToLower(s) || strings.Trim(s, lowerLetters+digits) != "" || slices.Contains(settings, s) {
		return false
	}
	rest, _, _ := strings.Cut(p.text[v.end:], "\n")
	name := p.text[p.from:p.to]
	return strings.TrimSpace(rest) == "" && !strings.Contains(name, ".") && name != strings.ToUpper(name[:1])+name[1:] && (p.by == colon || !p.spaced)
}

// inPairs reports whether another pair stands before the name, with no comma as
// in the call of a function: user=app password=…
func (p *place) inPairs() bool {
	if p.by != equals || p.spaced || p.from < 4 || strings.IndexByte(" ;&?", p.text[p.from-1]) < 0 {
		return false
	}
	before := strings.TrimRight(p.text[max(0, p.from-60):p.from], " ;&?")
	return strings.Contains(before[strings.LastIndexAny(before, " \t\n;&?,(")+1:], "=")
}

const lowerLetters = "abcdefghijklmnopqrstuvwxyz"

const maxPhrase = 200 // bytes of a passphrase

// phraseTo returns where a password of several words ends, which goes on to the
// end of the line.
func (p *place) phraseTo(i int) (int, bool) {
	line, _, _ := strings.Cut(p.text[i:min(len(p.text), i+maxPhrase)], "\n")
	if comment := strings.Index(line, " #"); comment >= 0 {
		line = line[:comment]
	}
	line = strings.TrimRight(line, " \t\r")
	if len(line) >= maxPhrase || !strings.Contains(line, " ") || !phrase(line) && (p.variable() || !secretInWords(line)) {
		return 0, false
	}
	return i + len(line), true
}

// noValue reports what stands in the place of a secret, whatever its class.
func noValue(s string) bool {
	if len(s) < 3 || filledIn(s) || reference(s) || strings.Trim(s, s[:1]) == "" || strings.Trim(s, "*•x.-_X#?… ") == "" || metavariable(s) {
		return true
	}
	lower := strings.ToLower(strings.TrimRight(s, "!?.;,)"))
	return slices.Contains(settings, lower) || strings.Contains(lower, "xxxxx") || strings.Contains(lower, "redacted") || strings.Contains(lower, "placeholder") ||
		strings.HasPrefix(lower, "your") || strings.Contains(s, markerStart) || strings.Trim(s, digits) == "" && len(s) < 4
}

// settings are what is said of a password or a token, and the types of programs.
var settings = strings.Fields(`true false null none nil undefined required optional string str text bytes byte int integer number bool boolean char varchar
	object any unknown void never hidden masked encrypted hashed plain plaintext empty missing invalid valid wrong correct incorrect expired bearer basic
	digest default disabled enabled input prompt stdin ask auto automatic generate generated random changeme change-me example sample dummy secure weak strong strict
	bcrypt argon2 argon2id scrypt pbkdf2 sha256 sha512 md5 base64 password passwords passwort kennwort contraseña secret token tokens key keys username user email
	login admin-password error errors failed fails failure ok yes no unset set deleted removed changed updated reset unchanged ignored unused readonly private
	public protected include omit same-origin static const let var new return await async function this self jwt oauth oauth2 uuid hash salt`)

// keyLike reports what looks as if a machine made it.
func keyLike(s string) bool {
	if len(s) < 8 || nameOnly(s) || dateOnly(s) || strings.Contains(s, "[") && strings.Contains(s, "]") || strings.Contains(s, `\`) || strings.ContainsAny(s, " \t<>(){}[]\"'`") && !random(s) {
		return false
	}
	return !wordy(s) || strings.Count(s, "-") >= 3 && wordOf(s) || strings.ContainsAny(s, digits) && len(s) >= 10 && !strings.ContainsAny(s, "-_.:/ ")
}

// nameOnly reports words with signs between, of which at most one has a number:
// the name of a secret, not a secret.
func nameOnly(s string) bool {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_./: @", r) }) {
		if !wordy(part) || strings.ContainsAny(part, digits) && strings.Trim(part, digits) != "" && len(part) > 6 {
			return false
		}
	}
	return onePlaceOfDigits(s)
}

func dateOnly(s string) bool { return strings.Trim(s, digits+"-:TZ.+ /") == "" }

func hexOnly(s string) bool {
	s = strings.TrimPrefix(s, "0x")
	return strings.Trim(s, digits+"abcdef") == "" || strings.Trim(s, digits+"ABCDEF") == ""
}

func uuid(s string) bool {
	return len(s) == 36 && s[8] == '-' && strings.Trim(s, digits+"abcdefABCDEF-") == ""
}

// random reports characters of several sorts without order.
func random(s string) bool {
	return len(s) >= 12 && !wordy(s) && entropy(s) > 3 && strings.ContainsAny(s, digits)
}

// strong reports what only a password looks like, wherever it stands: letters and
// digits mixed, cases without order, signs within, or a passphrase of words.
func strong(s string) bool {
	if len(s) < 6 || noValue(s) || codeLike(s) || dateOnly(s) || technical(s) {
		return false
	}
	if disordered(s) {
		return true
	}
	hasLetter := strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) })
	switch {
	case !hasLetter:
		return len(s) >= 8 && strings.Trim(s, digits) != "" && strings.ContainsAny(s, "!#$%^&*?@~")
	case strings.Count(s, "-") >= 3 && wordOf(s), signSorts(s) >= 4, signSorts(s) >= 3 && strings.ContainsAny(s, digits) && strings.ToLower(s) != s:
		return true
	case strings.ContainsAny(s, digits):
		return !wordy(s) && !measure(s) || withoutParts(s) || innerSign(s)
	case innerSign(s):
		return true
	}
	return false
}

// withoutParts reports letters and digits that no sign divides into parts, as those of versions,
// paths and names in a program are.
func withoutParts(s string) bool {
	mixed := strings.ToLower(s) != s && strings.ToUpper(s) != s
	return strings.Trim(s, digits+"-_.:/") != "" && !strings.ContainsAny(s, "-.:/,%()[]{}\"'=") && (mixed || !strings.Contains(s, "_"))
}

// disordered reports characters of several sorts of which less than half are
// in words.
func disordered(s string) bool {
	inWords, letters, words := 0, 0, wordsOf(s)
	if len(s) < 8 || len(words) == 0 {
		return false
	}
	for _, w := range words {
		letters += len(w)
		if len(w) > 2 && (w[1:] == strings.ToLower(w[1:]) || w == strings.ToUpper(w)) && strings.ContainsAny(strings.ToLower(w), "aeiouy") {
			inWords += len(w)
		}
	}
	alnum := letters
	for i := range len(s) {
		if isDigit(s[i]) {
			alnum++
		}
	}
	mixed := strings.ToLower(s) != s && strings.ToUpper(s) != s
	return 2*inWords < alnum && (mixed || signSorts(s) >= 3) || mixed && letters >= 8 && letters < 3*len(words)
}

// signSorts returns how many different signs s has.
func signSorts(s string) int {
	var sorts []byte
	for i := range len(s) {
		if c := s[i]; c > ' ' && c < 0x7f && !isWord(c) && !slices.Contains(sorts, c) {
			sorts = append(sorts, c)
		}
	}
	return len(sorts)
}

// generated reports what somebody assigned that no words are: a part in cases
// without order, or signs of several sorts.
func generated(s string) bool {
	if len(s) < 6 || strings.HasPrefix(s, "/") || dateOnly(s) || measure(s) {
		return false
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) || r == '_' }) {
		if len(part) > 4 && !wordy(part) {
			return true
		}
	}
	return disordered(s) || signSorts(s) >= 3
}

// wordOf reports whether s is made of plain words in lower case with hyphens.
func wordOf(s string) bool {
	for part := range strings.SplitSeq(s, "-") {
		if len(part) < 3 || strings.Trim(part, lowerLetters) != "" || slices.Contains(standIns, part) {
			return false
		}
	}
	return true
}

// innerSign reports a sign within, as passwords have them and names do not.
func innerSign(s string) bool {
	i := strings.IndexAny(s, "!#$%^*?~&")
	return i > 0 && i < len(s)-1 && len(s) >= 8 && !strings.ContainsAny(s, "/()[]{}\"'`=<>,;") && isWord(s[i+1])
}

// measure reports a number with a unit, a version, a range.
func measure(s string) bool {
	return strings.TrimLeft(s, digits+".,-–x×:%/+~<>=v") == "" || isDigit(s[0]) && len(strings.TrimLeft(s, digits+".,-–×%/+")) <= 3
}

// technical reports the name of a procedure or a format with its number.
func technical(s string) bool {
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

// codeLike reports the expression of a program: names that are words, with
// the signs of a program between.
func codeLike(s string) bool {
	if !balanced(s) {
		return false
	}
	long, all, signs := 0, 0, 0
	chain := true // only names and what joins them
	for i := 0; i < len(s); {
		start := i
		for i < len(s) && (isWord(s[i])) {
			i++
		}
		if i > start {
			part := s[start:i]
			if !wordy(part) {
				return false
			}
			all += len(part)
			for _, w := range wordsOf(part) {
				if len(w) > 2 {
					long += len(w)
				}
			}
			continue
		}
		switch c := s[i]; {
		case strings.IndexByte("~#^", c) >= 0, c == '@' && i > 0, c == '$' && i > 0 && s[i-1] != '(' && s[i-1] != '{' && s[i-1] != '"':
			return false
		case strings.IndexByte("([{<\"'),;}]|", c) >= 0:
			signs, chain = signs+1, false
		case c == '.', c == ':', c == '-', c == '>':
			signs++
		case c == '!' && i+1 < len(s) && i > 0 && s[i+1] != '=':
			return false
		default:
			chain = false
		}
		i++
	}
	if signs == 0 || all == 0 {
		return false
	}
	if chain {
		return strings.ContainsAny(s, ".>:") && !strings.ContainsAny(s, digits) && (isLetter(s[0]) || s[0] == '_') && strings.Count(s, ".") < 3
	}
	return 5*long >= 3*all && 2*all >= len(s) && !disordered(s)
}

// balanced reports whether no bracket closes in s that did not open, but at its end.
func balanced(s string) bool {
	var open []byte
	for _, c := range []byte(strings.TrimRight(s, ")]}>,;.!")) {
		switch i := strings.IndexByte("([{)]}", c); {
		case i >= 3 && (len(open) == 0 || open[len(open)-1] != "([{"[i-3]):
			return false
		case i >= 3:
			open = open[:len(open)-1]
		case i >= 0:
			open = append(open, c)
		}
	}
	return true
}

// phrase reports a passphrase: words without one that sentences need.
func phrase(s string) bool {
	words := strings.Fields(s)
	if len(words) < 4 || len(words) > 30 {
		return false
	}
	for _, w := range words {
		if len(w) < 3 || len(w) > 12 || strings.Trim(w, lowerLetters) != "" || slices.Contains(standIns, w) || slices.Contains(sentenceWords, w) {
			return false
		}
	}
	return true
}

// sentence reports whether one of the words of s belongs to a sentence.
func sentence(s string) bool {
	return slices.ContainsFunc(strings.Fields(s), func(w string) bool {
		w = strings.ToLower(strings.Trim(w, ".,:;!?"))
		return slices.Contains(sentenceWords, w) || slices.Contains(standIns, w)
	})
}

// secretInWords reports a password with spaces: one of its words can only be
// part of a password, and none belongs to a sentence.
func secretInWords(s string) bool {
	words := strings.Fields(s)
	if len(words) > 8 {
		return false
	}
	found := false
	for _, w := range words {
		if slices.Contains(sentenceWords, strings.ToLower(strings.Trim(w, ".,:;!?"))) || strings.ContainsAny(w, "()[]{}\"'`=<>") && codeLike(w) {
			return false
		}
		found = found || strong(w) && !hexOnly(w)
	}
	return found
}

// sentenceWords hold sentences together, in the languages that prompts come in.
var sentenceWords = strings.Fields(`the a an is are was were be been must should shall can could may might will would has have had do does did not no and or but if
	when then than that this these those with without from for of to in on at by as it its we you they i he she our your their there here only also
	just never always again while until after before because so use uses using used via into over under per all any each must please don't check see
	der die das ein eine einen ist sind war wird werden muss soll kann nicht und oder aber wenn dann mit ohne von zu im in auf bei für als es wir ihr sie
	le la les un une des est sont doit peut pas et ou mais si avec sans de du dans sur par pour que qui nous vous
	el los las una es son debe puede no y o pero con sin del en por para que se su`)
