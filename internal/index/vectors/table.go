package vectors

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"recollect/internal/index/dot"
	"recollect/internal/memory/compactid"
)

const (
	// maxUnmapped is the largest number of bytes of batches held in memory before the file is mapped
	// again. Each new mapping costs the next search a page fault for every few pages of the file.
	maxUnmapped = 4 << 20

	// minWaste is the number of dead bytes below which a file is not compacted.
	minWaste = 256 << 10
)

// A table is the content of a file. The number of a row is its position among
// all rows ever written; a row that was replaced or deleted is dead.
type table struct {
	stride    int            // length of a row's vector in bytes, a multiple of align
	dims      int            // dimensions of a vector; the rest of a row is padding
	ids       compactid.List // ids of all rows; a dead row has none
	inverse   []float32      // 1 / length of each row; NaN for a dead one
	labels    []Labels       // labels of all rows
	blocks    []block        // in order of their rows
	watermark []byte
	batches   int64 // length of all batches in bytes
	liveBytes int64 // rough length after a compaction
	unmapped  int   // bytes in memory that are not yet mapped
}

// A block holds the vectors of one batch, one after another.
type block struct {
	first int   // number of its first row
	at    int64 // position of the vectors in the file
	data  []byte
}

// newTable returns a table with capacity for the rows of a file of size bytes with ids of the usual
// length.
func newTable(dims int, size int64) table {
	t := table{dims: dims, stride: aligned(dims)}
	rows := size / t.rowBytes("ep-0123456789ab")
	t.ids = compactid.NewList(int(rows))
	t.inverse = make([]float32, 0, rows)
	t.labels = make([]Labels, 0, rows)
	return t
}

// add adds a batch that begins at the offset at of the file.
func (t *table) add(b *batch, at int64) {
	for _, id := range b.deleted {
		t.kill(id)
	}
	first := t.ids.Len()
	for _, id := range b.ids {
		t.kill(id)
		t.ids.Append(id)
		t.liveBytes += t.rowBytes(id)
	}
	if len(b.ids) > 0 {
		t.inverse = append(t.inverse, b.inverse...)
		t.labels = append(t.labels, b.labels...)
		t.blocks = append(t.blocks, block{first: first, at: at + align, data: b.vectors})
	}
	if b.mark != nil {
		t.watermark = b.mark
	}
	t.batches += int64(len(b.raw))
}

// kill marks the row of id as dead, if there is one.
func (t *table) kill(id string) {
	if row, ok := t.ids.Find(id); ok {
		t.ids.Clear(row)
		t.inverse[row] = float32(math.NaN())
		t.liveBytes -= t.rowBytes(id)
	}
}

func (t *table) rowBytes(id string) int64 { return int64(t.stride + 4 + labelBytes + 1 + len(id)) }

// wasteful reports whether a compaction would remove a third of the file.
func (t *table) wasteful() bool {
	waste := t.batches - t.liveBytes
	return waste > minWaste && waste > t.batches/3
}

// rebind makes the blocks refer to mapped, the mapping of the whole file.
func (t *table) rebind(mapped []byte) {
	for i := range t.blocks {
		b := &t.blocks[i]
		b.data = mapped[b.at : b.at+int64(len(b.data))]
	}
}

// row returns the row of id, or false if there is none.
func (t *table) row(id string) (int32, bool) {
	at, ok := t.ids.Find(id)
	return int32(at), ok
}

// vector returns the bytes of a row.
func (t *table) vector(row int32) []byte {
	i := sort.Search(len(t.blocks), func(i int) bool { return t.blocks[i].first > int(row) }) - 1
	at := (int(row) - t.blocks[i].first) * t.stride
	return t.blocks[i].data[at : at+t.stride]
}

// live returns the numbers of the live rows, in order.
func (t *table) live() []int32 {
	rows := make([]int32, 0, t.ids.Count())
	for row := range t.ids.All() {
		rows = append(rows, int32(row))
	}
	return rows
}

// batchOf returns a batch with these live rows and the watermark.
func (t *table) batchOf(rows []int32, mark []byte) *batch {
	b := &batch{vectors: make([]byte, 0, len(rows)*t.stride)}
	for _, row := range rows {
		b.vectors = append(b.vectors, t.vector(row)...)
		b.inverse = append(b.inverse, t.inverse[row])
		b.labels = append(b.labels, t.labels[row])
		b.ids = append(b.ids, t.ids.At(int(row)))
	}
	b.mark = mark
	b.encode()
	return b
}

// batch returns the batch that an update must write, or nil if it changes nothing.
func (t *table) batch(put []Row, deleted []string, mark []byte) (*batch, error) {
	b := &batch{deleted: t.known(deleted), mark: slices.Clone(mark)}
	rows := latest(put, deleted)
	if len(rows) == 0 && len(b.deleted) == 0 && mark == nil {
		return nil, nil
	}
	b.vectors = make([]byte, 0, len(rows)*t.stride)
	numbers := make([]int8, t.stride)
	for _, r := range rows {
		inverse, err := t.quantize(numbers, r)
		if err != nil {
			return nil, fmt.Errorf("row %q: %w", r.ID, err)
		}
		for _, n := range numbers {
			b.vectors = append(b.vectors, byte(n))
		}
		b.inverse = append(b.inverse, inverse)
		b.labels = append(b.labels, r.Labels)
		b.ids = append(b.ids, r.ID)
	}
	b.encode()
	return b, nil
}

func (t *table) quantize(out []int8, r Row) (inverse float32, err error) {
	switch {
	case r.ID == "":
		return 0, errors.New("no id")
	case len(r.Vector) != t.dims:
		return 0, fmt.Errorf("%d numbers, want %d", len(r.Vector), t.dims)
	}
	clear(out)
	return dot.Quantize(out, r.Vector, dot.MaxRow)
}

// known returns those of ids that have a row.
func (t *table) known(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, ok := t.ids.Find(id)
		return !ok
	})
}

// latest returns the last row for each id that is not in deleted, in order.
func latest(put []Row, deleted []string) []Row {
	last := make(map[string]int, len(put))
	for i, r := range put {
		last[r.ID] = i
	}
	for _, id := range deleted {
		delete(last, id)
	}
	rows := make([]Row, 0, len(last))
	for i, r := range put {
		if at, ok := last[r.ID]; ok && at == i {
			rows = append(rows, r)
		}
	}
	return rows
}
