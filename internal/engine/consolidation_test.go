package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
)

// A daemon consolidates what changed while it ran, at the latest before it
// ends; what is superseded stays readable.
func TestConsolidation(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	ids := r.remember("the pool of the orders service has 40 connections", "The pool of the orders service has 40 connections, please!",
		"the pool of the orders service has 25 connections")
	r.end()

	r = start(t, home)
	defer r.end()
	by := map[string]string{}
	for _, id := range ids {
		got, err := r.Memory(t.Context(), id)
		if err != nil || got.Title == "" {
			t.Fatalf("Memory(%s) = %+v, %v", id, got, err)
		}
		if got.SupersededBy != "" {
			by[id] = got.SupersededBy
		}
	}
	newer, older := max(ids[0], ids[1]), min(ids[0], ids[1]) // they are of one second
	if diff := cmp.Diff(map[string]string{older: newer}, by); diff != "" {
		t.Errorf("superseded (-want +got):\n%s", diff)
	}
	done, err := r.Consolidate(t.Context(), api.Consolidate{})
	if err != nil || len(done.Merges) != 0 {
		t.Errorf("Consolidate() = %+v, %v, want nothing left to do", done, err)
	}
}
