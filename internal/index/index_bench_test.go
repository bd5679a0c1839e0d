package index

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"
)

var sizes = []struct {
	name string
	docs int
}{{"1k", 1_000}, {"10k", 10_000}, {"100k", 100_000}}

// benchIndex fills an index as a rebuild does, in large batches.
func benchIndex(b *testing.B, docs int) *Index {
	b.Helper()
	x, c := openTest(b, b.TempDir()), newCorpus(1)
	for first := 0; first < docs; first += 2000 {
		update(b, x, c.memories(first, min(2000, docs-first)), nil, nil)
	}
	return x
}

// BenchmarkSearch looks for the 8 words of a prompt, drawn as often as they
// are used, and reports the median and the 95th percentile beside the mean.
func BenchmarkSearch(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			x, c := benchIndex(b, size.docs), newCorpus(2)
			queries := make([][]Term, 256)
			for i := range queries {
				queries[i] = c.query(8)
			}
			var took []time.Duration
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				if _, err := x.Search(b.Context(), queries[len(took)%len(queries)], 50); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
		})
	}
}

// BenchmarkUpdate replaces memories of an index of 10,000.
func BenchmarkUpdate(b *testing.B) {
	x, c := benchIndex(b, 10_000), newCorpus(3)
	for _, n := range []int{1, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				update(b, x, c.memories(c.rand.IntN(10_000), n), nil, []byte("mark"))
			}
		})
	}
}

// BenchmarkFill builds an index from nothing.
func BenchmarkFill(b *testing.B) {
	for _, size := range sizes[:2] {
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchIndex(b, size.docs)
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, size := range sizes[:2] {
		b.Run(size.name, func(b *testing.B) {
			x := benchIndex(b, size.docs)
			if err := x.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				again, err := Open(x.dir, slog.New(slog.DiscardHandler))
				if err != nil {
					b.Fatal(err)
				}
				if err := again.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAnalyze(b *testing.B) {
	m := newCorpus(4).memory(2)
	text, _ := searchable(&m)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Analyze(text)
	}
}
