package embedding

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCounterReadsAllTexts(t *testing.T) {
	c := newCounter()
	c.record(&record{Kind: "commit", Repo: "not/counted", Subject: "one", Other: "two", Headings: []string{"three", "four"}, Body: []string{"five", "six"}})
	words, _ := c.top(10)
	slices.Sort(words)
	if diff := cmp.Diff([]string{"five", "four", "one", "six", "three", "two"}, words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
}

func TestTop(t *testing.T) {
	c := newCounter()
	c.text("b c b a c B d")
	for _, tt := range []struct {
		n      int
		words  []string
		shares []float64
	}{
		{0, []string{}, nil},
		{1, []string{"b"}, []float64{3.0 / 7}},
		{3, []string{"b", "c", "a"}, []float64{3.0 / 7, 2.0 / 7, 1.0 / 7}}, // a before d
		{9, []string{"b", "c", "a", "d"}, []float64{3.0 / 7, 2.0 / 7, 1.0 / 7, 1.0 / 7}},
	} {
		words, shares := c.top(tt.n)
		if !slices.Equal(words, tt.words) || len(shares) != len(tt.shares) {
			t.Errorf("top(%d) = %v, %v, want %v, %v", tt.n, words, shares, tt.words, tt.shares)
			continue
		}
		for i, want := range tt.shares {
			if math.Abs(shares[i]-want) > 1e-9 {
				t.Errorf("top(%d): share of %s is %v, want %v", tt.n, words[i], shares[i], want)
			}
		}
	}
}

func TestCompoundsCountLess(t *testing.T) {
	c := newCounter()
	for range 17 {
		c.text("JavaScript")
	}
	c.text("rare rare rare plain")
	words, shares := c.top(4)
	if diff := cmp.Diff([]string{"java", "script", "rare", "javascript"}, words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	if want := 17.0 / 38; shares[0] != want {
		t.Errorf("share %v, want %v", shares[0], want)
	}
}
