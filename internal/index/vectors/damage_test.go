package vectors

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const damageDims = 3

// history makes a file in dir by some updates and returns it, its path, and
// what it said after each.
func history(t *testing.T, dir string) (file []byte, path string, states []state) {
	t.Helper()
	f := openTest(t, dir, damageDims)
	c := newCorpus(21, damageDims)
	for i, deleted := range [][]string{nil, nil, {testID(1), testID(2)}, nil} {
		update(t, f, c.rows(2), deleted, fmt.Appendf(nil, "mark %d", i))
		states = append(states, look(f))
	}
	path = f.current.path
	shut(t, f)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file, path, states
}

// reopen opens dir once its only file, at path, has become file, checks that
// it can be updated and opened again, and returns what it said first.
func reopen(t *testing.T, path string, file []byte) state {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), file, 0o600); err != nil {
		t.Fatal(err)
	}
	f := openTest(t, dir, damageDims)
	found := look(f)
	update(t, f, []Row{{ID: "after", Vector: []float32{1, 2, 3}}}, nil, []byte("after"))
	want := look(f)
	shut(t, f)
	f = openTest(t, dir, damageDims)
	if diff := cmp.Diff(want, look(f)); diff != "" {
		t.Errorf("opened again after damage and an update, -before +after:\n%s", diff)
	}
	shut(t, f)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v, want one file", entries, err)
	}
	return found
}

// A file cut anywhere is as it was after the last batch that is whole.
func TestOpenCut(t *testing.T) {
	file, path, states := history(t, t.TempDir())
	empty := state{Cosines: map[string]float64{}, Labels: map[string]Labels{}}
	last := -1
	for size := 0; size <= len(file); size += 4 {
		got := reopen(t, path, file[:size])
		at := slices.IndexFunc(states, func(s state) bool { return cmp.Equal(s, got) })
		if at < 0 && !cmp.Equal(empty, got) || at < last {
			t.Fatalf("%d of %d bytes: found %v, which it never was, or less than shorter ones had", size, len(file), got)
		}
		last = at
	}
	if last != len(states)-1 {
		t.Errorf("the whole file says what it said after update %d, want %d", last, len(states)-1)
	}
}

// A flipped bit is noticed: what is found is what the file once said.
func TestOpenFlipped(t *testing.T) {
	file, path, states := history(t, t.TempDir())
	states = append(states, state{Cosines: map[string]float64{}, Labels: map[string]Labels{}})
	for at := range file {
		if at%3 != 0 { // every field is longer
			continue
		}
		damaged := bytes.Clone(file)
		damaged[at] ^= 1 << (at % 8)
		got := reopen(t, path, damaged)
		if i := slices.IndexFunc(states, func(s state) bool { return cmp.Equal(s, got) }); i < 0 || i == len(states)-2 {
			t.Fatalf("bit of byte %d flipped: found %v, want an earlier state", at, got)
		}
	}
}

// A file that lost its watermark may lack deletions, so nothing of it is used.
func TestOpenCutWithoutWatermark(t *testing.T) {
	dir, c := t.TempDir(), newCorpus(22, damageDims)
	f := openTest(t, dir, damageDims)
	update(t, f, c.rows(2*compactRows), nil, []byte("mark"))
	if err := f.Compact(); err != nil {
		t.Fatal(err)
	}
	path := f.current.path
	shut(t, f)
	if err := os.Truncate(path, 3*compactRows*align/2); err != nil {
		t.Fatal(err)
	}
	if f = openTest(t, dir, damageDims); f.Len() != 0 || f.Watermark() != nil {
		t.Errorf("Len(), Watermark() = %d, %q, want nothing", f.Len(), f.Watermark())
	}
}

func TestOpenOther(t *testing.T) {
	tests := []struct {
		name    string
		version string
		dims    int
		change  func(path string) error
		want    int // rows
	}{
		{"same", "test 1", damageDims, nil, 6},
		{"other version", "test 2", damageDims, nil, 0},
		{"longer version", "test 10", damageDims, nil, 0},
		{"other dimensions", "test 1", damageDims + 1, nil, 0},
		{"other dimensions, other size of a row", "test 1", 300, nil, 0},
		{"empty", "test 1", damageDims, func(path string) error { return os.WriteFile(path, nil, 0o600) }, 0},
		{"something else", "test 1", damageDims, func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("text\n"), 999), 0o600) }, 0},
		{"zeros", "test 1", damageDims, func(path string) error { return os.WriteFile(path, make([]byte, 4096), 0o600) }, 0},
		{"older format", "test 1", damageDims, olderFormat, 0},
		{"gone", "test 1", damageDims, os.Remove, 0},
		{"half written next one", "test 1", damageDims, func(path string) error {
			return os.WriteFile(filepath.Join(filepath.Dir(path), "2"+suffix+newSuffix), []byte("half"), 0o600)
		}, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			_, path, _ := history(t, dir)
			if tt.change != nil {
				if err := tt.change(path); err != nil {
					t.Fatal(err)
				}
			}
			f, err := Open(dir, tt.version, tt.dims, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			defer shut(t, f)
			if f.Len() != tt.want || (f.Watermark() == nil) != (tt.want == 0) {
				t.Errorf("Len(), Watermark() = %d, %q, want %d rows", f.Len(), f.Watermark(), tt.want)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
				t.Errorf("the folder has %v, %v, want one file", entries, err)
			}
		})
	}
}

// olderFormat makes the file at path say that it is of the format before.
func olderFormat(path string) error {
	file, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file[len(magic)-1]--
	return os.WriteFile(path, file, 0o600)
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, dir string
		dims      int
		want      string
	}{
		{"no dimensions", t.TempDir(), 0, "0 dimensions, want 1 to 4096"},
		{"too many", t.TempDir(), 4097, "4097 dimensions, want 1 to 4096"},
		{"a file", file, 3, "mkdir"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if f, err := Open(tt.dir, "test 1", tt.dims, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Open() = %v, %v, want %s", f, err, tt.want)
			}
		})
	}
}

// When another process truncates an open file, an empty one replaces it.
func TestSearchAfterCut(t *testing.T) {
	uses := []struct {
		name string
		use  func(t *testing.T, f *File)
	}{
		{"search", func(t *testing.T, f *File) {
			if found, err := f.Search(t.Context(), Query{Vector: probe(64), Limit: 1}); err == nil {
				t.Errorf("Search() = %v, want an error", found)
			}
		}},
		{"cosines", func(_ *testing.T, f *File) { f.Cosines(probe(64), []string{testID(999)}) }},
	}
	for _, tt := range uses {
		t.Run(tt.name, func(t *testing.T) {
			f, c := openTest(t, t.TempDir(), 64), newCorpus(23, 64)
			update(t, f, c.rows(1000), nil, []byte("mark"))
			if err := remap(f); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(f.current.path, 100); err != nil {
				t.Skip("this system cuts no mapped file:", err)
			}
			tt.use(t, f)
			if f.Len() != 0 || f.Watermark() != nil {
				t.Errorf("Len(), Watermark() = %d, %q after damage, want nothing", f.Len(), f.Watermark())
			}
			update(t, f, c.rows(1), nil, nil)
			if hits := search(t, f, probe(64), 5, nil); len(hits) != 1 {
				t.Errorf("Search() = %v after damage and an update, want one", hits)
			}
		})
	}
}

// Whatever the bytes, decoding them ends without a panic, and what it takes is
// what encoding gives.
func FuzzDecode(f *testing.F) {
	b := &batch{vectors: make([]byte, 2*align), inverse: []float32{1, 2}, ids: []string{"a", "b"}, deleted: []string{"c"}, mark: []byte("mark")}
	b.encode()
	f.Add(b.raw)
	f.Add(make([]byte, align))
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := decode(file, align)
		if err != nil {
			return
		}
		raw := got.raw
		if got.encode(); !bytes.Equal(raw, got.raw) {
			t.Errorf("decoded and encoded again, -before +after:\n%s", cmp.Diff(raw, got.raw))
		}
	})
}
