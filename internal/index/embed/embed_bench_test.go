package embed

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"recollect/internal/config"
)

// vocabulary is what the texts of the benchmarks are drawn from: words of a
// coding session, some identifiers, and some that no model knows.
var vocabulary = strings.Fields(`why does the daemon exit early when config.toml has no table for it and which of our tests
	covers parseSettings in internal/config/load.go we decided to halve recencyDecay after a week because old notes were told
	again write a table test first then fix the nil pointer look whether zstdReader and the WAL checkpoint have the same problem
	xqvblorp files from 2024 are read as before database migration failed on CI with exit status 1 retry later please`)

// words is a text of n words.
func words(rng *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = vocabulary[rng.IntN(len(vocabulary))]
	}
	return strings.Join(out, " ")
}

// memories are n texts of 300 characters, which is what an episode has.
func memories(n int) []string {
	rng := rand.New(rand.NewPCG(1, 1))
	out := make([]string, n)
	for i := range out {
		out[i] = words(rng, 150)[:300]
	}
	return out
}

func openBuiltin(b *testing.B) *Embedder {
	b.Helper()
	e, err := Open(config.Default().Embedder, quiet)
	if err != nil {
		b.Fatal(err)
	}
	return e
}

// A prompt and a memory with the model in the executable. 2000 words are more
// than is read of a text: see maxChars.
func BenchmarkText(b *testing.B) {
	e := openBuiltin(b)
	for _, n := range []int{8, 60, 2000} {
		prompt := words(rand.New(rand.NewPCG(1, 1)), n)
		b.Run(fmt.Sprintf("prompt of %d words", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.EmbedQuery(b.Context(), prompt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	memory := memories(1)
	b.Run("memory of 300 characters", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := e.EmbedDocuments(b.Context(), memory); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// All memories, as when the model has changed. The bytes are those of the
// vectors as float32; the time for a million is ten times that for 100,000.
func BenchmarkMemories(b *testing.B) {
	e := openBuiltin(b)
	for _, n := range []int{1_000, 10_000, 100_000} {
		texts := memories(n)
		b.Run(fmt.Sprintf("%dk", n/1000), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.EmbedDocuments(b.Context(), texts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/memory")
		})
	}
}
