//go:build unix

package index

import (
	"os"
	"path/filepath"
	"testing"
)

// bleve's own goroutines read a mapped file that may be cut meanwhile. A fault
// there would end the process.
func TestFaultInTheBackground(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir)
	x := openTest(t, dir)
	update(t, x, newCorpus(2).memories(5000, 5), nil, nil) // they are at work
	if err := os.Truncate(filepath.Join(dir, "1", "store", "root.bolt"), 4096); err != nil {
		t.Fatal(err)
	}
	c := newCorpus(1)
	for i := range 3 {
		_ = x.Update(c.memories(2000+i*5, 5), nil, nil)
		_, _ = x.Search(t.Context(), Query{Terms: c.query(6)}, 20)
	}
	if err := x.Reset(); err != nil {
		t.Fatal(err)
	}
	update(t, x, c.memories(0, 5), nil, nil)
	if x.Len() != 5 {
		t.Errorf("Len() = %d, want 5", x.Len())
	}
}
