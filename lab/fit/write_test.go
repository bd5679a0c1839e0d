package fit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/recall"
	"recollect/lab/bench"
)

func TestWriteIsReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coefficients.go")
	kinds := []Kind{{Name: "builtin"}, {Name: "off"}}
	models := []*Model{{Bias: -6.5, Weights: []float64{3, 0, -0.25}}, {Bias: 0.1, Weights: []float64{0, 0.5, 0}}}
	if err := Write(path, []string{"coverage", "strength", "cosine"}, kinds, models); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"builtin bias": -6.5, "builtin coverage": 3, "builtin cosine": -0.25, "off bias": 0.1, "off strength": 0.5}
	if diff := cmp.Diff(want, numbers(t, path)); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("%d files left (%v), want 1", len(left), err)
	}
}

// numbers parses a file of coefficients and returns its numbers by kind and
// name.
func numbers(t *testing.T, path string) map[string]float64 {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if !ast.IsGenerated(file) || file.Name.Name != "relevance" {
		t.Errorf("package %s, generated %v: want relevance, true", file.Name.Name, ast.IsGenerated(file))
	}
	out := map[string]float64{}
	var read func(n ast.Node, under string)
	read = func(n ast.Node, under string) {
		ast.Inspect(n, func(n ast.Node) bool {
			pair, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			key := name(pair.Key)
			switch v := pair.Value.(type) {
			case *ast.CompositeLit:
				if key == "weights" {
					key = under
				}
				read(v, key)
			default:
				out[under+" "+key] = number(t, v)
			}
			return false
		})
	}
	read(file, "")
	return out
}

func name(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return strings.Trim(e.(*ast.BasicLit).Value, `"`)
}

func number(t *testing.T, e ast.Expr) float64 {
	t.Helper()
	sign := 1.0
	if minus, ok := e.(*ast.UnaryExpr); ok {
		sign, e = -1, minus.X
	}
	v, err := strconv.ParseFloat(e.(*ast.BasicLit).Value, 64)
	if err != nil {
		t.Fatal(err)
	}
	return sign * v
}

func TestCasesAreReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "toy.gob")
	want := caseFile{[]string{"coverage"}, []bench.Case{{
		ID: "1", Relevant: map[string]bool{"a": true}, Docs: []string{"a"},
		Candidates: []recall.Example{{ID: "ep-1", Embedded: true, Features: []float64{0.1}}},
	}}}
	if err := writeCases(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := readCases(path)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("cases (%v) (-want +got):\n%s", err, diff)
	}
}

func TestReport(t *testing.T) {
	names := append([]string{"tells", "against", cosine}, "noise")
	set := toy(20)
	good, bad := &Model{Weights: []float64{5, 0, 0, 0}}, &Model{Weights: []float64{-5, 0, 0, 0}}
	var b strings.Builder
	if err := Report(&b, []Set{set, {Name: "seen", Cases: set.Cases}}, names, good, bad); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 4 {
		t.Fatalf("got %d lines, want 4:\n%s", len(lines), b.String())
	}
	cells := strings.Fields(lines[2])
	if cells[0] != "*toy" || strings.HasPrefix(strings.TrimSpace(lines[3]), "*") {
		t.Errorf("the mark is not on the fitted set alone:\n%s", b.String())
	}
	if won, _, _ := strings.Cut(cells[13], "-"); won == "0" || !strings.HasSuffix(cells[13], "-0") {
		t.Errorf("won-lost: got %s, want wins only:\n%s", cells[13], b.String())
	}
}
