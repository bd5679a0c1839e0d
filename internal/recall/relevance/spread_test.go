package relevance

import "testing"

// How far a cosine stands out means the same wherever the cosines of a store lie, but of a store of
// two memories nobody can tell.
func TestDistance(t *testing.T) {
	store := func(rows int, mean, deviation float64) *Spread {
		return &Spread{Rows: rows, Mean: mean, Deviation: deviation}
	}
	low, high := store(1000, 0.1, 0.1).Distance(0.5), store(1000, 0.5, 0.1).Distance(0.9)
	if low < 3.5 || high < 3.5 || low > 4.5 || high > 4.5 {
		t.Errorf("four deviations above the mean are %.2f and %.2f", low, high)
	}
	if few := store(2, 0.5, 0.001).Distance(0.55); few < 0 || few > 1 {
		t.Errorf("of two memories, one is %.2f deviations above the mean", few)
	}
	if same := store(1000, 0.9, 0).Distance(0.9); same < -1 || same > 1 {
		t.Errorf("of equal memories, one is %.2f deviations above the mean", same)
	}
}
