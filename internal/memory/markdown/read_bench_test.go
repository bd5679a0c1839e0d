package markdown

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// BenchmarkRead reads an export of a thousand memories.
func BenchmarkRead(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	var file bytes.Buffer
	for range 1000 {
		m := randomMemory(r)
		if err := m.Normalize(); err != nil {
			b.Fatal(err)
		}
		if err := Write(&file, m); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(file.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if ms, err := read(bytes.NewReader(file.Bytes()), "all.md"); err != nil || len(ms) != 1000 {
			b.Fatal(len(ms), err)
		}
	}
}
