package index

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"
)

var million = flag.Bool("million", false, "search a million memories too; filling that index takes minutes")

var sizes = []struct {
	name string
	docs int
}{{"1k", 1_000}, {"10k", 10_000}, {"100k", 100_000}, {"1M", 1_000_000}}

// benchIndex fills an index as a rebuild does, in large batches.
func benchIndex(b *testing.B, docs int) *Index {
	b.Helper()
	x, c := openTest(b, b.TempDir()), newCorpus(1)
	for first := 0; first < docs; first += 2000 {
		update(b, x, c.memories(first, min(2000, docs-first)), nil, nil)
	}
	return x
}

// BenchmarkSearch answers prompts as recall does: it reads the terms of at
// most 200 words, counts them, and searches for the 12 rarest and their pairs.
// Words are drawn as often as they are used. Beside the mean it reports the
// median, the 95th percentile, and the first search, for which nothing was
// read yet.
func BenchmarkSearch(b *testing.B) {
	prompts := []struct {
		name  string
		words int
	}{{"8words", 8}, {"200words", 200}, {"2000words", 2000}}
	for _, size := range sizes {
		if size.docs > 100_000 && !*million {
			continue
		}
		b.Run(size.name, func(b *testing.B) {
			x := benchIndex(b, size.docs)
			for _, p := range prompts {
				b.Run(p.name, func(b *testing.B) { benchSearch(b, x, p.words) })
			}
		})
	}
}

func benchSearch(b *testing.B, x *Index, words int) {
	c := newCorpus(uint64(words))
	prompts := make([]string, 256)
	for i := range prompts {
		prompts[i] = c.text(words)
	}
	var took []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		if err := answer(b.Context(), x, prompts[len(took)%len(prompts)]); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	first := took[0]
	slices.Sort(took)
	b.ReportMetric(float64(first.Microseconds()), "first-µs")
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
}

// answer looks for what bears on a prompt.
func answer(ctx context.Context, x *Index, prompt string) error {
	tokens := Analyze(prompt)
	terms := termsOf(tokens[:min(len(tokens), 200)])
	slices.Sort(terms)
	terms = slices.Compact(terms)
	df, _, err := x.Frequencies(terms)
	if err != nil {
		return err
	}
	frequency := map[string]int{}
	for i, t := range terms {
		frequency[t] = df[i]
	}
	slices.SortFunc(terms, func(a, b string) int { return cmp.Compare(frequency[a], frequency[b]) })
	q := Query{Pairs: Pairs(tokens)}
	for _, t := range terms[:min(len(terms), 12)] {
		q.Terms = append(q.Terms, Term{t, 1})
	}
	_, err = x.Search(ctx, q, 100)
	return err
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
				again, err := Open(x.dir, nil, slog.New(slog.DiscardHandler))
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
