package index

import (
	"os"
	"path/filepath"
	"testing"
)

// A segment with any bytes in it is searched and changed without a panic or a
// hang, and an index that was reset works again.
func FuzzSegments(f *testing.F) {
	pristine := f.TempDir()
	fill(f, pristine)
	f.Add(uint32(0), []byte("\xff"))
	f.Add(uint32(100), []byte("\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add(uint32(1<<31), []byte("\x01\x80"))
	f.Fuzz(func(t *testing.T, at uint32, bytes []byte) {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(pristine)); err != nil {
			t.Fatal(err)
		}
		change(t, dir, filepath.Join("1", "store", "*.zap"), func(b []byte) []byte {
			copy(b[int(at)%len(b):], bytes)
			return b
		})
		c := newCorpus(uint64(at))
		x := openTest(t, dir)
		for range 5 {
			_, _ = x.Search(t.Context(), Query{Terms: c.query(6)}, 20)
			_ = x.Update(c.memories(c.rand.IntN(1200), 5), nil, nil)
		}
		if err := x.Reset(); err != nil {
			t.Fatal(err)
		}
		update(t, x, c.memories(0, 5), nil, nil)
		if x.Len() != 5 {
			t.Errorf("Len() = %d, want 5", x.Len())
		}
	})
}
