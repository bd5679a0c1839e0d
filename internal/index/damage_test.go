package index

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"recollect/internal/memory"
)

// bleve says on the standard logger which files it cannot read.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// fill makes an index of some segments in dir and closes it.
func fill(t testing.TB, dir string) {
	t.Helper()
	x, err := Open(dir, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	c := newCorpus(5)
	for i := range 3 {
		update(t, x, c.memories(i*400, 400), nil, []byte("mark"))
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
}

// change rewrites the files that match pattern below dir.
func change(t testing.TB, dir, pattern string, f func([]byte) []byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no file matches %s: %v", pattern, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(t *testing.T, dir, pattern string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("nothing matches %s: %v", pattern, err)
	}
	for _, name := range names {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
}

func empty([]byte) []byte         { return nil }
func half(b []byte) []byte        { return b[:len(b)/2] }
func flip(b []byte, from, to int) { xor(b[max(0, from):min(to, len(b))]) }
func xor(b []byte) {
	for i := range b {
		b[i] ^= 0xff
	}
}

func flipTail(b []byte) []byte  { flip(b, len(b)-60, len(b)); return b }
func flipPages(b []byte) []byte { flip(b, 2*4096, 7*4096); return b }

// Whatever has happened to the files, Open returns an index that works: an
// empty one, or for damage that bleve gets over, the full one.
func TestOpenDamaged(t *testing.T) {
	const full = 1200
	tests := []struct {
		name   string
		damage func(t *testing.T, dir string)
		docs   int
	}{
		{"none", func(*testing.T, string) {}, full},
		{"folder missing", func(t *testing.T, dir string) { remove(t, dir, "") }, 0},
		{"generation missing", func(t *testing.T, dir string) { remove(t, dir, "1") }, 0},
		{"generation is a file", func(t *testing.T, dir string) {
			remove(t, dir, "1")
			if err := os.WriteFile(filepath.Join(dir, "1"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, 0},
		{"store missing", func(t *testing.T, dir string) { remove(t, dir, "1/store") }, 0},
		{"bolt missing", func(t *testing.T, dir string) { remove(t, dir, "1/store/root.bolt") }, 0},
		{"bolt empty", func(t *testing.T, dir string) { change(t, dir, "1/store/root.bolt", empty) }, 0},
		{"bolt pages flipped", func(t *testing.T, dir string) { change(t, dir, "1/store/root.bolt", flipPages) }, 0},
		{"segments missing", func(t *testing.T, dir string) { remove(t, dir, "1/store/*.zap") }, 0},
		{"segments empty", func(t *testing.T, dir string) { change(t, dir, "1/store/*.zap", empty) }, 0},
		{"segments cut", func(t *testing.T, dir string) { change(t, dir, "1/store/*.zap", half) }, 0},
		{"segment footers flipped", func(t *testing.T, dir string) { change(t, dir, "1/store/*.zap", flipTail) }, 0},
		{"killed before the mapping was written", func(t *testing.T, dir string) {
			remove(t, dir, "1/store/root.bolt")
			remove(t, dir, "1/store/*.zap")
		}, 0},
		{"a leftover of an older generation", func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, "1"), filepath.Join(dir, "8")); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(dir, "3", "store"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, full},
		{"totals that do not add up", func(t *testing.T, dir string) { setInternal(t, dir, totalsKey, totals{7, 7}.encode()) }, 0},
		{"totals of another size", func(t *testing.T, dir string) { setInternal(t, dir, totalsKey, []byte("7")) }, 0},
		{"another format", func(t *testing.T, dir string) { setInternal(t, dir, formatKey, []byte("0")) }, 0},
	}
	pristine := t.TempDir()
	fill(t, pristine)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "index")
			if err := os.CopyFS(dir, os.DirFS(pristine)); err != nil {
				t.Fatal(err)
			}
			tt.damage(t, dir)
			x := openTest(t, dir)
			if x.Len() != tt.docs || (x.Watermark() == nil) != (tt.docs == 0) {
				t.Errorf("Len() = %d, watermark %q; want %d documents", x.Len(), x.Watermark(), tt.docs)
			}
			update(t, x, []memory.Memory{note("note-new", "", "unmistakable")}, nil, []byte("new"))
			hits, err := x.Search(t.Context(), Query{Terms: []Term{{"unmistak", 1}}}, 5)
			if err != nil || len(hits) != 1 {
				t.Errorf("Search = %v, error %v; want the new memory", hits, err)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("the folder holds %v, want one generation", entries)
			}
		})
	}
}

// setInternal writes a value beside the documents of the index in dir.
func setInternal(t *testing.T, dir string, key, value []byte) {
	t.Helper()
	batch := bleveindex.NewBatch()
	batch.SetInternal(key, value)
	apply(t, dir, batch)
}

// apply writes a batch to the index in dir behind the back of an Index.
func apply(t *testing.T, dir string, batch *bleveindex.Batch) {
	t.Helper()
	g := (&folder{dir: dir}).newGeneration(1)
	if err := g.start(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(g.apply(batch), g.close()); err != nil {
		t.Fatal(err)
	}
}

// A foreign index has documents, but not our totals.
func TestOpenForeign(t *testing.T) {
	dir := t.TempDir()
	batch := bleveindex.NewBatch()
	batch.Update(document.NewDocument("a"))
	apply(t, dir, batch)
	if x := openTest(t, dir); x.Len() != 0 {
		t.Errorf("Len() = %d, want 0", x.Len())
	}
}

// An index whose folder cannot be used works in memory, until there is room again.
func TestInMemory(t *testing.T) {
	tests := []struct {
		name string
		dir  func(t *testing.T, dir string) (path string, free func())
	}{
		{"the folder is a file", func(t *testing.T, dir string) (string, func()) {
			name := filepath.Join(dir, "index")
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return name, func() { os.Remove(name) }
		}},
		{"no permission", func(t *testing.T, dir string) (string, func()) {
			if os.Geteuid() <= 0 { // root may do everything; -1 is Windows
				t.Skip("permissions do not bind this user")
			}
			if err := os.Chmod(dir, 0o500); err != nil {
				t.Fatal(err)
			}
			free := func() { os.Chmod(dir, 0o700) }
			t.Cleanup(free)
			return dir, free
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, free := tt.dir(t, t.TempDir())
			x := openTest(t, dir)
			if x.InMemory() == nil {
				t.Fatal("InMemory() = nil, want why")
			}
			update(t, x, []memory.Memory{note("note-a", "", "apple"), note("note-b", "", "apple")}, nil, []byte("one"))
			update(t, x, nil, []string{"note-b"}, []byte("two"))
			hits, err := x.Search(t.Context(), Query{Terms: []Term{{"appl", 1}}}, 5)
			if err != nil || len(hits) != 1 || string(x.Watermark()) != "two" {
				t.Errorf("Search = %v, error %v, Watermark() = %q; want 1 hit and two", hits, err, x.Watermark())
			}
			if err := x.Purge(t.Context(), note("note-a", "", "apple")); err != nil || x.Stale() {
				t.Errorf("Purge() = %v, Stale() = %t, want nothing to purge", err, x.Stale())
			}
			free()
			if err := x.Reset(); err != nil || x.InMemory() != nil {
				t.Errorf("Reset() = %v, InMemory() = %v, want it on disk", err, x.InMemory())
			}
			if err := x.ResetInMemory(errors.New("made up")); err != nil || x.InMemory() == nil {
				t.Errorf("ResetInMemory() = %v, InMemory() = %v, want it there", err, x.InMemory())
			}
			if generations, err := x.numbers(); err != nil || len(generations) != 0 {
				t.Errorf("generations on disk = %v, %v, want none", generations, err)
			}
		})
	}
}

func TestOpenElsewhere(t *testing.T) {
	dir := t.TempDir()
	openTest(t, dir)
	x, err := Open(dir, nil, slog.New(slog.DiscardHandler))
	if err == nil {
		t.Error("Open: no error", x.Close())
	} else if !strings.Contains(err.Error(), dir) {
		t.Errorf("error %q does not name the folder", err)
	}
}

// Damage found while the index is in use reaches its owner, who resets it.
func TestBroken(t *testing.T) {
	tests := []struct {
		name   string
		damage func(x *Index)
		want   string
	}{
		{"a search that panics", func(x *Index) {
			_ = x.read(context.Background(), func(*generation, *scorch.IndexSnapshot) error {
				var none []int
				_ = none[len(x.dir)]
				return nil
			})
		}, "panic"},
		{"a search that fails", func(x *Index) {
			_ = x.read(context.Background(), func(*generation, *scorch.IndexSnapshot) error { return io.ErrUnexpectedEOF })
		}, "unexpected EOF"},
		{"a goroutine of bleve's that panics", func(x *Index) {
			scorch.RegistryAsyncErrorCallbacks[callbackName](
				scorch.NewScorchError("merger", "made up", scorch.ErrAsyncPanic), filepath.Join(x.current.dir, "store"))
		}, "made up"},
		{"damage found before it was in use", func(x *Index) {
			g := x.current
			x.current = nil
			x.reportDamage(g, errors.New("made up"))
			x.setCurrent(g)
		}, "made up"},
		{"old files that stay", func(x *Index) {
			scorch.RegistryAsyncErrorCallbacks[callbackName](
				scorch.NewScorchError("purger", "made up", scorch.ErrCleanup), filepath.Join(x.current.dir, "store"))
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := openTest(t, t.TempDir())
			update(t, x, []memory.Memory{note("note-a", "", "apple")}, nil, []byte("one"))
			tt.damage(x)
			tt.damage(x)
			got := ""
			select {
			case err := <-x.Broken():
				got = err.Error()
			default:
			}
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("Broken() gives %q, want %q", got, tt.want)
			}
			if hits, err := x.Search(t.Context(), Query{Terms: []Term{{"appl", 1}}}, 5); err != nil || len(hits) != 1 {
				t.Errorf("Search until then = %v, error %v; want 1 hit", hits, err)
			}
			if err := x.Reset(); err != nil {
				t.Fatal(err)
			}
			update(t, x, []memory.Memory{note("note-b", "", "apple")}, nil, []byte("two"))
		})
	}
}

// A stuck index never finishes a batch, as when bleve's own goroutine has died.
type stuck struct {
	bleveindex.Index
	entered, release chan struct{}
}

func (s stuck) Batch(*bleveindex.Batch) error {
	close(s.entered)
	<-s.release
	return nil
}

func TestUpdateEndsWhenDamaged(t *testing.T) {
	x := openTest(t, t.TempDir())
	s := stuck{x.current.idx, make(chan struct{}), make(chan struct{})}
	defer close(s.release)
	x.current.idx = s
	result := make(chan error)
	go func() { result <- x.Update(nil, nil, []byte("one")) }()
	<-s.entered
	x.reportDamage(x.current, io.ErrUnexpectedEOF)
	if err := <-result; !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Update: error %v, want %v", err, io.ErrUnexpectedEOF)
	}
	if x.Watermark() != nil {
		t.Errorf("Watermark() = %q, want nil", x.Watermark())
	}
}

// Bytes that rot in the middle of a segment pass unnoticed or show as errors.
// Neither may end the process, hang, or keep Reset from working.
func TestFlippedBytes(t *testing.T) {
	pristine := t.TempDir()
	fill(t, pristine)
	for seed := range 6 {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(pristine)); err != nil {
			t.Fatal(err)
		}
		c := newCorpus(uint64(seed))
		change(t, dir, "1/store/*.zap", func(b []byte) []byte {
			for range 60 {
				at := c.rand.IntN(len(b))
				flip(b, at, at+1)
			}
			return bytes.Clone(b)
		})
		x := openTest(t, dir)
		for range 20 {
			_, _ = x.Search(t.Context(), Query{Terms: c.query(6)}, 20)
			_ = x.Update(c.memories(c.rand.IntN(1200), 5), nil, nil)
		}
		if err := x.Reset(); err != nil {
			t.Fatal(err)
		}
		update(t, x, c.memories(0, 5), nil, nil)
		if x.Len() != 5 {
			t.Errorf("seed %d: Len() = %d, want 5", seed, x.Len())
		}
	}
}

func TestWithin(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	tests := []struct {
		name  string
		limit time.Duration
		f     func() error
		want  string
	}{
		{"fine", time.Minute, func() error { return nil }, ""},
		{"error", time.Minute, func() error { return io.EOF }, "EOF"},
		{"panic", time.Minute, func() error { panic("ouch") }, "panic: ouch"},
		{"hang", time.Millisecond, func() error { <-hang; return nil }, errTimeout.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := within(tt.limit, tt.f); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("within = %q, want %q", got, tt.want)
			}
		})
	}
}
