package builtin

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestWordsOf(t *testing.T) {
	m, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"The deadlock in the retry: Deadlock!", 9, "deadlock retry"},
		{"The deadlock in the retry", 1, "deadlock"},
		{"port 8080 of xqvblorptk v2 in k8s", 9, "port"},
		{"parseHeader", 9, "parse header"},
		{"", 9, ""},
		{"\xff\x00", 9, ""},
		{"deadlock", 0, ""},
	} {
		var got []string
		for _, w := range m.WordsOf(tt.text, tt.limit) {
			got = append(got, string(m.vocab.Word(int(w))))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("WordsOf(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
		}
	}
}

// The cosines are those of the vectors that the model gives the words.
func TestCosines(t *testing.T) {
	m, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	words, others := m.WordsOf("deadlock retry certificate", 9), m.WordsOf("mutex certificate expired", 9)
	c := m.NewComparison(words)
	for range 2 { // what was compared before leaves nothing behind
		c.With(m.WordsOf("some other words than these, and more of them", 9))
		c.With(others)
		for i, w := range words {
			got := make([]float64, len(others))
			c.Cosines(got, i)
			for k, o := range others {
				want := product(embed(m, string(m.vocab.Word(int(w)))), embed(m, string(m.vocab.Word(int(o)))))
				if math.Abs(got[k]-want) > 1e-5 {
					t.Errorf("cosine of %s and %s = %v, want %v", m.vocab.Word(int(w)), m.vocab.Word(int(o)), got[k], want)
				}
			}
		}
	}
}

// Rows of any size that a model may have, and rows of zeros.
func TestCosinesOfSmallRows(t *testing.T) {
	for _, dims := range []int{16, 32, 48} {
		rows := make([]float32, 4*dims)
		for i := range rows[dims : 3*dims] {
			rows[dims+i] = float32(i%7 - 3)
		}
		m, err := Parse(Encode([]string{"none", "one", "two"}, 1, dims, rows))
		if err != nil {
			t.Fatal(err)
		}
		c := m.NewComparison([]Word{0, 1})
		c.With([]Word{1, 2, 0})
		for word, want := range [][]float64{{0, 0, 0}, {1, product(embed(m, "one"), embed(m, "two")), 0}} {
			got := make([]float64, 3)
			c.Cosines(got, word)
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-5 {
					t.Errorf("%d dimensions: cosines of word %d: %v, want %v", dims, word, got, want)
				}
			}
		}
	}
}

func BenchmarkCosines(b *testing.B) {
	m, err := Load()
	if err != nil {
		b.Fatal(err)
	}
	c := m.NewComparison(m.WordsOf(prose, 8))
	for _, n := range []int{8, 64} {
		others := m.WordsOf(strings.Repeat(prose, 2)+"many more words that nobody has said before about queues, locks, caches and certificates", n)
		b.Run(fmt.Sprintf("8 with %d", len(others)), func(b *testing.B) {
			out := make([]float64, len(others))
			for b.Loop() {
				c.With(others)
				for word := range 8 {
					c.Cosines(out, word)
				}
			}
		})
	}
	b.Run("words", func(b *testing.B) {
		for b.Loop() {
			m.WordsOf(prose, 64)
		}
	})
}
