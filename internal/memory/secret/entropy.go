package secret

import (
	"math"
	"strings"
)

// entropyOf returns the Shannon entropy of the bytes of s, in bits a byte.
func entropyOf(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	var h float64
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			h -= p * math.Log2(p)
		}
	}
	return h
}

// isPlaceholder reports whether s stands where a secret would: a variable
// ("$TOKEN", "${{ secrets.X }}", "{{key}}", "%TOKEN%", "<token>"), one
// character again and again, or words that say so ("your-api-key").
func isPlaceholder(s string) bool {
	if s == "" || isFilledIn(s) {
		return true
	}
	return repeatsOne(s) || containsAny(s, "xxxxx", "XXXXX") || strings.HasPrefix(strings.ToLower(s), "your")
}
