package builtin

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestGrams(t *testing.T) {
	const buckets = 1 << 30 // no two alike
	for _, tt := range []struct {
		word string
		want []string
	}{
		{"a", []string{"<a>"}},
		{"go", []string{"<go", "<go>", "go>"}},
		{"юля", []string{"<юл", "<юля", "<юля>", "юля", "юля>", "ля>"}},
	} {
		got := Grams(nil, []byte(tt.word), buckets)
		var want []uint32
		for _, g := range tt.want {
			want = append(want, hash([]byte(g))%buckets)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("Grams(%q) = %d, want %d, the hashes of %q", tt.word, got, want, tt.want)
		}
	}
}

// The buckets of a trained model mean what they were trained to mean only as
// long as these numbers stay.
func TestGramsAreStable(t *testing.T) {
	for _, tt := range []struct {
		word string
		want []uint32
	}{
		{"a", []uint32{4592}},
		{"go", []uint32{6177, 6349, 3375}},
		{"store", []uint32{2564, 1649, 5817, 3287, 1983, 7214, 8034, 6149, 1249, 3379, 2935, 7210}},
		{"提交", []uint32{2698, 6492, 7610}},
		{"ёж", []uint32{5267, 3159, 2069}},
	} {
		if got := Grams(nil, []byte(tt.word), 8192); !slices.Equal(got, tt.want) {
			t.Errorf("Grams(%q) = %d, want %d", tt.word, got, tt.want)
		}
	}
}

// The published test vectors of FNV-1a.
func TestHash(t *testing.T) {
	for text, want := range map[string]uint32{"": 0x811c9dc5, "a": 0xe40c292c, "foobar": 0xbf9cf968} {
		if got := hash([]byte(text)); got != want {
			t.Errorf("hash(%q) = %#x, want %#x", text, got, want)
		}
	}
}

func TestGramsAppend(t *testing.T) {
	got := Grams([]uint32{1, 2}, []byte("a"), 8192)
	if want := []uint32{1, 2, 4592}; !slices.Equal(got, want) {
		t.Errorf("Grams behind others = %d, want %d", got, want)
	}
}

// Embed keeps the n-grams of a word in an array of maxGrams.
func TestGramsOfTheLongestWord(t *testing.T) {
	got := Grams(nil, []byte(strings.Repeat("a", maxWord)), 8192)
	if want := 3*(maxWord+2) - 2 - 3 - 4; len(got) != want || len(got) > maxGrams {
		t.Errorf("%d n-grams, want %d, at most %d", len(got), want, maxGrams)
	}
}

func TestGramScale(t *testing.T) {
	for n, want := range map[int]float64{1: 1, 4: 0.5, 9: 1.0 / 3} {
		if got := float64(GramScale(n)); math.Abs(got-want) > 1e-6 {
			t.Errorf("GramScale(%d) = %v, want %v", n, got, want)
		}
	}
}
