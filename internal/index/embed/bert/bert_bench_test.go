package bert_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"recollect/internal/index/embed/bert"
)

// miniLM has the sizes of all-MiniLM-L6-v2.
func miniLM() shape {
	s := shape{layers: 6, hidden: 384, heads: 12, intermediate: 1536, positions: 512}
	s.vocabulary = append(s.vocabulary, tiny.vocabulary...)
	for i := len(s.vocabulary); i < 30522; i++ {
		s.vocabulary = append(s.vocabulary, fmt.Sprintf("word%d", i))
	}
	return s
}

// A prompt of 12 words, a memory of 60 and a text that is cut at the last of
// 512 tokens; for one core, with -cpu 1. MB is what the loaded model takes on
// the heap.
func BenchmarkEmbed(b *testing.B) {
	dir := miniLM().newFolder(b)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m, err := bert.Load(dir)
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	for _, words := range []int{12, 60, 600} {
		text := strings.TrimSpace(strings.Repeat("the cat is on fire dog ", words/6))
		b.Run(fmt.Sprintf("%d words", words), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Embed(b.Context(), text); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
		})
	}
	runtime.KeepAlive(m)
}
