package embedding

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/index/embed/builtin"
)

func TestAppendHeld(t *testing.T) {
	repos := []string{"held/out"}
	whole := record{Kind: "commit", Repo: "held/out", Subject: "subject", Body: []string{"one", "two"}}
	other, doc, empty := whole, whole, whole
	other.Repo, doc.Kind, empty.Body = "kept/one", "doc", nil
	var held []heldPair
	for _, r := range []record{whole, other, doc, empty} {
		held = appendHeld(held, &r, repos)
	}
	if diff := cmp.Diff(fmt.Sprint([]heldPair{{"subject", "one\ntwo"}}), fmt.Sprint(held)); diff != "" {
		t.Errorf("held pairs (-want +got):\n%s", diff)
	}
	full := make([]heldPair, heldPool)
	if got := appendHeld(full, &whole, repos); len(got) != heldPool {
		t.Errorf("%d pairs, want at most %d", len(got), heldPool)
	}
}

// axes is a model with a direction for each of some words, and one for all
// others.
func axes(words ...string) []byte {
	rows := make([]float32, (len(words)+1)*16)
	for i := range len(words) + 1 {
		rows[i*16+i] = 1
	}
	return builtin.Encode(words, 1, 16, rows)
}

func TestRankOf(t *testing.T) {
	m, err := builtin.Parse(axes("red", "green", "blue"))
	if err != nil {
		t.Fatal(err)
	}
	var bodies [][]float32
	for _, text := range []string{"red", "red red green", "blue", "green", "red"} {
		v := make([]float32, m.Dims())
		m.Embed(v, text)
		bodies = append(bodies, v)
	}
	for _, tt := range []struct {
		query string
		right int
		want  int
	}{
		{"red", 0, 2}, // no better than the last, so behind it
		{"red", 1, 3},
		{"blue", 2, 1},
		{"red green green", 1, 2},
		{"blue", 0, 5}, // as bad as three others
		{"!", 2, 5},
	} {
		if got := rankOf(m, tt.query, bodies, tt.right); got != tt.want {
			t.Errorf("rankOf(%q, %d) = %d, want %d", tt.query, tt.right, got, tt.want)
		}
	}
}

func TestScores(t *testing.T) {
	for _, tt := range []struct {
		ranks            []int
		ndcg, hit1, hit5 float64 // sums
	}{
		{nil, 0, 0, 0},
		{[]int{1}, 1, 1, 1},
		{[]int{5, 6}, 1/math.Log2(6) + 1/math.Log2(7), 0, 1},
		{[]int{10, 11, 4000}, 1 / math.Log2(11), 0, 0},
	} {
		var s Scores
		for _, rank := range tt.ranks {
			s.add(rank)
		}
		if math.Abs(s.ndcg-tt.ndcg) > 1e-9 || s.hit1 != tt.hit1 || s.hit5 != tt.hit5 || s.queries != float64(len(tt.ranks)) {
			t.Errorf("ranks %v give %+v, want NDCG %v, %v and %v hits", tt.ranks, s, tt.ndcg, tt.hit1, tt.hit5)
		}
	}
	if got, want := (Scores{queries: 4, ndcg: 1, hit1: 2, hit5: 3}).String(), "NDCG@10 25.0 hit@1 50.0 hit@5 75.0"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	if got, want := (Scores{}).String(), "NDCG@10 0.0 hit@1 0.0 hit@5 0.0"; got != want {
		t.Errorf("String() of none = %q, want %q", got, want)
	}
}

func TestEvaluateHeld(t *testing.T) {
	held := []heldPair{{"red", "red blue"}, {"green", "green"}}
	var log strings.Builder
	if err := evaluateHeld("main", axes("red", "green", "blue"), held, &log); err != nil {
		t.Fatal(err)
	}
	// Without the shared words nothing is left to find the bodies with.
	want := "subjects NDCG@10 100.0 hit@1 100.0 hit@5 100.0; without shared words NDCG@10 63.1 hit@1 0.0 hit@5 100.0\n"
	if !strings.HasPrefix(log.String(), "main, builtin-") || !strings.HasSuffix(log.String(), want) {
		t.Errorf("log %q, want %q at its end", log.String(), want)
	}
	if err := evaluateHeld("main", []byte("no model"), held, &log); err == nil {
		t.Error("evaluateHeld takes anything for a model")
	}
}

// Only memories that were not trained on are asked for, each among all.
func TestEvaluateWritten(t *testing.T) {
	var all []heldMemory
	for _, r := range []record{
		{Kind: writtenMemory, Repo: heldWritten, Body: []string{"red", "red", "green", "blue", "!"}},
		{Kind: writtenMemory, Repo: "written", Body: []string{"green", "green", "green", "green", "!"}},
		{Kind: writtenConcept, Repo: "written", Body: []string{"red", "scarlet"}},
	} {
		all = appendMemory(all, &r)
	}
	var log strings.Builder
	if err := evaluateWritten("main", axes("red", "green", "blue"), all, &log); err != nil {
		t.Fatal(err)
	}
	want := "written same NDCG@10 100.0 hit@1 100.0 hit@5 100.0; near NDCG@10 63.1 hit@1 0.0 hit@5 100.0; none NDCG@10 63.1 hit@1 0.0 hit@5 100.0;\n"
	if !strings.HasSuffix(log.String(), want) {
		t.Errorf("log %q, want %q at its end", log.String(), want)
	}
}

func TestWithout(t *testing.T) {
	if got := without("Fix parseURL in daemon's log", "the URL of a Daemon"); got != "fix parse in log" {
		t.Errorf("without = %q", got)
	}
}
