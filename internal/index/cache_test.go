package index

import "testing"

func TestCache(t *testing.T) {
	type step struct {
		key  string
		cost int // 0: look it up
		want bool
	}
	tests := []struct {
		name  string
		steps []step
	}{
		{"what was put", []step{{"a", 1, true}, {"a", 0, true}, {"b", 0, false}}},
		{"the oldest go", []step{{"a", 3, true}, {"b", 3, true}, {"c", 3, true}, {"a", 0, false}, {"b", 0, true}, {"c", 0, true}}},
		{"what is used stays", []step{{"a", 2, true}, {"b", 3, true}, {"a", 0, true}, {"c", 4, true}, {"a", 0, true}, {"b", 0, false}}},
		{"a replacement has its own cost", []step{{"a", 4, true}, {"a", 1, true}, {"b", 4, true}, {"c", 4, true}, {"a", 0, true}}},
		{"larger than all room", []step{{"a", 99, true}, {"a", 0, true}, {"b", 1, true}, {"c", 5, true}, {"a", 0, false}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCache[string, string](10)
			for i, s := range tt.steps {
				if s.cost > 0 {
					c.put(s.key, "value of "+s.key, s.cost)
					continue
				}
				if got, ok := c.get(s.key); ok != s.want || ok && got != "value of "+s.key {
					t.Errorf("step %d: get(%s) = %q, %t; want it: %t", i, s.key, got, ok, s.want)
				}
			}
		})
	}
}

// Searches that find hardly any room to keep what they read give the same
// answers as others.
func TestSearchWithoutRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	x, c := openTest(t, t.TempDir()), newCorpus(9)
	small := caches{newCache[termKey, []termPart](3000), newCache[uint64, []uint32](500)}
	roomy := x.current.caches
	ref := reference{}
	for round := range 6 {
		put := c.memories(c.rand.IntN(200), 60)
		gone := put[3].ID
		update(t, x, put, []string{gone}, nil)
		for _, m := range put {
			ref[m.ID] = m
		}
		delete(ref, gone)
		for range 20 {
			q := c.question(put[c.rand.IntN(len(put))])
			want := ref.search(q, 10)
			for name, kept := range map[string]caches{"small": small, "roomy": roomy} {
				x.current.caches = kept
				got, err := x.Search(t.Context(), q, 10)
				if err != nil {
					t.Fatal(err)
				}
				if diff := diffHits(want, got); diff != "" {
					t.Fatalf("round %d, %s caches: Search(%v) (-want +got):\n%s", round, name, q, diff)
				}
			}
		}
	}
	if small.terms.cost > small.terms.limit {
		t.Errorf("the small cache holds %d, want at most %d", small.terms.cost, small.terms.limit)
	}
}
