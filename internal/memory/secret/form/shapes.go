// Package form finds the secrets that are known by their own form, whatever stands beside them: keys in
// blocks, keys of wallets, numbers of cards and accounts, seed phrases, tokens in several lines.
package form

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/chars"
)

// FindCards returns the numbers of payment cards in s: 13 to 19 digits, alone or in
// groups, which begin as an issuer's do and end with the check digit of Luhn.
func FindCards(s string) []Span {
	var out []Span
	for i := 0; ; i++ {
		if i = nextOf(&inCards, s, i, shortestCard); i < 0 {
			return out
		}
		if !chars.IsDigit(s[i]) {
			continue
		}
		end, card := cardAt(s, i)
		if card > i && (i == 0 || !partOfNumber(s[i-1])) {
			out = append(out, Span{Start: i, End: card, Kind: "card-number", Rank: RankShape})
		}
		i = end
	}
}

const shortestCard = 13 // digits

// inCards and inPhrases are the bytes that numbers of cards and seed phrases
// are made of.
var (
	inCards   = bytesOf(chars.Digits + " -")
	inPhrases = bytesOf(chars.LowerLetters + chars.Digits + " \t\r\n,.)\"'-")
)

func bytesOf(s string) (set [256]bool) {
	for i := range len(s) {
		set[s[i]] = true
	}
	return set
}

// nextOf returns where the next n bytes of a set stand in s one after another,
// from i on, −1 if there are none. It reads few of the others.
func nextOf(set *[256]bool, s string, i, n int) int {
	for i+n <= len(s) {
		last := i + n - 1
		for last >= i && set[s[last]] {
			last--
		}
		if last < i {
			return i
		}
		i = last + 1
	}
	return -1
}

// RankShape comes behind all rules.
const RankShape = 1 << 20

// partOfNumber reports whether c is a character beside which a number is not a card's.
func partOfNumber(c byte) bool { return chars.IsWord(c) || strings.IndexByte("-./#%+&@", c) >= 0 }

// cardAt reads the digits at i, which single spaces or hyphens may part into
// groups of three to six. It returns where they end, and where the number of
// a card does that they begin with, 0 if they begin with none.
func cardAt(s string, i int) (end, card int) {
	var digits []byte
	separator, group := byte(0), 0
	for end = i; end < len(s) && len(digits) <= 19; end++ {
		c := s[end]
		if chars.IsDigit(c) {
			digits, group = append(digits, c), group+1
			if endsNumber(s[end+1:]) && isIssued(string(digits), separator != 0) && passesLuhn(string(digits)) {
				card = end + 1
			}
			continue
		}
		isSeparator := chars.IsOneOf(c, " -") && (separator == 0 || c == separator)
		if !isSeparator || !chars.IsWithin(group, 3, 6) || !chars.IsDigit(chars.ByteAt(s, end+1)) {
			break
		}
		separator, group = c, 0
	}
	return end, card
}

// endsNumber reports whether a number may end before s.
func endsNumber(s string) bool {
	c := chars.ByteAt(s, 0)
	if c == '.' || c == '-' {
		return !chars.IsWord(chars.ByteAt(s, 1))
	}
	return !partOfNumber(c)
}

// isIssued reports whether a number has the beginning and the length of an issuer's.
// Numbers of few different digits are those of manuals: 4242 4242 4242 4242.
func isIssued(n string, grouped bool) bool {
	if len(n) < 13 || len(n) > 19 || IsFew(n) {
		return false
	}
	two, four := int(n[0]-'0')*10+int(n[1]-'0'), 0
	for _, c := range n[:4] {
		four = four*10 + int(c-'0')
	}
	switch {
	case two == 34 || two == 37:
		return len(n) == 15
	case slices.ContainsFunc(issuersOf16, func(r [2]int) bool { return r[0] <= four && four <= r[1] }):
		return len(n) == 16
	case n[0] == '4':
		return len(n) == 16 || grouped && slices.Contains([]int{13, 19}, len(n))
	case slices.Contains([]int{30, 36, 38, 39}, two):
		return len(n) == 14 && grouped
	}
	return false
}

// issuersOf16 are the first and the last of the four digits that numbers of 16 digits begin with.
var issuersOf16 = [][2]int{{5100, 5599}, {2221, 2720}, {6011, 6011}, {6500, 6599}, {6440, 6499}, {3528, 3589}, {6200, 6299}}

// IsFew reports whether a number has few different digits, as those of manuals have.
func IsFew(n string) bool {
	seen := 0
	for d := byte('0'); d <= '9'; d++ {
		if strings.IndexByte(n, d) >= 0 {
			seen++
		}
	}
	return seen <= 4
}

func passesLuhn(n string) bool {
	sum := 0
	for i := range len(n) {
		d := int(n[len(n)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// bip39 are the words that the phrases of wallets are made of, which differ in
// their first four letters.
//
//go:embed bip39.txt
var bip39 string

// SeedWords has, by the first four letters, the words of bip39.
var SeedWords = sync.OnceValue(func() map[string]string {
	words := map[string]string{}
	for w := range strings.FieldsSeq(bip39) {
		words[w[:min(4, len(w))]] = w
	}
	return words
})

const (
	seedLength     = 12                         // words of the shortest phrase
	seedVariety    = 8                          // of which so many are different
	shortestPhrase = seedLength*len("abc ") - 1 // bytes
)

// FindSeedPhrases returns the phrases of wallets in s: twelve words of the list or
// more with the same between them, which may be numbered.
func FindSeedPhrases(s string) []Span {
	var out []Span
	words := SeedWords()
	run, start, last := 0, 0, 0
	between := "" // words of this run
	end := func() {
		if run >= seedLength && countVariety(s[start:last]) >= seedVariety {
			out = append(out, Span{Start: start, End: last, Kind: "seed-phrase", Rank: RankShape})
		}
		run, between = 0, ""
	}
	for i := 0; i < len(s); {
		if run == 0 {
			if i = nextOf(&inPhrases, s, i, shortestPhrase); i < 0 {
				return out
			}
		}
		for i < len(s) && !chars.IsLower(s[i]) {
			i++
		}
		from := i
		for i < len(s) && chars.IsLower(s[i]) {
			i++
		}
		word := s[from:i]
		if len(word) < 3 || len(word) > 8 || words[word[:min(4, len(word))]] != word {
			end()
			continue
		}
		if run > 0 {
			now := separation(s[last:from])
			if now == "" || run > 1 && now != between {
				end()
			}
			between = now
		}
		if run == 0 {
			start = from
		}
		run, last = run+1, i
	}
	end()
	return out
}

// countVariety returns how many different words of the list s has.
func countVariety(s string) int {
	words := strings.FieldsFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
	slices.Sort(words)
	return len(slices.Compact(words))
}

// separation returns what stands between two words, without numbers and
// whichever space; "" if it parts them.
func separation(s string) string {
	if len(s) > 12 || strings.Trim(s, " \t\r\n,.)0123456789\"'-") != "" {
		return ""
	}
	return "|" + strings.Trim(s, " \t\r\n0123456789")
}
