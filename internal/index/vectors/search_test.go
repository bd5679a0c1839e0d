package vectors

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestSearch(t *testing.T) {
	f := openTest(t, t.TempDir(), 2)
	update(t, f, []Row{{ID: "same b", Vector: []float32{1, 1}}, {ID: "right", Vector: []float32{1, 0}}, {ID: "gone", Vector: []float32{1, 0}}, {ID: "away", Vector: []float32{-1, 0}}}, nil, nil)
	update(t, f, []Row{{ID: "same a", Vector: []float32{2, 2}}, {ID: "up", Vector: []float32{0, 1}}}, []string{"gone"}, nil)
	tests := []struct {
		name  string
		query []float32
		limit int
		admit func(string) bool
		want  string
	}{
		{"all, best first, equal ones by id", []float32{1, 0}, 10, nil, "right same a same b up away"},
		{"the length of the query does not count", []float32{1e-9, 0}, 10, nil, "right same a same b up away"},
		{"limit", []float32{1, 0}, 2, nil, "right same a"},
		{"limit below one", []float32{1, 0}, 0, nil, ""},
		{"some admitted", []float32{1, 0}, 2, func(id string) bool { return strings.HasPrefix(id, "same") }, "same a same b"},
		{"none admitted", []float32{1, 0}, 2, func(string) bool { return false }, ""},
		{"no direction", []float32{0, 0}, 10, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, h := range search(t, f, tt.query, tt.limit, tt.admit) {
				got = append(got, h.ID)
			}
			if diff := gocmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("Search(), -want +got:\n%s", diff)
			}
		})
	}
}

func TestSearchRefuses(t *testing.T) {
	f := openTest(t, t.TempDir(), 2)
	update(t, f, []Row{{ID: "one", Vector: []float32{1, 0}}}, nil, nil)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name  string
		ctx   context.Context
		query []float32
		want  string
	}{
		{"too short", t.Context(), []float32{1}, "query has 1 numbers, want 2"},
		{"not a number", t.Context(), []float32{1, float32(math.NaN())}, "query: a number is NaN"},
		{"too late", ended, []float32{1, 0}, "context canceled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := f.Search(tt.ctx, Query{Vector: tt.query, Limit: 1})
			if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("Search() = %v, want %s", err, tt.want)
			}
		})
	}
}

// A deadline that passes during a search ends it.
func TestSearchStops(t *testing.T) {
	f, c := openTest(t, t.TempDir(), 8), newCorpus(1, 8)
	update(t, f, c.rows(5*deadlineRows), nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	_, err := f.Search(ctx, Query{Vector: c.vector(), Limit: math.MaxInt, Admit: func(string) bool {
		cancel()
		asked++
		return true
	}})
	if !errors.Is(err, context.Canceled) || asked != deadlineRows {
		t.Errorf("Search() = %v after %d rows, want %v after %d", err, asked, context.Canceled, deadlineRows)
	}
}

// The hits are those that comparing with every row gives, in one part or two.
func TestSearchFindsAll(t *testing.T) {
	for _, rows := range []int{100, 3*chunkRows + 7, splitRows + 4321} {
		f, c := openTest(t, t.TempDir(), 8), newCorpus(uint64(rows), 8)
		for c.next < rows {
			update(t, f, c.rows(min(rows-c.next, 1+c.rand.IntN(70_000))), nil, nil)
		}
		update(t, f, nil, []string{testID(7), testID(rows - 1)}, nil)
		for range 3 {
			query := c.vector()
			want := allHits(f, query)
			if diff := gocmp.Diff(want[:50], search(t, f, query, 50, nil)); diff != "" {
				t.Errorf("%d rows: Search(), -want +got:\n%s", rows, diff)
			}
			found, err := f.Search(t.Context(), Query{Vector: query, Limit: 1})
			spread := found.Spread
			if want := spreadOf(want); err != nil || spread.Rows != want.Rows || math.Abs(spread.Mean-want.Mean) > 1e-6 || math.Abs(spread.Deviation-want.Deviation) > 1e-6 {
				t.Errorf("%d rows: the cosines lie at %+v, want %+v (error %v)", rows, spread, want, err)
			}
		}
	}
}

func spreadOf(hits []Hit) Spread {
	s := Spread{Rows: len(hits)}
	for _, h := range hits {
		s.Mean += h.Cosine / float64(len(hits))
	}
	for _, h := range hits {
		s.Deviation += (h.Cosine - s.Mean) * (h.Cosine - s.Mean) / float64(len(hits))
	}
	s.Deviation = math.Sqrt(s.Deviation)
	return s
}

func allHits(f *File, query []float32) []Hit {
	var hits []Hit
	ids := f.IDs()
	for i, c := range f.Cosines(query, ids) {
		hits = append(hits, Hit{ids[i], c})
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID))
	})
	return hits
}

// admit is asked for few of the rows.
func TestSearchCallsAdmitRarely(t *testing.T) {
	f, c := openTest(t, t.TempDir(), 16), newCorpus(9, 16)
	update(t, f, c.rows(20_000), nil, nil)
	asked := map[string]int{}
	hits := search(t, f, c.vector(), 10, func(id string) bool { asked[id]++; return true })
	for _, h := range hits {
		if asked[h.ID] != 1 {
			t.Errorf("admit was asked %d times for a hit", asked[h.ID])
		}
	}
	if len(asked) > 300 { // 10 × ln(2000) is 76
		t.Errorf("admit was asked for %d of 20,000 rows", len(asked))
	}
}

// A byte for a dimension finds what 32-bit numbers find.
func TestRecall(t *testing.T) {
	const rows, queries, limit = 4_000, 20, 50
	for _, dims := range []int{128, 256} {
		f, c := openTest(t, t.TempDir(), dims), newCorpus(11, dims)
		put := c.rows(rows)
		update(t, f, put, nil, nil)
		found, worst := 0, 0.0
		for range queries {
			query := c.vector()
			exact := exactHits(put, query)[:limit]
			ids := make([]string, limit)
			for i, h := range exact {
				ids[i] = h.ID
			}
			for _, h := range search(t, f, query, limit, nil) {
				if slices.Contains(ids, h.ID) {
					found++
				}
			}
			for i, c := range f.Cosines(query, ids) {
				worst = max(worst, math.Abs(c-exact[i].Cosine))
			}
		}
		recall := float64(found) / (queries * limit)
		t.Logf("%d dimensions: recall@%d %.4f, cosines off by at most %.4f", dims, limit, recall, worst)
		if recall < 0.98 || worst > 0.005 {
			t.Errorf("%d dimensions: recall@%d %.4f, cosines off by %.4f, want at least 0.98 and at most 0.005", dims, limit, recall, worst)
		}
	}
}

func exactHits(rows []Row, query []float32) []Hit {
	hits := make([]Hit, len(rows))
	for i, r := range rows {
		hits[i] = Hit{r.ID, cosine(r.Vector, query)}
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Cosine, a.Cosine) })
	return hits
}

func TestCosines(t *testing.T) {
	f := openTest(t, t.TempDir(), 2)
	update(t, f, []Row{{ID: "right", Vector: []float32{1, 0}}, {ID: "down", Vector: []float32{0, -1}}}, nil, nil)
	nan := math.NaN()
	tests := []struct {
		name  string
		query []float32
		ids   []string
		want  []float64
	}{
		{"in the order of the ids", []float32{0, 3}, []string{"down", "none", "right", "down"}, []float64{-1, nan, 0, -1}},
		{"no ids", []float32{0, 3}, nil, []float64{}},
		{"wrong length", []float32{0}, []string{"down"}, []float64{nan}},
		{"not a number", []float32{0, float32(nan)}, []string{"down"}, []float64{nan}},
		{"no direction", []float32{0, 0}, []string{"down"}, []float64{0}},
	}
	same := gocmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-6 || math.IsNaN(a) && math.IsNaN(b) })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := gocmp.Diff(tt.want, f.Cosines(tt.query, tt.ids), same); diff != "" {
				t.Errorf("Cosines(), -want +got:\n%s", diff)
			}
		})
	}
}
