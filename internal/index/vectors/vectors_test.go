package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// state is what can be seen of a file.
type state struct {
	Cosines map[string]float64 // with a vector that none is equal to
	Labels  map[string]Labels
	Mark    []byte
}

// roughly compares cosines with a tolerance that covers rounding.
var roughly = cmpopts.EquateApprox(0, 0.02)

func look(f *File) state {
	s := state{Cosines: map[string]float64{}, Labels: map[string]Labels{}, Mark: f.Watermark()}
	ids := f.IDs()
	for i, c := range f.Cosines(probe(f.dims), ids) {
		s.Cosines[ids[i]] = c
		s.Labels[ids[i]] = labelsOf(f, ids[i])
	}
	return s
}

func probe(dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(math.Sin(float64(3*i + 1)))
	}
	return v
}

// A file says what a map would say, whatever is done to it, and says it again
// when it is opened again.
func TestModel(t *testing.T) {
	const dims = 20
	dir, c, r := t.TempDir(), newCorpus(1, dims), rand.New(rand.NewPCG(5, 6))
	f := openTest(t, dir, dims)
	want := state{Cosines: map[string]float64{}, Labels: map[string]Labels{}}
	for step := range 400 {
		c.next = r.IntN(60)
		put := c.rows(r.IntN(5))
		for i := range put {
			put[i].Labels[1] = LabelOf(fmt.Sprint("step ", step))
		}
		deleted := []string{testID(r.IntN(60)), testID(r.IntN(60))}[:r.IntN(3)]
		var mark []byte
		if r.IntN(3) > 0 {
			mark = []byte{byte(step)}
			want.Mark = mark
		}
		for _, row := range put {
			want.Cosines[row.ID] = cosine(row.Vector, probe(dims))
			want.Labels[row.ID] = row.Labels
		}
		for _, id := range deleted {
			delete(want.Cosines, id)
			delete(want.Labels, id)
		}
		update(t, f, put, deleted, mark)
		switch r.IntN(20) {
		case 0:
			shut(t, f)
			f = openTest(t, dir, dims)
		case 1:
			if err := f.Compact(); err != nil {
				t.Fatal(err)
			}
		case 2:
			if err := remap(f); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, look(f), roughly); diff != "" {
			t.Fatalf("step %d, -want +got:\n%s", step, diff)
		}
		if got := f.Len(); got != len(want.Cosines) {
			t.Fatalf("step %d: Len() = %d, want %d", step, got, len(want.Cosines))
		}
	}
}

// remap does what an update does after megabytes.
func remap(f *File) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current.remap()
}

func TestUpdate(t *testing.T) {
	a, b := []float32{1, 0}, []float32{0, 1}
	tests := []struct {
		name    string
		put     []Row
		deleted []string
		want    map[string]float64 // cosines with a
	}{
		{"nothing", nil, nil, map[string]float64{"old": 1}},
		{"new", []Row{{ID: "new", Vector: b}}, nil, map[string]float64{"old": 1, "new": 0}},
		{"replaced", []Row{{ID: "old", Vector: b}}, nil, map[string]float64{"old": 0}},
		{"deleted", nil, []string{"old"}, map[string]float64{}},
		{"unknown deleted", nil, []string{"other"}, map[string]float64{"old": 1}},
		{"in both", []Row{{ID: "old", Vector: b}, {ID: "new", Vector: b}}, []string{"old", "new"}, map[string]float64{}},
		{"twice", []Row{{ID: "new", Vector: a}, {ID: "new", Vector: b}}, nil, map[string]float64{"old": 1, "new": 0}},
		{"zeros", []Row{{ID: "new", Vector: []float32{0, 0}}}, nil, map[string]float64{"old": 1, "new": 0}},
		{"not of length 1", []Row{{ID: "new", Vector: []float32{1e30, 1e30}}, {ID: "tiny", Vector: []float32{1e-30, 0}}}, nil, map[string]float64{"old": 1, "new": math.Sqrt(0.5), "tiny": 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := openTest(t, t.TempDir(), 2)
			update(t, f, []Row{{ID: "old", Vector: a}}, nil, nil)
			update(t, f, tt.put, tt.deleted, nil)
			ids := f.IDs()
			got := map[string]float64{}
			for i, c := range f.Cosines(a, ids) {
				got[ids[i]] = c
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
				t.Errorf("after Update(), -want +got:\n%s", diff)
			}
		})
	}
}

func TestUpdateRefuses(t *testing.T) {
	good := Row{ID: "good", Vector: []float32{1, 0}}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tests := []struct {
		name string
		row  Row
		want string
	}{
		{"no id", Row{ID: "", Vector: []float32{1, 0}}, `row "": no id`},
		{"no vector", Row{ID: "bad", Vector: nil}, `row "bad": 0 numbers, want 2`},
		{"too long", Row{ID: "bad", Vector: []float32{1, 0, 0}}, `row "bad": 3 numbers, want 2`},
		{"not a number", Row{ID: "bad", Vector: []float32{nan, 0}}, `row "bad": a number is NaN`},
		{"infinite", Row{ID: "bad", Vector: []float32{0, inf}}, `row "bad": a number is +Inf`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			f := openTest(t, dir, 2)
			update(t, f, []Row{{ID: "old", Vector: []float32{1, 0}}}, nil, []byte("before"))
			before := look(f)
			err := f.Update([]Row{good, tt.row}, []string{"old"}, []byte("after"))
			if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("Update() = %v, want %s", err, tt.want)
			}
			shut(t, f)
			if diff := cmp.Diff(before, look(openTest(t, dir, 2))); diff != "" {
				t.Errorf("after a refused Update(), -before +after:\n%s", diff)
			}
		})
	}
}

func TestWatermark(t *testing.T) {
	dir := t.TempDir()
	f := openTest(t, dir, 2)
	steps := []struct {
		name       string
		give, want []byte
	}{
		{"none yet", nil, nil},
		{"moved", []byte("one"), []byte("one")},
		{"left", nil, []byte("one")},
		{"empty, which is not none", []byte{}, []byte{}},
	}
	for _, s := range steps {
		update(t, f, []Row{{ID: "id", Vector: []float32{1, 0}}}, nil, s.give)
		for range 2 { // the second time after it was opened again
			if got := f.Watermark(); !bytes.Equal(got, s.want) || (got == nil) != (s.want == nil) {
				t.Errorf("%s: Watermark() = %#v, want %#v", s.name, got, s.want)
			}
			shut(t, f)
			f = openTest(t, dir, 2)
		}
	}
}

func TestHas(t *testing.T) {
	f := openTest(t, t.TempDir(), 2)
	update(t, f, []Row{{ID: "one", Vector: []float32{1, 0}}}, nil, nil)
	if !f.has("one") || f.has("two") || f.has("") {
		t.Errorf("has(one, two, nothing) = %t, %t, %t, want true, false, false", f.has("one"), f.has("two"), f.has(""))
	}
	if got := f.Version(); got != "test 1" {
		t.Errorf("Version() = %q, want test 1", got)
	}
}

func TestClosed(t *testing.T) {
	f := openTest(t, t.TempDir(), 2)
	v := []float32{1, 0}
	update(t, f, []Row{{ID: "one", Vector: v}}, nil, []byte("mark"))
	shut(t, f)
	if _, err := f.Search(t.Context(), Query{Vector: v, Limit: 1}); !errors.Is(err, errClosed) {
		t.Errorf("Search() = %v, want %v", err, errClosed)
	}
	if err := f.Update(nil, nil, nil); !errors.Is(err, errClosed) {
		t.Errorf("Update() = %v, want %v", err, errClosed)
	}
	if err := f.Compact(); !errors.Is(err, errClosed) {
		t.Errorf("Compact() = %v, want %v", err, errClosed)
	}
	if f.Len() != 0 || f.has("one") || len(f.IDs()) != 0 || f.Watermark() != nil || !math.IsNaN(f.Cosines(v, []string{"one"})[0]) {
		t.Error("a closed file still has something")
	}
	if err := f.Close(); err != nil {
		t.Errorf("second Close() = %v", err)
	}
}

// What was deleted is nowhere in the folder after a compaction.
func TestCompactErases(t *testing.T) {
	dir, c := t.TempDir(), newCorpus(2, 32)
	f := openTest(t, dir, 32)
	rows := c.rows(10)
	update(t, f, rows, nil, []byte("mark"))
	row, _ := f.current.row(rows[3].ID)
	secret := slices.Clone(f.current.vector(row))
	update(t, f, nil, []string{rows[3].ID}, nil)
	want := look(f)
	if !inFolder(t, dir, secret) {
		t.Fatal("the vector is not in the folder although nothing was compacted")
	}
	if err := f.Compact(); err != nil {
		t.Fatal(err)
	}
	if inFolder(t, dir, secret) || inFolder(t, dir, []byte(rows[3].ID)) {
		t.Error("a deleted row is still in the folder after Compact()")
	}
	if diff := cmp.Diff(want, look(f)); diff != "" {
		t.Errorf("Compact(), -before +after:\n%s", diff)
	}
}

func inFolder(t *testing.T, dir string, what []byte) bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		b, err := os.ReadFile(dir + "/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(b, what)
	})
}

// Replacing the same rows again and again does not fill the disk.
func TestUpdateCompacts(t *testing.T) {
	dir, c := t.TempDir(), newCorpus(3, 128)
	f := openTest(t, dir, 128)
	for range 100 {
		c.next = 0
		update(t, f, c.rows(200), nil, []byte("mark"))
	}
	live := int64(200 * (128 + 4 + labelBytes + 16))
	if got, most := fileSize(t, f), live+minWaste+2*live; got > most {
		t.Errorf("file has %d bytes, want at most %d", got, most)
	}
	if f.Len() != 200 || string(f.Watermark()) != "mark" {
		t.Errorf("Len(), Watermark() = %d, %q, want 200, mark", f.Len(), f.Watermark())
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v, want one file", entries, err)
	}
}

func fileSize(t testing.TB, f *File) int64 {
	t.Helper()
	fi, err := os.Stat(f.current.path)
	if err != nil {
		t.Fatal(err)
	}
	return fi.Size()
}

// Searches continue while rows are added and deleted and the file is replaced
// and mapped again, and see each batch completely or not at all.
func TestSearchWhileUpdated(t *testing.T) {
	const dims, batch = 64, 50
	f, c := openTest(t, t.TempDir(), dims), newCorpus(4, dims)
	update(t, f, c.rows(batch), nil, nil)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				found, err := f.Search(t.Context(), Query{Vector: probe(dims), Limit: 10 * batch})
				if err != nil || len(found.Hits) != batch {
					t.Errorf("Search() = %d hits, %v, want %d", len(found.Hits), err, batch)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for round := range 60 {
		gone := f.IDs()
		update(t, f, c.rows(batch), gone, []byte("mark"))
		if round%9 == 0 {
			if err := f.Compact(); err != nil {
				t.Error(err)
			}
		}
		if round%4 == 0 {
			if err := remap(f); err != nil {
				t.Error(err)
			}
		}
	}
	close(done)
	wg.Wait()
}
