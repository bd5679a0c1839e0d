package index

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func TestUpdate(t *testing.T) {
	a, b, a2 := note("note-a", "", "apple"), note("note-b", "", "plum"), note("note-a", "", "cherry")
	tests := []struct {
		name    string
		put     []memory.Memory
		deleted []string
		want    []string
		apples  int
	}{
		{"nothing", nil, nil, []string{"note-z"}, 0},
		{"add", []memory.Memory{a, b}, nil, []string{"note-a", "note-b", "note-z"}, 1},
		{"the last of one id counts", []memory.Memory{a, a2}, nil, []string{"note-a", "note-z"}, 0},
		{"delete", nil, []string{"note-z"}, nil, 0},
		{"delete what is not there", nil, []string{"note-y", ""}, []string{"note-z"}, 0},
		{"deleting wins", []memory.Memory{a, b}, []string{"note-a"}, []string{"note-b", "note-z"}, 0},
		{"replace", []memory.Memory{note("note-z", "", "apple")}, nil, []string{"note-z"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := openTest(t, t.TempDir())
			update(t, x, []memory.Memory{note("note-z", "", "zebra")}, nil, nil)
			update(t, x, tt.put, tt.deleted, nil)
			ids, err := x.IDs()
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(ids)
			if diff := cmp.Diff(tt.want, ids); diff != "" || x.Len() != len(tt.want) {
				t.Errorf("IDs (-want +got), Len %d:\n%s", x.Len(), diff)
			}
			if df, _, err := x.Frequencies([]string{"appl"}); err != nil || df[0] != tt.apples {
				t.Errorf("Frequencies(appl) = %v, error %v; want %d", df, err, tt.apples)
			}
		})
	}
}

func TestUpdateWithoutID(t *testing.T) {
	x := openTest(t, t.TempDir())
	if err := x.Update([]memory.Memory{note("", "", "apple")}, nil, []byte("1")); err == nil {
		t.Error("Update of a memory without id: no error")
	}
	if len(x.Broken()) != 0 || x.Watermark() != nil {
		t.Errorf("it left %d reports of damage and the watermark %q", len(x.Broken()), x.Watermark())
	}
}

func TestWatermark(t *testing.T) {
	dir := t.TempDir()
	steps := []struct {
		name      string
		put       []memory.Memory
		watermark []byte
		want      string
	}{
		{"a first fill that is not done", []memory.Memory{note("note-a", "", "apple")}, nil, ""},
		{"the fill done", []memory.Memory{note("note-b", "", "plum")}, []byte("one"), "one"},
		{"nothing new", nil, []byte("two"), "two"},
		{"a batch that leaves it", []memory.Memory{note("note-c", "", "fig")}, nil, "two"},
	}
	for i, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			x, err := Open(dir, nil, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			update(t, x, s.put, nil, s.watermark)
			before := x.Watermark()
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			again := openTest(t, dir)
			if string(before) != s.want || string(again.Watermark()) != s.want {
				t.Errorf("Watermark() = %q, reopened %q; want %q", before, again.Watermark(), s.want)
			}
			if (again.Watermark() == nil) != (s.want == "") {
				t.Errorf("Watermark() is nil: %t", again.Watermark() == nil)
			}
			if want := min(i+1, 2) + i/3; again.Len() != want {
				t.Errorf("Len() = %d, want %d", again.Len(), want)
			}
		})
	}
}

func TestReset(t *testing.T) {
	dir := t.TempDir()
	x := openTest(t, dir)
	update(t, x, []memory.Memory{note("note-a", "", "apple")}, nil, []byte("one"))
	x.reportDamage(x.current, errors.New("made up"))
	if err := x.Update(nil, nil, []byte("two")); err == nil {
		t.Error("Update of a damaged index: no error")
	}
	if err := x.Reset(); err != nil {
		t.Fatal(err)
	}
	if x.Len() != 0 || x.Watermark() != nil || len(x.Broken()) != 0 {
		t.Errorf("after Reset: Len %d, watermark %q, %d reports", x.Len(), x.Watermark(), len(x.Broken()))
	}
	update(t, x, []memory.Memory{note("note-b", "", "apple")}, nil, nil)
	hits, err := x.Search(t.Context(), Query{Terms: []Term{{"appl", 1}}}, 5)
	if err != nil || len(hits) != 1 || hits[0].ID != "note-b" {
		t.Errorf("Search after Reset: %v, error %v; want note-b", hits, err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the folder holds %v, want the new generation only", entries)
	}
}

func TestClosed(t *testing.T) {
	x := openTest(t, t.TempDir())
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	_, searchErr := x.Search(t.Context(), Query{Terms: []Term{{"a", 1}}}, 1)
	_, idsErr := x.IDs()
	_, _, dfErr := x.Frequencies([]string{"a"})
	for _, err := range []error{searchErr, idsErr, dfErr, x.Update(nil, nil, nil), x.Reset()} {
		if !errors.Is(err, errClosed) {
			t.Errorf("error %v, want %v", err, errClosed)
		}
	}
	if x.Len() != 0 || len(x.Broken()) != 0 {
		t.Errorf("Len() = %d, %d reports of damage; want none", x.Len(), len(x.Broken()))
	}
}

// Searches, updates and resets at once: for the race detector, and none of
// them may fail.
func TestConcurrent(t *testing.T) {
	x, c := openTest(t, t.TempDir()), newCorpus(3)
	update(t, x, c.memories(0, 300), nil, nil)
	var wg sync.WaitGroup
	defer wg.Wait()
	for i := range 3 {
		c := newCorpus(uint64(10 + i))
		wg.Go(func() {
			for range 60 {
				if _, err := x.Search(t.Context(), Query{Terms: c.query(5)}, 20); err != nil {
					t.Errorf("Search: %v", err)
				}
				if _, _, err := x.Frequencies([]string{c.word()}); err != nil {
					t.Errorf("Frequencies: %v", err)
				}
			}
		})
	}
	for i := range 20 {
		update(t, x, c.memories(i*13, 20), []string{fmt.Sprintf("note-%06d", i)}, []byte{byte(i)})
		if i%8 == 7 {
			if err := x.Reset(); err != nil {
				t.Error(err)
			}
		}
	}
}
