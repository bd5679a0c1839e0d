package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// TestGetTwice: what a caller does to a memory changes nothing for the next one.
func TestGetTwice(t *testing.T) {
	s := open(t, own(t))
	m := note("one")
	m.Tags, m.Fields = []string{"a", "b"}, map[string]string{"why": "x"}
	id := add(t, s, m)[0]
	first, err := s.Get(id)
	if err != nil {
		t.Fatal(err)
	}
	first.Tags[0], first.Fields["why"] = "changed", "changed"
	for range 2 {
		got, err := s.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a", "b", "x"}, append(got.Tags, got.Fields["why"])); diff != "" {
			t.Errorf("read again (-want +got):\n%s", diff)
		}
		got.Tags[1] = "changed"
	}
}

// TestNothingStaysInMemory: neither a deletion nor a compaction leaves a decoded memory behind.
func TestNothingStaysInMemory(t *testing.T) {
	s := open(t, own(t))
	id := add(t, s, note("one"))[0]
	drop := map[string]func() error{
		"delete":  func() error { _, err := s.Delete(noon, id); return err },
		"compact": func() error { return s.Compact(memory.Inbox) },
	}
	for _, name := range []string{"compact", "delete"} {
		if _, err := s.Get(id); err != nil || s.recent.cache.Len() != 1 {
			t.Fatalf("Get: %v, %d are held", err, s.recent.cache.Len())
		}
		if err := drop[name](); err != nil || s.recent.cache.Len() != 0 {
			t.Errorf("%s: %v, %d are held", name, err, s.recent.cache.Len())
		}
	}
}
