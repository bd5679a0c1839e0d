package form

import (
	"bytes"
	"crypto/sha256"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/looks"
)

// Keys that no name and no keyword stands before are found by their form: long
// runs of letters and digits, and lists of bytes. What a hash may look like too
// is a key where words beside it say so.

const (
	shortestKey  = 32 // letters and digits
	shortestList = 47 // bytes of text that sixteen bytes take
)

// inKeys and inLists are the bytes that keys and lists of bytes are made of.
var (
	inKeys  = bytesOf(chars.Digits + chars.LowerLetters + upperLetters)
	inLists = bytesOf(chars.Digits + "abcdefABCDEFxX, \t\r\n")
)

const (
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	base32Digits = upperLetters + "234567"
	base58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
)

// FindKeyRuns returns the keys in s that are runs of letters and digits.
func FindKeyRuns(s string) []Span {
	var out []Span
	for i := 0; ; {
		if i = nextOf(&inKeys, s, i, shortestKey); i < 0 {
			return out
		}
		end := i + shortestKey
		for end < len(s) && inKeys[s[end]] {
			end++
		}
		if kind := keyRun(s, i, end); kind != "" {
			out = append(out, Span{Start: i, End: end, Kind: kind, Rank: RankShape})
		}
		i = end
	}
}

// keyRun returns the kind of key that s[start:end] is, "" if it is none.
func keyRun(s string, start, end int) string {
	run := s[start:end]
	bare := strings.TrimPrefix(run, "0x")
	switch {
	case len(run) > 2*64+2:
		return ""
	case nkeySeed(run):
		return "private-key"
	case isStellarSeed(run):
		return "wallet-key"
	case len(run) == 51 || len(run) == 52 || len(run) == 58:
		if payload, ok := base58check(run); ok && slices.Contains(walletPayloads, len(payload)) {
			return "wallet-key"
		}
	case (len(bare) == 64 || len(bare) == 128) && looks.IsHex(bare):
		if saysPrivate(s, start, end) {
			return "private-key"
		}
	case (len(run) == 87 || len(run) == 88) && strings.Trim(run, base58Digits) == "":
		if saysPrivate(s, start, end) {
			return "wallet-key"
		}
	case len(run) == 32 && looks.IsHex(run) && besideAccount(s, start, end):
		return "secret"
	}
	return ""
}

// nkeySeed reports whether s is the seed of a key of NATS: S, what it is for, and 56 digits in
// base 32.
func nkeySeed(s string) bool {
	if len(s) != 58 || s[0] != 'S' {
		return false
	}
	return chars.IsOneOf(s[1], "UAONCX") && chars.ConsistsOf(s, base32Digits)
}

// base58check decodes what addresses and keys of Bitcoin are written in, false if
// the check at its end does not fit.
func base58check(s string) ([]byte, bool) {
	n := new(big.Int)
	for i := range len(s) {
		d := strings.IndexByte(base58Digits, s[i])
		if d < 0 {
			return nil, false
		}
		n.Mul(n, big.NewInt(58)).Add(n, big.NewInt(int64(d)))
	}
	b := n.Bytes()
	const check = 4
	if len(b) <= check {
		return nil, false
	}
	payload := b[:len(b)-check]
	once := sha256.Sum256(payload)
	twice := sha256.Sum256(once[:])
	return payload, bytes.Equal(twice[:check], b[len(b)-check:])
}

var accountID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bAC[0-9a-f]{32}\b`) })

// besideAccount reports whether the id of an account of Twilio stands beside
// s[start:end], whose token has no form of its own.
func besideAccount(s string, start, end int) bool {
	const far = 200
	near := s[max(0, start-far):min(len(s), end+far)]
	return strings.Contains(near, "AC") && accountID().MatchString(near)
}

// privateWords say that a run of digits is a private key, and openWords that it is
// something else.
var (
	privateNames = []string{"private key", "private_key", "privatekey", "private-key", "privkey", "priv_key", "secret key", "secret_key", "secretkey", "clé privée",
		"privater schlüssel", "clave privada", "chave privada", "chiave privata", "root seed", "spend key", "view key", "master seed", "wallet seed", "seed hex", "hex seed", "seedhex"}
	privateWords = []string{"deployer", "mnemonic", "seed", "wallet", "signer", "keypair", "accounts:", "metamask", "importprivkey", "solana", "phantom"}
	openWords    = []string{"hash", "sha256", "sha-256", "sha512", "digest", "checksum", "commit", "txid", "tx ", "tx:", "tx_", "transaction", "block", "public", "pubkey",
		"signature", "sig:", "merkle", "root:", "random seed", "shrink", "fuzz", "etag", "fingerprint", "topic", "image", "integrity", "address:", "program id", "explorer", "/tx/"}
)

// saysPrivate reports whether the words beside s[start:end], in its line or the one
// above, say that it is a private key.
func saysPrivate(s string, start, end int) bool {
	const far, close = 200, 40
	before := strings.ToLower(s[max(0, start-far):start])
	above := ""
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		above, before = strings.TrimRight(before[:i], " \t\r\n-="), before[i+1:]
		above = above[strings.LastIndexByte(above, '\n')+1:]
	}
	after, _, _ := strings.Cut(strings.ToLower(s[end:min(len(s), end+far)]), "\n")
	if chars.ContainsAny(before[max(0, len(before)-close):], privateNames...) {
		return true
	}
	if !leadsOn(above) {
		above = ""
	}
	if strings.HasPrefix(after, "  ") || strings.HasPrefix(after, " *") {
		return false // the hash of a file, whose name follows
	}
	line := above + "\n" + before + " " + after
	return (chars.ContainsAny(line, privateNames...) || slices.ContainsFunc(privateWords, func(w string) bool { return hasWord(line, w) })) && !chars.ContainsAny(line, openWords...)
}

// leadsOn reports whether a line says what stands on the next one: a comment, a
// heading, or what ends with a sign that leads on.
func leadsOn(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" {
		return false
	}
	return chars.IsOneOf(chars.LastByte(line), ":=([{\\") || chars.IsOneOf(line[0], "#/*-$>") || !strings.ContainsAny(line, "=;(){}[],\"'")
}

// hasWord reports whether a word stands in s, not as a part of a path or of
// another word.
func hasWord(s, word string) bool {
	for i := 0; ; i++ {
		n := strings.Index(s[i:], word)
		if n < 0 {
			return false
		}
		i += n
		if boundsWord(chars.ByteAt(s, i-1), "-/") && boundsWord(chars.ByteAt(s, i+len(word)), "-/.") {
			return true
		}
	}
}

// FindByteLists returns the keys in s that are written as lists of bytes:
// [236, 210, …], {0xec, 0xd2, …}.
func FindByteLists(s string) []Span {
	var out []Span
	for i := 0; ; {
		if i = nextOf(&inLists, s, i, shortestList); i < 0 {
			return out
		}
		end := i + shortestList
		for end < len(s) && inLists[s[end]] {
			end++
		}
		isInBrackets := chars.IsOneOf(chars.ByteAt(s, i-1), "[{(") && chars.IsOneOf(chars.ByteAt(s, end), "]})")
		if isInBrackets && keyBytes(s[i:end]) && namesKey(s, i, end) {
			out = append(out, Span{Start: i, End: end, Kind: "private-key", Rank: RankShape})
		}
		i = end
	}
}

// namesKey reports whether what stands before the list s[start:end] says that it is a
// private key: its name, or, of decimal bytes, the words beside it. Bytes in the
// other form are in the tests of every cipher.
func namesKey(s string, start, end int) bool {
	const close = 60
	before := strings.ToLower(s[max(0, start-close) : start-1])
	if line := before[strings.LastIndexByte(before, '\n')+1:]; chars.ContainsAny(line, privateNames...) || chars.ContainsAny(line, deviceKeys...) {
		return true
	}
	return !strings.Contains(s[start:end], "x") && saysPrivate(s, start-1, end+1)
}

// deviceKeys name the keys of devices, and of what they send.
var deviceKeys = []string{"network_key", "networkkey", "fw_key", "firmware_key", "device_key", "devicekey", "flash_key", "app_key", "nwk_key"}

// keyBytes reports whether list is a list of as many bytes as keys have, which are not all alike.
func keyBytes(list string) bool {
	const longest = 64*8 + 64
	if len(list) > longest || strings.IndexByte(list, ',') < 0 {
		return false
	}
	count, seen := 0, map[string]bool{}
	for b := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r <= ' ' }) {
		if !isByteNumber(b) {
			return false
		}
		seen[b] = true
		count++
	}
	return slices.Contains([]int{16, 24, 32, 64}, count) && 2*len(seen) > count
}

// isByteNumber reports whether s is the number of a byte, in decimal or hexadecimal notation.
func isByteNumber(s string) bool {
	if chars.HasAnyPrefix(s, "0x", "0X") {
		return len(s) <= 4
	}
	return chars.IsNumberUpTo(s, 3) && (len(s) < 3 || s <= "255")
}

// walletPayloads are the lengths of what the key of a wallet encodes.
var walletPayloads = []int{33, 34, 39}

// isStellarSeed reports whether s is the seed of an account of Stellar.
func isStellarSeed(s string) bool {
	if len(s) != 56 || s[0] != 'S' {
		return false
	}
	return chars.ConsistsOf(s, base32Digits) && strings.ContainsAny(s, "234567")
}

// boundsWord reports whether a word may end beside c, which is no letter and none of the signs that join words.
func boundsWord(c byte, joints string) bool { return !chars.IsLetter(c) && !chars.IsOneOf(c, joints) }
