package vectors

import (
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"testing"
)

// A corpus makes vectors as a model does: they crowd around topics, and a few
// directions matter more than the rest.
type corpus struct {
	rand   *rand.Rand
	dims   int
	topics [][]float32
	next   int
}

func newCorpus(seed uint64, dims int) *corpus {
	c := &corpus{rand: rand.New(rand.NewPCG(seed, 0)), dims: dims}
	for range 200 {
		c.topics = append(c.topics, c.noise())
	}
	return c
}

func (c *corpus) noise() []float32 {
	v := make([]float32, c.dims)
	for i := range v {
		v[i] = float32(c.rand.NormFloat64() / math.Sqrt(1+float64(i)/8))
	}
	return unit(v)
}

// vector returns a vector near one of the topics.
func (c *corpus) vector() []float32 {
	v, topic := c.noise(), c.topics[c.rand.IntN(len(c.topics))]
	for i := range v {
		v[i] = 0.6*v[i] + 0.8*topic[i]
	}
	return unit(v)
}

// rows returns the next n rows.
func (c *corpus) rows(n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Row{ID: testID(c.next), Vector: c.vector(), Labels: Labels{LabelOf(folderOf(c.next))}}
		c.next++
	}
	return rows
}

// folderOf is the label's text of a row: runs of rows have it in common, as
// the memories of a day at work have their project.
func folderOf(i int) string { return fmt.Sprint("/src/", i/100%20) }

func testID(i int) string { return fmt.Sprintf("ep-%012x", i) }

func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

// cosine is the definition.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func openTest(t testing.TB, dir string, dims int) *File {
	t.Helper()
	f, err := Open(dir, "test 1", dims, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, f) })
	return f
}

func shut(t testing.TB, f *File) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func update(t testing.TB, f *File, put []Row, deleted []string, watermark []byte) {
	t.Helper()
	if err := f.Update(put, deleted, watermark); err != nil {
		t.Fatal(err)
	}
}

func search(t testing.TB, f *File, vector []float32, limit int, admit func(string) bool) []Hit {
	t.Helper()
	found, err := f.Search(t.Context(), Query{Vector: vector, Limit: limit, Admit: admit})
	if err != nil {
		t.Fatal(err)
	}
	return found.Hits
}

// has reports whether the memory id has a vector.
func (f *File) has(id string) bool {
	var ok bool
	f.view(func(g *generation) { _, ok = g.row(id) })
	return ok
}

// labelsOf returns the labels of the row of id.
func labelsOf(f *File, id string) Labels {
	row, _ := f.current.row(id)
	return f.current.labels[row]
}
