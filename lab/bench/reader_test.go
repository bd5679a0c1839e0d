package bench

import (
	"testing"

	"recollect/internal/memory"
)

// A perfect reader chooses what answers, as little as it takes, and nothing where nothing does.
func TestPerfectReader(t *testing.T) {
	l := HistoryLabel{Label: "need", Keys: []string{"pool of 40|forty", "postgres"}}
	offered := []string{"[result] the build is green", "[decision] a pool of 40", "[cause] forty pods", "[cause] Postgres allows 100"}
	if got, want := l.choose("", offered), "\n[decision] a pool of 40\n[cause] Postgres allows 100"; got != want {
		t.Errorf("choose() = %q, want %q", got, want)
	}
	if got := l.choose("", offered[:3]); got != "" {
		t.Errorf("choose() = %q without an answer", got)
	}
	if got := l.choose("the pool of 40 of Postgres", offered); got != "" {
		t.Errorf("choose() = %q of what was said", got)
	}
	var row ReaderRow
	row.Among = map[int]int{}
	row.count(&l, "", "forty", offered)
	if row.Answered != 0 || row.WithReader != 1 || row.ReaderStart != 1 || row.Among[5] != 1 {
		t.Errorf("count() = %+v", row)
	}
}

// A memory counts by the sentence of its session that it has most words of.
func TestOutcomesOfCandidates(t *testing.T) {
	own := []sentence{
		{Session: "s1", Sentence: "use pnpm for every package here", Standing: true},
		{Session: "s1", Sentence: "rename the header of this page"},
	}
	var o outcomes
	found := map[int]bool{}
	for _, m := range []memory.Memory{
		{Session: "s1", Evidence: "please use pnpm for every package here"},
		{Session: "s1", Title: "rename the header of this page"},
		{Session: "s2", Evidence: "use pnpm for every package here"},
	} {
		o.add(own, &m, found)
	}
	if o != (outcomes{Right: 1, Wrong: 1, Unknown: 1}) || !found[0] || len(found) != 1 {
		t.Errorf("%+v, found %v", o, found)
	}
}
