package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPair(t *testing.T) {
	a := map[string]Outcome{"1": {NDCG10: 1}, "2": {NDCG10: 0.5}, "3": {NDCG10: 0.2}, "4": {NDCG10: 0.7}, "only here": {NDCG10: 1}}
	b := map[string]Outcome{"1": {NDCG10: 0.5}, "2": {NDCG10: 0.5}, "3": {NDCG10: 0.6}, "4": {NDCG10: 0.4}}
	want := Pairing{Retriever: "x", Other: "y", Wins: 2, Losses: 1, Ties: 1, Gain: 0.1, Chance: 1}
	if diff := cmp.Diff(want, pair("x", "y", a, b), near); diff != "" {
		t.Errorf("pair, -want +got:\n%s", diff)
	}
}

func TestSignTest(t *testing.T) {
	for _, tt := range []struct {
		wins, losses int
		want         float64
	}{
		{0, 0, 1},
		{1, 0, 1},            // 2 × 1/2
		{5, 0, 2.0 / 32},     // five heads, or five tails
		{0, 5, 2.0 / 32},     // either way round
		{8, 2, 112.0 / 1024}, // 2 × (1 + 10 + 45) of 1024
	} {
		if got := signTest(tt.wins, tt.losses); !cmp.Equal(got, tt.want, near) {
			t.Errorf("signTest(%d, %d) = %v, want %v", tt.wins, tt.losses, got, tt.want)
		}
	}
}

func TestAgainst(t *testing.T) {
	now := &Report{Set: "s", Field: FieldText, Retrievers: map[string]*Score{
		Lexical: {PerQuery: map[string]Outcome{"q": {NDCG10: 1}}},
		Bleve:   {PerQuery: map[string]Outcome{"q": {NDCG10: 1}}},
	}}
	was := &Report{Set: "s", Field: FieldText, Retrievers: map[string]*Score{
		Lexical: {PerQuery: map[string]Outcome{"q": {NDCG10: 0.5}}},
	}}
	got, err := now.Against(was)
	if err != nil {
		t.Fatal(err)
	}
	want := []Pairing{{Retriever: Lexical, Other: "stored " + Lexical, Wins: 1, Gain: 0.5, Chance: 1}}
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("Against, -want +got:\n%s", diff)
	}
	was.Field = FieldDetail
	if _, err := now.Against(was); err == nil {
		t.Error("a run of another field is compared")
	}
	if _, err := now.Against(&Report{Set: "s", Field: FieldText}); err == nil {
		t.Error("a run without legs is compared")
	}
}

func TestStoredNamesWhatIsWrong(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"set"`, "unexpected end"},
		{`{"set":"s","legs":{"lexical":{"R@5":1}}}`, "made with --per-query"},
	} {
		path := filepath.Join(t.TempDir(), "run.json")
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Stored(path)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("Stored of %s: %v, want %q and the path", tt.text, err, tt.want)
		}
	}
}
