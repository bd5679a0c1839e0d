package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"recollect/internal/memory"
)

// dictionary lists the terms of the text that lie in the files, whether or not
// a memory still has them.
func dictionary(t *testing.T, x *Index) []string {
	t.Helper()
	_, snap, err := x.snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	var terms []string
	for _, seg := range snap.Segments() {
		dict, err := seg.Segment().Dictionary(textField)
		if err != nil {
			t.Fatal(err)
		}
		it := dict.AutomatonIterator(nil, nil, nil)
		for e, err := it.Next(); e != nil; e, err = it.Next() {
			if err != nil {
				t.Fatal(err)
			}
			terms = append(terms, e.Term)
		}
	}
	return terms
}

func TestPurge(t *testing.T) {
	keep := note("note-keep", "", "apple")
	tests := []struct {
		name  string
		steps func(x *Index)
	}{
		{"deleted", func(x *Index) {
			update(t, x, []memory.Memory{keep, note("note-a", "", "zebra")}, nil, nil)
			update(t, x, nil, []string{"note-a"}, nil)
		}},
		{"a segment of its own", func(x *Index) {
			update(t, x, []memory.Memory{keep}, nil, nil)
			update(t, x, []memory.Memory{note("note-a", "", "zebra")}, nil, nil)
			update(t, x, nil, []string{"note-a"}, nil)
		}},
		{"replaced", func(x *Index) {
			update(t, x, []memory.Memory{keep, note("note-a", "", "zebra")}, nil, nil)
			update(t, x, []memory.Memory{note("note-a", "", "plum")}, nil, nil)
		}},
		{"among many", func(x *Index) {
			update(t, x, []memory.Memory{keep}, nil, nil)
			for i := range 30 {
				id := fmt.Sprintf("note-%d", i)
				update(t, x, []memory.Memory{note(id, "", "zebra"), note(id+"k", "", "pear")}, nil, nil)
				update(t, x, nil, []string{id}, nil)
			}
		}},
		{"twice", func(x *Index) {
			update(t, x, []memory.Memory{keep, note("note-a", "", "plum"), note("note-b", "", "zebra")}, nil, nil)
			update(t, x, nil, []string{"note-a"}, nil)
			if err := x.Purge(t.Context(), keep); err != nil {
				t.Fatal(err)
			}
			update(t, x, nil, []string{"note-b"}, nil)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			x := openTest(t, dir)
			tt.steps(x)
			want := x.Len()
			if !x.Stale() && !slices.Contains(dictionary(t, x), "zebra") {
				t.Fatal("there is nothing to purge")
			}
			if err := x.Purge(t.Context(), keep); err != nil {
				t.Fatal(err)
			}
			check := func() {
				t.Helper()
				if terms := dictionary(t, x); slices.Contains(terms, "zebra") || !slices.Contains(terms, "appl") {
					t.Errorf("terms %q after the purge", terms)
				}
				if x.Stale() || x.Len() != want {
					t.Errorf("stale %v, %d memories, want %d", x.Stale(), x.Len(), want)
				}
			}
			check()
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			x = openTest(t, dir)
			check()
		})
	}
}

// What was deleted is still to be purged after a restart.
func TestStaleAfterReopening(t *testing.T) {
	dir := t.TempDir()
	x := openTest(t, dir)
	update(t, x, []memory.Memory{note("note-a", "", "apple"), note("note-b", "", "zebra")}, nil, nil)
	if x.Stale() {
		t.Error("stale before anything was deleted")
	}
	update(t, x, nil, []string{"note-b"}, nil)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if x = openTest(t, dir); !x.Stale() {
		t.Error("not stale after a restart")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Purge(ctx, note("note-a", "", "apple")); !errors.Is(err, context.Canceled) || !x.Stale() {
		t.Errorf("Purge() = %v, stale %v after its context had ended", err, x.Stale())
	}
}
