package embedding

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"recollect/internal/index/embed/builtin"
)

// The model's table must be what was trained: a word is its weight times its
// own row plus the scaled sum of its n-grams.
func TestTable(t *testing.T) {
	r := someRows(t, 1)
	table := r.table()
	words := r.lib.words()
	if want := (words + r.lib.buckets) * r.dims; len(table) != want {
		t.Fatalf("%d numbers, want %d", len(table), want)
	}
	for w := range words {
		grams := builtin.Grams(nil, r.lib.vocab.Word(w), r.lib.buckets)
		for i, got := range table[w*r.dims:][:r.dims] {
			var sum float64
			for _, g := range grams {
				sum += float64(r.gram.rows[int(g)*r.dims+i])
			}
			own := float64(r.own.rows[w*r.dims+i])
			want := float64(r.weight[w]) * (own + sum/math.Sqrt(float64(len(grams))))
			if math.Abs(float64(got)-want) > 1e-5 {
				t.Fatalf("word %d, number %d is %v, want %v", w, i, got, want)
			}
		}
	}
	if !slices.Equal(table[words*r.dims:], r.gram.rows) {
		t.Error("the rows of the n-grams are not those that were trained")
	}
}

// Frequent words weigh little: a/(a+p).
func TestWeights(t *testing.T) {
	lib, _ := village(t)
	shares := make([]float64, lib.words())
	shares[0], shares[1] = 0.05, rarity
	r := newRows(lib, shares, rowBlock, 1)
	for i, want := range []float64{rarity / (rarity + 0.05), 0.5, 1} {
		if got := float64(r.weight[i]); math.Abs(got-want) > 1e-6 {
			t.Errorf("a word that is %v of the text weighs %v, want %v", shares[i], got, want)
		}
	}
}

// A word that is treated as unknown has neither a row of its own nor a weight.
func TestGramsOnly(t *testing.T) {
	r := someRows(t, 1)
	known, unknown := make([]float32, r.dims), make([]float32, r.dims)
	r.compose(known, 3)
	r.compose(unknown, 3|gramsOnly)
	for i, x := range unknown {
		if want := r.weight[3] * (r.own.row(3)[i] + x); math.Abs(float64(known[i]-want)) > 1e-6 {
			t.Fatalf("number %d is %v, want %v", i, known[i], want)
		}
	}
	gradient := make([]float32, r.dims)
	gradient[0] = 1
	r.spread(3|gramsOnly, gradient)
	if len(r.own.touched) != 0 || len(r.gram.touched) == 0 {
		t.Errorf("its gradient goes to %d words and %d n-grams", len(r.own.touched), len(r.gram.touched))
	}
}

// compose is linear in the rows and spread its transpose: for any gradient g,
// g·compose(rows) = spread(g)·rows.
func TestSpreadIsTheTransposeOfCompose(t *testing.T) {
	lib, _ := village(t)
	unknown := uint32(len(lib.gramEnd) - 1)
	for _, token := range []uint32{0, 17, 17 | gramsOnly, unknown} {
		r := someRows(t, 1)
		g, row := random(r.dims, rand.New(rand.NewPCG(1, 1))), make([]float32, r.dims)
		r.compose(row, token)
		r.spread(token, g)
		left := float64(dot(g, row))
		right := float64(dot(r.own.gradients, r.own.rows)) + float64(dot(r.gram.gradients, r.gram.rows))
		if math.Abs(left-right) > 1e-4*math.Max(1, math.Abs(left)) {
			t.Errorf("token %d: %v one way, %v the other", token, left, right)
		}
	}
}

func TestStepMovesWhatHasAGradient(t *testing.T) {
	a := newAdam(3, rowBlock, 1, rand.New(rand.NewPCG(1, 1)))
	before := slices.Clone(a.rows)
	for i := range a.gradient(1) {
		a.gradient(1)[i] = 2
	}
	a.step(0.1)
	for i, x := range a.rows {
		want := before[i]
		if i/rowBlock == 1 {
			want -= 0.1 // the first step has the size of the rate, whatever the gradient
		}
		if math.Abs(float64(x-want)) > 1e-5 {
			t.Fatalf("row %d, number %d went from %v to %v, want %v", i/rowBlock, i%rowBlock, before[i], x, want)
		}
	}
	if len(a.touched) != 0 || a.isTouched[1] || slices.Max(a.gradients) != 0 {
		t.Error("the step leaves gradients behind")
	}
	// A row without a gradient rests even though it has a moment.
	after := slices.Clone(a.rows)
	a.gradient(0)[0] = 1
	a.step(0.1)
	if !slices.Equal(a.rows[rowBlock:], after[rowBlock:]) {
		t.Error("a row without a gradient moves")
	}
}
