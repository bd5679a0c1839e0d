package embedding

import (
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/index/embed/builtin"
)

func TestRanking(t *testing.T) {
	gain := func(rank float64) float64 { return 1 / math.Log2(rank+1) }
	for _, tt := range []struct {
		name       string
		r          ranking
		right      int
		ndcg, hit5 float64
	}{
		{"nothing", ranking{false, false}, 1, 0, 0},
		{"first", ranking{true, false}, 1, 1, 1},
		{"sixth", ranking{false, false, false, false, false, true}, 1, gain(6), 0},
		{"two of three", ranking{false, true, true}, 3, (gain(2) + gain(3)) / (gain(1) + gain(2) + gain(3)), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.r.ndcg(tt.right); math.Abs(got-tt.ndcg) > 1e-9 {
				t.Errorf("NDCG %v, want %v", got, tt.ndcg)
			}
			if got := tt.r.hit5(); got != tt.hit5 {
				t.Errorf("hit@5 %v, want %v", got, tt.hit5)
			}
		})
	}
}

func TestAUC(t *testing.T) {
	for _, tt := range []struct {
		name      string
		high, low []float64
		want      float64
	}{
		{"apart", []float64{0.9, 0.8}, []float64{0.7}, 1},
		{"turned round", []float64{0.1}, []float64{0.7, 0.8}, 0},
		{"equal", []float64{0.5}, []float64{0.5}, 0.5},
		{"mixed", []float64{0.9, 0.3}, []float64{0.5, 0.3}, 2.5 / 4},
	} {
		if got := auc(tt.high, tt.low); got != tt.want {
			t.Errorf("%s: auc = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestEvaluateErrors(t *testing.T) {
	model := axes("red")
	broken := t.TempDir()
	for _, name := range []string{"docs", "queries", "qrels"} {
		pack(t, broken, name, "{}\n{")
	}
	plain := t.TempDir()
	write(t, plain, "docs.jsonl.gz", []byte("{}"))
	for _, tt := range []struct {
		name, dir string
		model     []byte
		want      string
	}{
		{"no collection", t.TempDir(), model, "no such file"},
		{"cut line", broken, model, broken},
		{"no model", broken, []byte("x"), "not a model"},
	} {
		if _, err := Evaluate(tt.model, tt.dir); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want an error with %q", tt.name, err, tt.want)
		}
	}
	if _, err := readLines(filepath.Join(plain, "docs.jsonl.gz")); err == nil || !strings.Contains(err.Error(), "docs.jsonl.gz") {
		t.Errorf("a file that is not packed: %v, want an error with its name", err)
	}
}

func TestEvaluate(t *testing.T) {
	rows := make([]float32, 3*16)
	rows[0], rows[17], rows[34] = 1, 1, 1 // three words or n-grams at right angles
	model := builtin.Encode([]string{"red", "blue"}, 1, 16, rows)
	dir := t.TempDir()
	pack(t, dir, "docs", `{"id":"1","text":"red red","scope":"x"}
{"id":"2","title":"red","text":"blue","scope":"y"}
{"id":"3","text":"blue blue red","scope":"y"}`)
	pack(t, dir, "queries", `{"id":"a","text":"red","scope":"y"}
{"id":"b","text":"blue"}
{"id":"c","text":"has no answer"}`)
	pack(t, dir, "qrels", `{"query":"a","doc":"2"}
{"query":"b","doc":"2"}`)
	pack(t, dir, "queries_negative", `{"id":"d","text":"blue red blue"}
{"id":"e","text":"!"}`)
	got, err := Evaluate(model, dir)
	if err != nil {
		t.Fatal(err)
	}
	// Query a finds 2 first, as 1 is out of its scope; b finds it second.
	if want := "NDCG@10  81.5 hit@5 100.0 (2 queries) AUC 0.500"; got != want {
		t.Errorf("Evaluate = %q, want %q", got, want)
	}
}

func pack(t *testing.T, dir, name, text string) {
	t.Helper()
	var out strings.Builder
	w := gzip.NewWriter(&out)
	w.Write([]byte(text))
	w.Close()
	if err := os.WriteFile(filepath.Join(dir, name+".jsonl.gz"), []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
