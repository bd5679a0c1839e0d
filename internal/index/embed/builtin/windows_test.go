package builtin

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// A window has the vector that the model gives its words.
func TestWindowsOf(t *testing.T) {
	m, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(strings.Repeat("deadlock retry certificate xqvblorptk mutex expired timezone cache queue invoice ", 9))
	for _, tt := range []struct {
		words, limit int
		want         [][2]int // from and to which word
	}{
		{0, 9, nil},
		{1, 9, nil},
		{32, 9, nil},
		{33, 9, [][2]int{{0, 32}, {16, 33}}},
		{48, 9, [][2]int{{0, 32}, {16, 48}}},
		{90, 9, [][2]int{{0, 32}, {16, 48}, {32, 64}, {48, 80}, {64, 90}}},
		{90, 2, [][2]int{{0, 32}, {16, 48}}},
		{90, 0, nil},
	} {
		text := strings.Join(words[:tt.words], " ")
		w := m.WindowsOf(text, tt.limit)
		if w.Len() != len(tt.want) {
			t.Errorf("%d windows of %d words, want %d", w.Len(), tt.words, len(tt.want))
			continue
		}
		var cosines []float64
		prompt := embed(m, "why the deadlock?")
		for _, at := range tt.want {
			cosines = append(cosines, product(prompt, embed(m, strings.Join(words[at[0]:at[1]], " "))))
		}
		q, err := NewQuery(prompt)
		if err != nil {
			t.Fatal(err)
		}
		best, mean := q.Nearest(&w)
		if len(cosines) == 0 {
			if best != 0 || mean != 0 {
				t.Errorf("no windows: %v, %v", best, mean)
			}
			continue
		}
		sum := 0.0
		for _, c := range cosines {
			sum += c
		}
		if want := slices.Max(cosines); math.Abs(best-want) > 0.01 {
			t.Errorf("%d words: best = %v, want %v", tt.words, best, want)
		}
		if want := sum / float64(len(cosines)); math.Abs(mean-want) > 0.01 {
			t.Errorf("%d words: mean = %v, want %v", tt.words, mean, want)
		}
	}
}

func TestNewQueryNotFinite(t *testing.T) {
	if _, err := NewQuery([]float32{1, float32(math.NaN())}); err == nil {
		t.Error("no error")
	}
}
