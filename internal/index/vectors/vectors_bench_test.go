package vectors

import (
	"fmt"
	"log/slog"
	"runtime"
	"testing"
)

var sizes = []struct {
	name string
	rows int
}{{"1k", 1_000}, {"10k", 10_000}, {"100k", 100_000}, {"1M", 1_000_000}}

// benchFile fills a file as a rebuild does and opens it again, so that it is
// mapped whole. Its vectors are drawn from 1,000: no search is faster for it.
func benchFile(b *testing.B, rows, dims int) *File {
	b.Helper()
	dir, c := b.TempDir(), newCorpus(1, dims)
	f := openTest(b, dir, dims)
	some := c.rows(1000)
	for first := 0; first < rows; first += len(some) {
		for i := range some {
			some[i].ID = testID(first + i)
			some[i].Labels = Labels{LabelOf(folderOf(first + i)), LabelOf(fmt.Sprint(i % 100))}
		}
		update(b, f, some, nil, []byte("mark"))
	}
	shut(b, f)
	return openTest(b, dir, dims)
}

// BenchmarkSearch looks for the 50 nearest, and says how large the file is and
// what of it is in Go's memory.
func BenchmarkSearch(b *testing.B) {
	for _, size := range sizes {
		for _, dims := range []int{128, 256} {
			b.Run(fmt.Sprintf("%s×%d", size.name, dims), func(b *testing.B) {
				before := heapBytes()
				f, c := benchFile(b, size.rows, dims), newCorpus(2, dims)
				held := heapBytes() - before
				b.ReportAllocs()
				for b.Loop() {
					search(b, f, c.topics[c.rand.IntN(len(c.topics))], 50, nil)
				}
				b.ReportMetric(float64(fileSize(b, f))/1e6, "file-MB")
				b.ReportMetric(float64(held)/1e6, "heap-MB")
			})
		}
	}
}

// BenchmarkSearchLabel looks for the 50 nearest among a hundredth of 100,000
// rows, which lie apart, and a twentieth, which lie in runs of a hundred.
func BenchmarkSearchLabel(b *testing.B) {
	f, c := benchFile(b, 100_000, 256), newCorpus(2, 256)
	for _, text := range []string{"", "1", folderOf(0)} {
		b.Run("label="+text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.Search(b.Context(), Query{Vector: c.topics[c.rand.IntN(len(c.topics))], Label: LabelOf(text), Limit: 50}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkCosines compares a prompt with its candidates.
func BenchmarkCosines(b *testing.B) {
	f, c := benchFile(b, 100_000, 256), newCorpus(3, 256)
	ids := make([]string, 200)
	for i := range ids {
		ids[i] = testID(c.rand.IntN(100_000))
	}
	b.ReportAllocs()
	for b.Loop() {
		f.Cosines(c.topics[0], ids)
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			f := benchFile(b, size.rows, 256)
			shut(b, f)
			b.ReportAllocs()
			for b.Loop() {
				f, err := Open(f.dir, f.version, f.dims, slog.New(slog.DiscardHandler))
				if err != nil {
					b.Fatal(err)
				}
				shut(b, f)
			}
		})
	}
}

// BenchmarkUpdate replaces rows in a file of 100,000; each batch is synced.
func BenchmarkUpdate(b *testing.B) {
	f, c := benchFile(b, 100_000, 256), newCorpus(4, 256)
	for _, n := range []int{1, 1000} {
		rows := c.rows(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				first := c.rand.IntN(100_000 - n)
				for i := range rows {
					rows[i].ID = testID(first + i)
				}
				update(b, f, rows, nil, []byte("mark"))
			}
		})
	}
}

func BenchmarkCompact(b *testing.B) {
	f := benchFile(b, 100_000, 256)
	b.ReportAllocs()
	for b.Loop() {
		if err := f.Compact(); err != nil {
			b.Fatal(err)
		}
	}
}
