package looks

import (
	"math"
	"strings"

	"recollect/internal/memory/secret/chars"
)

// EntropyOf returns the Shannon entropy of the bytes of s, in bits a byte.
func EntropyOf(s string) float64 {
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

// IsPlaceholder reports whether s stands where a secret would: a variable
// ("$TOKEN", "${{ secrets.X }}", "{{key}}", "%TOKEN%", "<token>"), one
// character again and again, or words that say so ("your-api-key").
func IsPlaceholder(s string) bool {
	if s == "" || IsFilledIn(s) {
		return true
	}
	return chars.RepeatsOne(s) || chars.ContainsAny(s, "xxxxx", "XXXXX") || strings.HasPrefix(strings.ToLower(s), "your")
}
