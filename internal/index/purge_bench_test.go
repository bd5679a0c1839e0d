package index

import (
	"testing"
)

// BenchmarkPurge forgets one memory and has its words removed from the files:
// what the index costs whoever forgets.
func BenchmarkPurge(b *testing.B) {
	for _, size := range sizes[:3] {
		b.Run(size.name, func(b *testing.B) {
			x, c := benchIndex(b, size.docs), newCorpus(2)
			some := c.memories(0, 1)[0]
			next := size.docs
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				gone := c.memories(next, 1)
				next++
				update(b, x, gone, nil, nil)
				update(b, x, nil, []string{gone[0].ID}, nil)
				b.StartTimer()
				if err := x.Purge(b.Context(), some); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
