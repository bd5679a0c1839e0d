package compactid

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// anID returns an id of the usual form or of another, out of so few that most come again.
func anID(r *rand.Rand) string {
	n := r.IntN(200)
	switch r.IntN(12) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("DEC-%012x", n)
	case 2:
		return fmt.Sprintf("dec-%012X", 0xabc00+n)
	case 3:
		return fmt.Sprintf("dec-%011x", n)
	case 4:
		return fmt.Sprintf("a-long-prefix-%012x", n)
	case 5:
		return fmt.Sprintf("%012x", n)
	case 6:
		return fmt.Sprintf("p%d-%012x", n, n) // more prefixes than are numbered
	case 7:
		return fmt.Sprintf("é-%012x", n)
	case 8:
		return strings.Repeat("x", n)
	}
	return fmt.Sprintf("ep-%012x", uint64(n)<<40|uint64(n))
}

func TestMap(t *testing.T) {
	for _, m := range []Map[int]{{}, NewMap[int](1000)} {
		r := rand.New(rand.NewPCG(1, 2))
		want := map[string]int{}
		for i := range 20_000 {
			id := anID(r)
			at := m.Set(id, i)
			want[id] = i
			if got, v := m.At(at); got != id || v != i || m.Len() != len(want) {
				t.Fatalf("after Set(%q, %d): At(%d) = %q, %d; Len() = %d, want %d", id, i, at, got, v, m.Len(), len(want))
			}
			other := anID(r)
			got, ok := m.Get(other)
			if w, known := want[other]; got != w || ok != known {
				t.Fatalf("Get(%q) = %d, %t, want %d, %t", other, got, ok, w, known)
			}
		}
		if diff := cmp.Diff(want, maps.Collect(m.All())); diff != "" {
			t.Errorf("All() (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(slices.Sorted(maps.Values(want)), slices.Sorted(m.Values())); diff != "" {
			t.Errorf("Values() (-want +got):\n%s", diff)
		}
	}
}

func TestList(t *testing.T) {
	for _, l := range []List{{}, NewList(1000)} {
		r := rand.New(rand.NewPCG(3, 4))
		var want []string // "-" for what was cleared
		at := map[string]int{}
		for range 20_000 {
			id := anID(r)
			if i, ok := at[id]; ok {
				l.Clear(i)
				want[i] = "-"
				delete(at, id)
			}
			if r.IntN(3) > 0 {
				at[id] = len(want)
				if i := l.Append(id); i != len(want) {
					t.Fatalf("Append(%q) = %d, want %d", id, i, len(want))
				}
				want = append(want, id)
			}
			if len(want) > 0 {
				if i := r.IntN(len(want)); want[i] == "-" {
					l.Clear(i) // again
				}
			}
			other := anID(r)
			got, ok := l.Find(other)
			if i, known := at[other]; got != i || ok != known {
				t.Fatalf("Find(%q) = %d, %t, want %d, %t", other, got, ok, i, known)
			}
			if l.Len() != len(want) || l.Count() != len(at) {
				t.Fatalf("Len() = %d, Count() = %d, want %d, %d", l.Len(), l.Count(), len(want), len(at))
			}
		}
		got := map[string]int{}
		for i, id := range l.All() {
			got[id] = i
			if l.At(i) != id {
				t.Errorf("At(%d) = %q, want %q", i, l.At(i), id)
			}
		}
		if diff := cmp.Diff(at, got); diff != "" {
			t.Errorf("All() (-want +got):\n%s", diff)
		}
		for range 2000 {
			i, j := r.IntN(l.Len()), r.IntN(l.Len())
			if got, want := l.Compare(i, j), strings.Compare(l.At(i), l.At(j)); got != want {
				t.Errorf("Compare(%q, %q) = %d, want %d", l.At(i), l.At(j), got, want)
			}
		}
		for i, id := range want {
			if id == "-" && l.At(i) != "" {
				t.Errorf("At(%d) = %q, want none", i, l.At(i))
			}
		}
	}
}

// An id that is not of the usual form is not changed by being held.
func TestForms(t *testing.T) {
	for _, id := range []string{"ep-0123456789ab", "ep-000000000000", "team-ffffffffffff", "", "ep-", "ep-0123456789AB", "ep-0123456789ag", "a-long-prefix-0123456789ab"} {
		var m Map[bool]
		m.Set(id, true)
		for got := range m.All() {
			if got != id {
				t.Errorf("%q became %q", id, got)
			}
		}
		var l List
		l.Append(id)
		if got := l.At(0); got != id {
			t.Errorf("%q became %q", id, got)
		}
	}
}
